import type { Caller } from '../../../auth/caller.ts';
import type { KeyedOperationId } from '../../../contract/contract.ts';
import { canCall } from '../admin.ts';
import { type ConsoleRuns, readLists } from '../console-runs.ts';

/** The actions on several people at once, each with its operation. */
const OPERATIONS = {
  enroll: 'createCourseEnrollments',
  remind: 'sendCourseReminders',
  group: 'addGroupLearners',
  ungroup: 'removeGroupLearners',
  activate: 'activateLearners',
  deactivate: 'deactivateLearners',
  export: 'listLearners',
} as const satisfies Record<string, KeyedOperationId>;

export type Action = keyof typeof OPERATIONS;

/** Actions that change people. */
export type Change = Exclude<Action, 'export'>;

const TARGETS: Partial<Record<Action, 'course' | 'group'>> = {
  enroll: 'course',
  remind: 'course',
  group: 'group',
  ungroup: 'group',
};

/** Returns the target that the action needs in addition to people. */
export const getTarget = (action: Action): 'course' | 'group' | undefined => TARGETS[action];

export const getOperation = (action: Action): KeyedOperationId => OPERATIONS[action];

/** Returns the actions that the role and the plan of an admin include. */
export function listActions(caller: Caller): Action[] {
  const isOpen = (action: Action) =>
    canCall(caller, OPERATIONS[action]) && (TARGETS[action] !== 'course' || caller.modules.includes('smlearn'));
  return (Object.keys(OPERATIONS) as Action[]).filter(isOpen);
}

/** A person whom an action leaves unchanged. */
interface LeftOut {
  learnerId: string;
  code: string;
}

/** The outcome of an action, or of its dry run. */
export interface ActionOutcome {
  changedIds: readonly string[];
  leftOut: readonly LeftOut[];
}

/**
 * Runs an action, or previews its outcome.
 * @param once one-time id of the form, so that submitting it again has no effect; undefined for a preview
 */
export async function runAction(
  runs: ConsoleRuns,
  caller: Caller,
  { action, target, learnerIds }: { action: Change; target: string; learnerIds: string[] },
  once?: string,
): Promise<ActionOutcome> {
  if (learnerIds.length === 0) return { changedIds: [], leftOut: [] };
  const dryRun = once === undefined;
  switch (action) {
    case 'enroll':
    case 'remind': {
      const input = { dryRun, body: { courseIds: [target], learnerIds } };
      const { completed, unchanged, failures } = await readLists(
        await runs.run(OPERATIONS[action], caller, input, once),
      );
      const unchangedIds = new Set(unchanged.map(({ learnerId }) => learnerId));
      const code = action === 'enroll' ? 'already_enrolled' : 'just_reminded';
      return {
        changedIds: completed.map(({ learnerId }) => learnerId).filter((id) => !unchangedIds.has(id)),
        leftOut: [...failures, ...unchanged.map(({ learnerId }) => ({ learnerId, code }))],
      };
    }
    case 'group':
    case 'ungroup': {
      const input = { groupId: target, dryRun, body: { learnerIds } };
      const { changedIds, skipped } = await readLists(await runs.run(OPERATIONS[action], caller, input, once));
      return { changedIds, leftOut: skipped };
    }
    case 'activate':
    case 'deactivate': {
      const { changedIds, skipped } = await runs.run(
        OPERATIONS[action],
        caller,
        { dryRun, body: { learnerIds } },
        once,
      );
      return { changedIds, leftOut: skipped };
    }
  }
}
