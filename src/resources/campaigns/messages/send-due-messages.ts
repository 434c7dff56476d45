// Messages of campaigns: learners read about their open assignments on the days of the campaign's reminders
// (mail-days.ts).
//
// `campaign_assignments.mail_at` has the time of the next message about an assignment. `planMessages` recomputes this
// time whenever an assignment, its campaign or its learner has changed. The worker finds the learners whose messages
// are due. For 500 due assignments at a time, it does the following in one transaction:
//
// 1. Lock the learners, and plan their messages again: another worker might have queued them, or a campaign might have
//    been paused.
// 2. Queue one message for each learner, about all open assignments of running campaigns. It replaces a queued message
//    of an earlier day.
// 3. Record the day of the message (campaign_mail_days), and plan the next messages.
//
// Guarantees: a learner gets one message a day at most, and none outside 9:00 to 17:00 from Monday to Friday in the
// learner's time zone. If no worker ran for several days, a single message follows. If the clock was set back, no
// message follows until the day after the last message. A message that was held back, by a limit or because it would
// have reached the mail server too late, is due again on the next working morning. Its content is read when it is sent,
// so it never mentions an assignment that was completed before (src/mail/messages/campaign-messages.ts).
//
// Leave: message days during a leave move to the first working day after it (mail-days.ts). A message that is already
// queued is cancelled when its turn comes (src/mail/sending/message-rules.ts).
//
// A learner can get a second email if a worker dies after the mail server accepted the first and before this is
// recorded. If the message is sent again, both emails have the same Message-ID (src/mail/sending/send-message.ts). If
// the next attempt comes after the working hours or during a leave, the message is cancelled, and the message of the
// next working morning has another Message-ID.
import type { TenantWriter } from '../../../db/tenant.ts';
import { lockLearnerStates } from '../../learners/shared/learner-locks.ts';
import * as repository from './message-repository.ts';

/** Queues the messages that are due at a time. Does not begin another transaction once the signal is aborted. */
export async function sendDueMessages(tenant: TenantWriter, signal: AbortSignal, at = new Date()): Promise<void> {
  while (!signal.aborted) {
    const learnerIds = (await tenant.queryAll(repository.dueLearners, { at })).map(({ id }) => id);
    if (learnerIds.length === 0) return;
    await tenant.transaction(async (tx) => {
      await lockLearnerStates(tx, learnerIds);
      await tx.mutate(repository.planMessages, { learnerIds, enrolledIds: [] });
      await tx.mutate(repository.replaceMessages, { learnerIds, at });
      await tx.mutate(repository.queueMessages, { learnerIds, at });
      await tx.mutate(repository.recordMessages, { learnerIds, at });
      await tx.mutate(repository.planMessages, { learnerIds, enrolledIds: [] });
    });
  }
}
