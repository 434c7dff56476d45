// Messages to managers about overdue assignments of their learners.
//
// campaign_digests has the next Monday morning in each time zone of the company's learners. At that time, the effective
// managers in the time zone get one message about all campaigns with an escalation. Managers without overdue learners
// get none.
//
// Guarantees: a manager gets at most one message a week (campaign_mail_days.notified_on). If no worker ran on Monday,
// or a daily limit left a manager out, the message is sent on the next working morning. The learners and assignments
// are read when the message is sent (src/mail/messages/overdue-team.ts).
import type { TenantWriter } from '../../../db/tenant.ts';
import { lockLearnerStates } from '../../learners/shared/learner-locks.ts';
import * as repository from './digest-repository.ts';

const MANAGERS_AT_ONCE = 250;

/**
 * Queues the messages to managers that are due at a time. Does not begin another transaction once the signal is
 * aborted.
 */
export async function notifyManagers(tenant: TenantWriter, signal: AbortSignal, at = new Date()): Promise<void> {
  await tenant.mutate(repository.removeDigests, { at });
  while (!signal.aborted) {
    const zone = await tenant.transaction((tx) => startZone(tx, at));
    if (zone === undefined) return;
  }
}

/** Queues the messages to the managers in a time zone that is due. Returns undefined if no time zone is due. */
async function startZone(tx: TenantWriter, at: Date): Promise<string | undefined> {
  const [zone] = await tx.mutate(repository.lockDueZone, { at });
  if (!zone) return undefined;
  const { timeZone, isOpen } = zone;
  const managerIds = isOpen
    ? (await tx.queryAll(repository.managersToNotify, { at, timeZone })).map(({ id }) => id)
    : [];
  let notified = 0;
  for (let start = 0; start < managerIds.length; start += MANAGERS_AT_ONCE) {
    notified += await notify(tx, managerIds.slice(start, start + MANAGERS_AT_ONCE), at);
  }
  await tx.mutate(repository.moveZone, { at, timeZone, waits: !isOpen || notified < managerIds.length });
  return timeZone;
}

/** Queues a message to each of the managers. Returns the number of queued messages. */
async function notify(tx: TenantWriter, managerIds: string[], at: Date): Promise<number> {
  await lockLearnerStates(tx, managerIds);
  await tx.mutate(repository.queueDigests, { managerIds, at });
  return (await tx.mutate(repository.recordDigests, { managerIds, at })).length;
}
