// Merges of learners: two records of the same person become one.
//
// The row of the duplicate is deleted, so lists, reports, seats and the limit of the plan need not know about merges.
// `learner_merges` keeps the remaining data: the id, address and `externalLearnerId` by which other systems name it
// (src/resources/learners/shared/merged-learners.ts), for a year. In one transaction, a merge:
//
// 1. Locks the seats of the company, then both learners in the order of their ids. Merges of a company therefore run
//    one after another, and also wait for creations and deletions of learners.
// 2. Stores the merge. Triggers let only the transaction that stored or undoes a merge change the learner of a row.
// 3. Keeps the rows of both learners as JSON (recorded-rows.ts), for 30 days. `jsonb_populate_recordset` reads them
//    again, so a migration that adds a column without a default for null must wait 30 days, or fill the kept rows.
// 4. Moves rows (move-rows.ts). A row does not move if the learner who stays has one with the same key.
// 5. Joins the records that both learners have: attempts are derived again from the facts of both (merge-courses.ts),
//    and the latest signature of a policy counts (join-policies.ts). If both are recipients of the same simulation,
//    deleting the duplicate archives its recipient row.
// 6. Transfers roles to the learner who stays, and deletes the duplicate with the rows that did not move.
//
// Undoing reverses these steps (undo-merge.ts). It moves back only rows that still belong to the learner who stays, so
// rows that were deleted later are not restored. Undoing is rejected after a newer merge into that learner. It is also
// rejected after a correction of the duplicate's results or signatures, because the kept rows would restore the
// corrected values.
//
// merged-tables.ts lists every table that refers to learners; a test finds tables that are missing from the list.
import { v7 as uuidv7 } from 'uuid';
import type { TenantWriter } from '../../db/tenant.ts';
import type { Actor } from '../../auth/caller.ts';
import { ApiError, invalidField, unknownReferences } from '../../contract/errors.ts';
import { writeEvents } from '../../db/write-events.ts';
import { removeLearners } from '../learners/learner-repository.ts';
import { lockFreeSeats, lockLearnersToRemove } from '../learners/shared/learner-locks.ts';
import { joinPolicies } from './join-policies.ts';
import { recordRows } from './recorded-rows.ts';
import { findCoursesOfBoth, joinCoursesOfBoth } from './merge-courses.ts';
import { moveRows } from './move-rows.ts';
import * as repository from './learner-merge-repository.ts';

interface Request {
  learnerId: string;
  intoLearnerId: string;
  reason?: string;
}

/** Merges two learners in the caller's transaction. If they are already merged, returns their merge. */
export async function mergeLearners(
  tenant: TenantWriter,
  { learnerId, intoLearnerId, reason }: Request,
  actor: Actor,
): Promise<repository.LearnerMerge> {
  if (learnerId === intoLearnerId) throw invalidField('body/intoLearnerId', 'must differ from `learnerId`');
  await lockFreeSeats(tenant);
  const rows = await tenant.mutate(lockLearnersToRemove, { learnerIds: [learnerId, intoLearnerId] });
  const existing = await requireMergeable(tenant, { learnerId, intoLearnerId }, new Set(rows.map(({ id }) => id)));
  if (existing) return existing;
  const mergeId = uuidv7();
  const merge = { mergeId, learnerId, intoLearnerId };
  await repository.insertMerge(tenant, { ...merge, reason: reason ?? null, actorType: actor.type, actorId: actor.id });
  const results = await repository.countRecordedResults(tenant, learnerId);
  const counts = (await recordRows(tenant, mergeId, merge)).set('course_result_events', results);
  const courses = await findCoursesOfBoth(tenant, merge);
  await moveRows(tenant, merge);
  await joinCoursesOfBoth(tenant, merge, courses);
  await joinPolicies(tenant, merge);
  await repository.joinRoles(tenant, merge);
  await repository.followMerge(tenant, merge);
  await repository.setMovedRecords(tenant, mergeId, toMovedRecords(counts));
  await removeLearners(tenant, [learnerId]);
  await repository.requestCampaignEvaluation(tenant, [intoLearnerId]);
  const data = { learnerMergeId: mergeId, learnerId, intoLearnerId };
  await writeEvents(tenant, [{ type: 'learner.merged', data }]);
  return repository.getMerge(tenant, mergeId);
}

/** Returns the merge of the two learners if it exists. @throws {ApiError} if the learners cannot be merged */
async function requireMergeable(
  tenant: TenantWriter,
  { learnerId, intoLearnerId }: Request,
  existingIds: ReadonlySet<string>,
): Promise<repository.LearnerMerge | undefined> {
  const merges = {
    learnerId: await repository.findMergeOfDuplicate(tenant, learnerId),
    intoLearnerId: await repository.findMergeOfDuplicate(tenant, intoLearnerId),
  };
  if (merges.learnerId?.intoLearnerId === intoLearnerId) return merges.learnerId;
  for (const field of ['learnerId', 'intoLearnerId'] as const) {
    const merge = merges[field];
    if (!merge) continue;
    const message = `The learner was merged into ${merge.currentLearnerId}.`;
    throw new ApiError('learner_merged', message, { details: [{ field: `body/${field}`, message }] });
  }
  const fields = Object.entries({ learnerId, intoLearnerId }).filter(([, id]) => !existingIds.has(id));
  if (fields.length > 0)
    throw unknownReferences(
      'learner',
      fields.map(([field]) => `body/${field}`),
    );
  if (await repository.isInDirectory(tenant, learnerId)) {
    const message = 'A directory manages the learner; merge the other record into this one.';
    throw new ApiError('learner_in_directory', message, { details: [{ field: 'body/learnerId', message }] });
  }
  return undefined;
}

function toMovedRecords(counts: ReadonlyMap<string, number>): repository.LearnerMerge['moved'] {
  const count = (table: string) => counts.get(table) ?? 0;
  return {
    courses: count('enrollments'),
    courseResults: count('course_result_events'),
    policies: count('policy_results'),
    signatures: count('signature_events'),
    simulations: count('simulation_recipients'),
    groups: count('group_learners'),
    managedLearners: count('reports'),
  };
}
