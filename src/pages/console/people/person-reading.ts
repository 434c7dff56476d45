import type { Caller } from '../../../auth/caller.ts';
import type { Input, KeyedOperationId, Schemas } from '../../../contract/contract.ts';
import { ApiError } from '../../../contract/errors.ts';
import { canCall } from '../admin.ts';
import { type ConsoleRuns, MAX_ITEMS } from '../console-runs.ts';

/** Maximum number of open assignments that the page explains; each takes a call. */
const MAX_EXPLAINED = 20;

/** The data of the page about a person. A part is undefined if the role or the plan does not include it. */
export interface PersonRecords {
  learner: Schemas['Learner'];
  /** The open assignments, ordered by due date. */
  assignments: readonly (Schemas['Assignment'] | Schemas['AssignmentDetail'])[] | undefined;
  courses: readonly Schemas['CourseResult'][] | undefined;
  policies: readonly Schemas['PolicyResult'][] | undefined;
  simulations: readonly Schemas['SimulationResult'][] | undefined;
  messages: readonly Schemas['LearnerMessage'][] | undefined;
  /** The latest messages that did not arrive. */
  bounces: readonly Schemas['LearnerBounce'][] | undefined;
  memberships: readonly Schemas['LearnerMembership'][] | undefined;
  corrections: readonly Schemas['Correction'][] | undefined;
  sessions: readonly Schemas['PersonSession'][] | undefined;
  /** The latest entry of the risk history; null if there is none yet. */
  risk: Schemas['LearnerRiskHistoryEntry'] | null | undefined;
  /** The latest entries of the sign-in log, newest first. */
  signIns: readonly Schemas['SignInEntry'][] | undefined;
  /** The courses that the gap analysis proposes, lowest score first. */
  proposals: readonly Schemas['CourseProposal'][] | undefined;
  /** The names of courses and policies that the role can read, by id. */
  names: ReadonlyMap<string, string>;
}

/** Reads everything about one learner. @throws {ApiError} `not_found` */
export async function readPersonRecords(runs: ConsoleRuns, caller: Caller, learnerId: string): Promise<PersonRecords> {
  const learner = await runs.run('getLearner', caller, { learnerId });
  const read = <Op extends KeyedOperationId>(operationId: Op, also: object = {}, max = MAX_ITEMS) =>
    readPart(runs, caller, operationId, { learnerId, ...also } as never, max);
  const inDepth = caller.isManager !== true;
  const [courses, policies, simulations, risk, assignments, proposals] = await Promise.all([
    read('listLearnerCourseResults', { attempts: 'all' }),
    read('listLearnerPolicyResults', inDepth ? { includeSignatures: true, includeVoided: true } : {}),
    read('listLearnerSimulationResults', inDepth ? { includeInteractions: true } : {}),
    read('listLearnerRiskHistory', {}, 1),
    readAssignments(runs, caller, learnerId),
    readProposals(runs, caller, learnerId),
  ]);
  const [messages, bounces, memberships, corrections, sessions, signIns, names] = await Promise.all([
    read('listLearnerMessages'),
    read('listLearnerBounces', {}, 10),
    read('listLearnerMemberships'),
    read('listCorrections'),
    read('listLearnerSessions'),
    read('listSignIns', {}, 10),
    readNames(runs, caller),
  ]);
  for (const { course } of courses ?? []) names.set(course.id, course.name);
  const parts = {
    assignments,
    proposals,
    courses,
    policies,
    simulations,
    messages,
    bounces,
    memberships,
    corrections,
    sessions,
    signIns,
  };
  return { learner, ...parts, risk: risk && (risk[0] ?? null), names };
}

/** Reads the first items of a list; undefined if the role or the plan does not include it. */
async function readPart<Op extends KeyedOperationId>(
  runs: ConsoleRuns,
  caller: Caller,
  operationId: Op,
  input: Input<Op>,
  max: number,
) {
  if (!canCall(caller, operationId)) return undefined;
  const items = [];
  try {
    for await (const item of runs.items(operationId, caller, input)) if (items.push(item) === max) break;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'module_not_enabled') return undefined;
    throw error;
  }
  return items;
}

async function readProposals(
  runs: ConsoleRuns,
  caller: Caller,
  learnerId: string,
): Promise<PersonRecords['proposals']> {
  if (!canCall(caller, 'getLearnerGapAnalysisProposals')) return undefined;
  try {
    return (await runs.run('getLearnerGapAnalysisProposals', caller, { learnerId })).proposals;
  } catch (error) {
    if (error instanceof ApiError && ['module_not_enabled', 'not_found'].includes(error.code)) return undefined;
    throw error;
  }
}

async function readAssignments(
  runs: ConsoleRuns,
  caller: Caller,
  learnerId: string,
): Promise<PersonRecords['assignments']> {
  const open = await readPart(runs, caller, 'listAssignments', { learnerId, assignmentStatus: 'open' }, MAX_ITEMS);
  const sorted = open?.toSorted((a, b) => a.dueAt.localeCompare(b.dueAt));
  if (sorted === undefined || !canCall(caller, 'getAssignment')) return sorted;
  const explained = sorted.slice(0, MAX_EXPLAINED).map(({ id }) => {
    return runs.run('getAssignment', caller, { assignmentId: id });
  });
  return [...(await Promise.all(explained)), ...sorted.slice(MAX_EXPLAINED)];
}

/** Reads the names of the first courses and policies of the company. */
async function readNames(runs: ConsoleRuns, caller: Caller): Promise<Map<string, string>> {
  const [courses = [], policies = []] = await Promise.all([
    readPart(runs, caller, 'listCourses', { includeRetired: true }, MAX_ITEMS),
    readPart(runs, caller, 'listPolicies', {}, MAX_ITEMS),
  ]);
  return new Map([...courses, ...policies].map(({ id, name }) => [id, name]));
}
