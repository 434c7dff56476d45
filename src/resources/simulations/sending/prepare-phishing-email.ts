import type { BounceSettings } from '../../../config/bounce-settings.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { withReturnPath } from '../../../mail/bounces/bounce-token.ts';
import { recordRefusal } from '../../../mail/bounces/record-bounce.ts';
import { settleMessage, type Settlement } from '../../../mail/message-repository.ts';
import { NotSentYet, type Prepare } from '../../../mail/send-message.ts';
import { type PhishingEmailSettings, composePhishingEmail, formatMessageId } from './compose-phishing-email.ts';
import {
  failMessage,
  type QueuedPhishingEmail,
  queuedPhishingEmail,
  unqueueMessage,
} from './phishing-email-repository.ts';
import { findQueuedTest } from './test-message-repository.ts';
import { recordEvents } from '../events/simulation-events.ts';

/** Attempt at which a stop ends a message, more than a weekend after the first. The queue gives up after attempt 25. */
const LAST_ATTEMPT = 24;

/**
 * Prepares the messages of simulations. Reads the stops again for each attempt; queue-due-messages.ts explains them.
 */
export function preparingPhishingEmails(
  settings: PhishingEmailSettings & { bounces?: BounceSettings | undefined },
): Prepare {
  const { senders } = settings;
  return async (tenant, messageId, attempt) => {
    const find = () => tenant.queryOne(queuedPhishingEmail, { messageId, senders });
    const email = await find();
    if (!email) return prepareTest(tenant, { messageId, attempt }, settings);
    if (email.never) {
      await tenant.mutate(failMessage, { messageId, status: 'cancelled', reason: email.never, attempts: attempt });
      return 'cancelled';
    }
    if (email.notNow) return stop(tenant, messageId, attempt, email.notNow);
    let at: string | undefined;
    const settle = (settlement: Settlement) => {
      // The time of the first attempt to record the settlement, however long the database is unavailable.
      at ??= new Date().toISOString();
      return settlePhishingEmail(tenant, email, { ...settlement, attempts: attempt, at });
    };
    const isWanted = async () => {
      const now = await find();
      return now !== undefined && !now.never && !now.notNow;
    };
    return {
      mail: withReturnPath(await composePhishingEmail(email, settings), settings.bounces, email),
      settle,
      isWanted,
    };
  };
}

/** Prepares a test message, which has no recipient. A stop ends it, because an admin can request another. */
async function prepareTest(
  tenant: TenantWriter,
  { messageId, attempt }: { messageId: string; attempt: number },
  settings: PhishingEmailSettings,
): ReturnType<Prepare> {
  const find = () => findQueuedTest(tenant, { messageId, senders: settings.senders });
  const email = await find();
  if (!email) return undefined;
  if (email.never) {
    await settleMessage(tenant, messageId, attempt, { status: 'cancelled', reason: email.never });
    return 'cancelled';
  }
  const settle = (settlement: Settlement) => settleMessage(tenant, messageId, attempt, settlement);
  const isWanted = async () => (await find())?.never === null;
  return { mail: await composePhishingEmail(email, settings), settle, isWanted };
}

/**
 * Stops a message. A message that was attempted before might have arrived, so it stays the same message until it is
 * given up. A message on its first attempt is taken out of the queue, and its recipient gets another message once
 * nothing stops it.
 */
async function stop(tenant: TenantWriter, messageId: string, attempt: number, reason: string): Promise<'cancelled'> {
  if (attempt > 1 && attempt < LAST_ATTEMPT) throw new NotSentYet(`attempt ${attempt} was stopped`);
  if (attempt === 1) await tenant.mutate(unqueueMessage, { messageId, reason });
  else await tenant.mutate(failMessage, { messageId, status: 'cancelled', reason, attempts: attempt });
  return 'cancelled';
}

/** Settles a message. Records a sent message as an event, by which the message is recognised when it is reported. */
async function settlePhishingEmail(
  tenant: TenantWriter,
  email: QueuedPhishingEmail,
  { at, attempts, ...settlement }: Settlement & { at: string; attempts: number },
): Promise<void> {
  const { id: messageId, simulationId, learnerId, recipientId } = email;
  if (settlement.status !== 'sent') {
    if (settlement.status === 'failed') await recordRefusal(tenant, learnerId, email, settlement.reason);
    await tenant.mutate(failMessage, { messageId, attempts, ...settlement });
    return;
  }
  const sent = {
    simulation: { id: simulationId },
    learner: { id: learnerId },
    type: 'sent' as const,
    occurredAt: at,
    eventId: `own-${recipientId}-sent`,
    evidence: { messageId: formatMessageId(email) },
  };
  await tenant.transaction(async (tx) => {
    await recordEvents(tx, [sent]);
    await settleMessage(tx, messageId, attempts, settlement);
  });
}
