import type { Schemas } from '../../contract/contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { lockLearnerStates } from '../learners/shared/learner-locks.ts';
import { type AssignmentState, findStates, recordChanges } from './assignment-changes.ts';
import { takeBackEnrolments } from './evaluate-campaigns.ts';
import { completeAssignments } from './evaluation-repository.ts';

type Outcome = Schemas['AssignmentChanges'];
type SkipCode = Outcome['skipped'][number]['code'];

const MESSAGES: Record<SkipCode, string> = {
  not_found: 'Assignment not found.',
  not_open: 'The assignment is no longer open.',
  not_waived: 'The assignment is not waived.',
  campaign_ended: 'The campaign has ended.',
  campaign_not_running: 'The campaign is not running.',
};

interface Change {
  /** Changes the assignments. The caller has locked their learners. */
  change: (tx: TenantWriter, assignmentIds: string[]) => Promise<unknown>;
  /** Returns true, or the reason why an assignment is skipped. */
  isAllowed: (state: AssignmentState) => true | SkipCode;
  /** Whether the change ends the enrolments and requests that the assignments caused. */
  endsEnrolments?: boolean;
}

/** Changes assignments in one transaction. Reports which ones were skipped, in the order of the request. */
export function changeAssignments(
  tenant: TenantWriter,
  assignmentIds: string[],
  { change, isAllowed, endsEnrolments = false }: Change,
): Promise<Outcome> {
  return tenant.transaction(async (tx) => {
    const learnerIds = [...(await findStates(tx, assignmentIds)).values()].map(({ learnerId }) => learnerId);
    await lockLearnerStates(tx, [...new Set(learnerIds)]);
    const states = await findStates(tx, assignmentIds);
    const judged = assignmentIds.map((assignmentId) => {
      const state = states.get(assignmentId);
      return { assignmentId, verdict: state ? isAllowed(state) : ('not_found' as const) };
    });
    const changedIds = judged.flatMap(({ assignmentId, verdict }) => (verdict === true ? [assignmentId] : []));
    await change(tx, changedIds);
    await tx.mutate(completeAssignments, { learnerIds: [...new Set(learnerIds)] });
    if (endsEnrolments) await takeBackEnrolments(tx, changedIds);
    await tx.mutate(recordChanges, { assignmentIds: changedIds });
    const skipped = judged.flatMap(({ assignmentId, verdict }) =>
      verdict === true ? [] : [{ assignmentId, code: verdict, message: MESSAGES[verdict] }],
    );
    return { changedIds, skipped };
  });
}
