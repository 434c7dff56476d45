import type { Response } from 'express';
import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { requireModules } from '../../../contract/errors.ts';
import { getAdmin } from '../admin.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type ReportReader, type FirstRows, type Outcome, readOutcome, run } from '../overview/figures.ts';

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

/** Reads the open assignments of each person. People with the most overdue assignments come first. */
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

/** Number of people who have finished or signed, out of all. */
export interface Share {
  completed: number;
  all: number;
}

export interface Shares {
  training: Outcome<Share>;
  policies: Outcome<Share>;
}

/** Reads how many of the manager's people have finished and signed. */
export async function readShares(reader: ReportReader, res: Response): Promise<Shares> {
  const [training, policies] = await Promise.all([
    readOutcome(reader, readTraining(reader)),
    readOutcome(reader, countSignatures(res)),
  ]);
  return { training, policies };
}

async function readTraining(reader: ReportReader): Promise<Share> {
  const { summary } = await run(reader, 'getLearningReport', {});
  return { completed: summary.finishedCount, all: summary.enrollmentCount };
}

async function countSignatures(res: Response): Promise<Share> {
  requireModules(['smpolicy'], getAdmin(res).modules);
  return getAdmin(res).call('countManagedSignatures', {});
}
