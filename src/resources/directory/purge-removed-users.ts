import type { TenantWriter } from '../../db/tenant.ts';
import { removeLearners } from '../learners/learner-repository.ts';
import { lockFreeSeats } from '../learners/shared/learner-locks.ts';
import { listPurgeable } from './directory-user-repository.ts';

/** How long a user that a directory has deleted can come back. */
export const REMOVED_USERS_KEPT_DAYS = 90;
const PORTION = 200;

/** Removes the learners of users that were deleted long ago, a portion in each transaction. */
export async function purgeRemovedUsers(tenant: TenantWriter, portion = PORTION): Promise<void> {
  for (let isMore = true; isMore;) {
    isMore = await tenant.transaction(async (tx) => {
      // First, so that none of them is made active, or comes back, between the two.
      await lockFreeSeats(tx);
      const due = await tx.queryAll(listPurgeable, { retentionDays: REMOVED_USERS_KEPT_DAYS, limit: portion });
      if (due.length === 0) return false;
      await removeLearners(
        tx,
        due.map(({ learnerId }) => learnerId),
      );
      return due.length === portion;
    });
  }
}
