import type { Caller } from '../../../auth/caller.ts';
import type { KeyedOperationId } from '../../../contract/contract.ts';
import { isId } from '../../../db/ids.ts';
import { type ConsoleRuns, PAGE_SIZE, readLists } from '../console-runs.ts';
import type { ItemKind, PeopleAction } from './action-messages.ts';

/** Maximum number of people in one call of an operation. */
export const MAX_OF_CALL = 10_000;

export const OPERATIONS = {
  policy: {
    assign: 'createPolicyAssignments',
    remind: 'sendPolicyReminders',
    withdraw: 'removePolicyAssignments',
  },
  course: {
    assign: 'createCourseEnrollments',
    remind: 'sendCourseReminders',
    withdraw: 'removeCourseEnrollments',
  },
} as const satisfies Record<ItemKind, Record<PeopleAction, KeyedOperationId>>;

/** A policy or course, and the action on its people. */
export interface Task {
  kind: ItemKind;
  itemId: string;
  action: PeopleAction;
}

/** The people whom the action is for: chosen ones, or everybody who is active, in a group, or in a department. */
export interface Audience {
  chosenIds?: readonly string[];
  groupId?: string;
  department?: string;
}

/** Reads an audience from a URL or a form; undefined if there is none, or if its group id is malformed. */
export function readAudience(search: URLSearchParams): Audience | undefined {
  const who = search.get('who');
  if (who === 'chosen') {
    const ids = search.getAll('learnerId').map((id) => id.toLowerCase());
    return { chosenIds: [...new Set(ids.filter(isId))].slice(0, PAGE_SIZE) };
  }
  if (who !== 'matching') return undefined;
  const groupId = search.get('groupId')?.toLowerCase() ?? '';
  const department = search.get('department')?.trim().slice(0, 200) ?? '';
  // If the malformed group id were ignored, the action would affect everybody.
  if (groupId !== '' && !isId(groupId)) return undefined;
  return { ...(groupId !== '' && { groupId }), ...(department !== '' && { department }) };
}

/** Returns the fields of an audience in the form that query strings and forms use. */
export function listAudienceFields({ chosenIds, groupId, department }: Audience): [string, string][] {
  if (chosenIds) return [['who', 'chosen'], ...chosenIds.map((id): [string, string] => ['learnerId', id])];
  return [
    ['who', 'matching'],
    ...(groupId === undefined ? [] : [['groupId', groupId] as [string, string]]),
    ...(department === undefined ? [] : [['department', department] as [string, string]]),
  ];
}

/** Finds the people of an audience, in batches of at most `MAX_OF_CALL`. */
export async function findPeople(
  runs: ConsoleRuns,
  caller: Caller,
  { chosenIds, ...filters }: Audience,
): Promise<string[][]> {
  if (chosenIds) return chosenIds.length === 0 ? [] : [[...chosenIds]];
  const parts: string[][] = [];
  for await (const { id } of runs.items('listLearners', caller, { ...filters, inactive: false })) {
    const last = parts.at(-1);
    if (last === undefined || last.length === MAX_OF_CALL) parts.push([id]);
    else last.push(id);
  }
  return parts;
}

/** The outcome of an action, or of its dry run: how many people are changed, and how many are left out, by reason. */
export interface Outcome {
  changed: number;
  leftOut: ReadonlyMap<string, number>;
}

/**
 * Runs an action on people, batch by batch. Each operation can be repeated, so a form that is submitted twice is
 * harmless.
 */
export async function runTask(
  runs: ConsoleRuns,
  caller: Caller,
  { kind, itemId, action }: Task,
  { parts, dryRun }: { parts: readonly string[][]; dryRun: boolean },
): Promise<Outcome> {
  const leftOut = new Map<string, number>();
  const count = (code: string, people = 1) => people > 0 && leftOut.set(code, (leftOut.get(code) ?? 0) + people);
  const run = async (operationId: (typeof OPERATIONS)[ItemKind][PeopleAction], learnerIds: string[]) => {
    const body = kind === 'policy' ? { policyIds: [itemId], learnerIds } : { courseIds: [itemId], learnerIds };
    return readLists(await runs.run(operationId, caller, { dryRun, body }));
  };
  let changed = 0;
  for (const learnerIds of parts) {
    const result = await run(OPERATIONS[kind][action], learnerIds);
    const isRemoval = 'removed' in result;
    for (const { code } of isRemoval ? result.skipped : result.failures) count(code);
    const unchanged = isRemoval ? 0 : result.unchanged.length;
    count('unchanged', unchanged);
    changed += (isRemoval ? result.removed : result.completed).length - unchanged;
  }
  return { changed, leftOut };
}
