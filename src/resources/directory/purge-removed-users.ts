import type { TenantWriter } from '../../db/tenant.ts';
import { removeLearners } from '../learners/learner-repository.ts';
import { lockFreeSeats } from '../learners/shared/learner-locks.ts';
import { listPurgeable } from './directory-user-repository.ts';

/** Number of days within which a user whom a directory deleted can be restored. */
export const REMOVED_USERS_KEPT_DAYS = 90;
const PORTION = 200;

/** Removes the learners of users whose retention period has ended, one batch per transaction. */
export async function purgeRemovedUsers(tenant: TenantWriter, portion = PORTION): Promise<void> {
  for (let isMore = true; isMore;) {
    isMore = await tenant.transaction(async (tx) => {
      // Locks the seats first, so that no learner can be activated or restored before the deletion.
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
