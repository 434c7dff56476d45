import type { Schemas } from '../../contract/contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { ApiError } from '../../contract/errors.ts';
import { writeEvents } from '../../db/write-events.ts';
import { lockFreeSeats, lockLearnersToRemove } from '../learners/shared/learner-locks.ts';
import { deriveCorrectedPolicies, separatePolicies } from './join-policies.ts';
import { returnRows } from './move-rows.ts';
import { restorePast } from './restore-past.ts';
import { restoreLearner, restoreRows } from './restore-rows.ts';
import { separateCoursesOfBoth } from './separate-courses.ts';
import * as repository from './learner-merge-repository.ts';

/** Undoes a merge in the caller's transaction. The rows that the merge kept are deleted with it. */
export async function undoMerge(tenant: TenantWriter, mergeId: string): Promise<Schemas['UndoneLearnerMerge']> {
  await lockFreeSeats(tenant);
  const { learnerId, intoLearnerId, ...state } = await repository.lockMerge(tenant, mergeId);
  if (state.isExpired) throw notUndoable('The merge is older than 30 days.');
  if (state.currentLearnerId !== intoLearnerId) throw notUndoable('First undo the merge of the learner who stays.');
  if (state.hasNewer) throw notUndoable('First undo newer merges into the learner.');
  await tenant.mutate(lockLearnersToRemove, { learnerIds: [intoLearnerId] });
  if (await repository.isCorrected(tenant, mergeId))
    throw notUndoable('A result, signature or imported membership of the duplicate was corrected after the merge.');
  await repository.allowMoves(tenant, mergeId);
  if (!(await restoreLearner(tenant, mergeId))) throw notUndoable('The records of the merge are no longer kept.');
  const merge = { mergeId, learnerId, intoLearnerId };
  await returnRows(tenant, merge);
  await separateCoursesOfBoth(tenant, merge);
  await separatePolicies(tenant, merge);
  await restoreRows(tenant, merge);
  await restorePast(tenant, merge);
  await deriveCorrectedPolicies(tenant, merge);
  await repository.removeMerge(tenant, mergeId);
  await repository.requestCampaignEvaluation(tenant, [learnerId, intoLearnerId]);
  tenant.addTargets('learnerId', [learnerId, intoLearnerId]);
  const data = { learnerMergeId: mergeId, learnerId, intoLearnerId };
  await writeEvents(tenant, [{ type: 'learner.unmerged', data }]);
  return { id: mergeId, learnerId, intoLearnerId };
}

function notUndoable(message: string): ApiError {
  return new ApiError('merge_not_undoable', message, { details: [{ field: 'path/learnerMergeId', message }] });
}
