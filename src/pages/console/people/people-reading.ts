import type { Response } from 'express';
import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { requireModules } from '../../../contract/errors.ts';
import { getAdmin } from '../admin.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { MAX_ITEMS } from '../console-runs.ts';
import {
  type FigureReader,
  type FirstRows,
  type Outcome,
  readFirstRows,
  readOutcome,
  run,
} from '../overview/figures.ts';

/** Maximum number of assignments that a page reads. */
const MAX_ROWS = 2000;

/** The open assignments of a learner. */
export interface OpenTasks {
  learner: Schemas['LearnerReference'];
  open: number;
  overdue: number;
  /** The first day on which an assignment is due. */
  dueOn: string;
}

/** Reads the open assignments of each person, those with the most overdue ones first. */
export async function readOpenTasks(runs: ConsoleRuns, caller: Caller): Promise<FirstRows<OpenTasks>> {
  const byLearner = new Map<string, OpenTasks>();
  let count = 0;
  for await (const { learner, overdue, dueOn } of runs.items('listAssignments', caller, { assignmentStatus: 'open' })) {
    if (count++ === MAX_ROWS) break;
    const tasks = byLearner.get(learner.id) ?? { learner, open: 0, overdue: 0, dueOn };
    tasks.open++;
    if (overdue) tasks.overdue++;
    if (dueOn < tasks.dueOn) tasks.dueOn = dueOn;
    byLearner.set(learner.id, tasks);
  }
  const isCut = count > MAX_ROWS;
  return { rows: [...byLearner.values()].toSorted((a, b) => b.overdue - a.overdue || compareNames(a, b)), isCut };
}

function compareNames(a: OpenTasks, b: OpenTasks): number {
  return a.learner.name.localeCompare(b.learner.name);
}

/** How many of all have finished or signed. */
export interface Share {
  completed: number;
  all: number;
}

export interface Shares {
  training: Outcome<Share>;
  policies: Outcome<Share>;
}

/** Counts the signed policies of the manager's people, or of one of them. */
type CountSignatures = (input: { personId?: string }) => Promise<Share>;

/** Returns the count for the signed-in manager. It fails without the module for policies. */
export function countSignaturesFor(res: Response): CountSignatures {
  return async (input) => {
    requireModules(['smpolicy'], getAdmin(res).modules);
    return getAdmin(res).call('countManagedSignatures', input);
  };
}

/** Reads how many of the manager's people have finished and signed. */
export async function readShares(reader: FigureReader, countSignatures: CountSignatures): Promise<Shares> {
  const [training, policies] = await Promise.all([
    readOutcome(reader, readTraining(reader)),
    readOutcome(reader, countSignatures({})),
  ]);
  return { training, policies };
}

async function readTraining(reader: FigureReader): Promise<Share> {
  const { summary } = await run(reader, 'getLearningReport', {});
  return { completed: summary.finishedCount, all: summary.enrollmentCount };
}

export interface PersonResults {
  learner: Schemas['Learner'];
  courses: Outcome<FirstRows<Schemas['CourseResult']>>;
  policies: Outcome<Share>;
}

/** Reads the results of one of the manager's people. @throws {ApiError} `not_found` for everybody else */
export async function readPerson(
  reader: FigureReader,
  learnerId: string,
  countSignatures: CountSignatures,
): Promise<PersonResults> {
  const learner = await run(reader, 'getLearner', { learnerId });
  const [courses, policies] = await Promise.all([
    readOutcome(reader, readCourses(reader, learnerId)),
    readOutcome(reader, countSignatures({ personId: learnerId })),
  ]);
  return { learner: learner as Schemas['Learner'], courses, policies };
}

async function readCourses(reader: FigureReader, learnerId: string): Promise<FirstRows<Schemas['CourseResult']>> {
  return readFirstRows(await run(reader, 'listLearnerCourseResults', { learnerId }), MAX_ITEMS);
}
