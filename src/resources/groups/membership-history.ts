// Past memberships: periods in which learners were members of a group before the service recorded this.
//
// Integrators who import past data send each learner's periods as days. Both the first and the last day belong to a
// period. Reports on a day (learners/shared/past.ts) count the members whom the service had recorded by the end of the
// day, and the learners with a period that contains the day. A period therefore adds members to a day and never removes
// one.
//
// A call sends all periods of a learner in a group. It removes recorded periods that were not sent, and adds those that
// are missing. A repeated call therefore changes nothing, and a wrong period can be corrected. A removed period is
// kept, with the time of its removal, for reports with `knownAt`.
//
// A period must end before today, because the group itself stores today's members. A period without an end is stored as
// ending on the day before the service first recorded the learner in the group. The same call therefore has the same
// meaning after the learner has left or returned.
//
// Periods of a deleted group still count, and calls can still correct them. After a merge, periods of the learner who
// stays can overlap or be identical. The next call for that learner replaces them.
import type { Schemas } from '../../contract/contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { formatDay, findTimeZone } from '../learners/shared/company-days.ts';
import { lockLearnerStates } from '../learners/shared/learner-locks.ts';
import { bulkOutcome } from '../learners/shared/skipped-learners.ts';
import { planPeriods, readMemberships } from './membership-history-rules.ts';
import * as repository from './membership-history-repository.ts';

type Changes = Pick<Schemas['GroupMembershipChange'], 'changedIds' | 'skipped'>;

/**
 * Replaces the recorded periods of the given learners in a group. Locks the learners, so that two calls cannot both
 * record the same period.
 * @throws invalid_request if periods overlap, end before they begin or in the future, or contradict today's members
 */
export async function recordPeriods(
  tenant: TenantWriter,
  groupId: string,
  memberships: Schemas['LearnerMembershipPeriods'][],
): Promise<Changes> {
  const learnerIds = memberships.map(({ learnerId }) => learnerId);
  const existingIds = new Set((await lockLearnerStates(tenant, learnerIds)).keys());
  const timeZone = await findTimeZone(tenant);
  const current = await tenant.queryAll(repository.listRecordedMembers, { groupId, learnerIds });
  const memberSince = new Map(current.map((row) => [row.learnerId, formatDay(new Date(row.recordedAt), timeZone)]));
  const requested = readMemberships(memberships, {
    today: formatDay(new Date(), timeZone),
    memberSince,
    isKnown: (id) => existingIds.has(id),
  });
  const plan = planPeriods(requested, await tenant.queryAll(repository.listPeriods, { groupId, learnerIds }));
  await tenant.mutate(repository.removePeriods, { ids: plan.removedIds });
  await tenant.mutate(repository.insertPeriods, { groupId, ...plan.added });
  return bulkOutcome(learnerIds, [...plan.changedIds], existingIds, 'unchanged');
}
