import type { BounceSettings } from '../../../config/bounce-settings.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { NotSentYet } from '../../../mail/sending/message-rules.ts';
import type { Attempt, Preparation, Prepared, PreparedResult } from '../../../mail/sending/preparation.ts';
import { settleMessages } from '../../../mail/sending/settle-messages.ts';
import { withReturnPath } from '../../../mail/bounces/bounce-token.ts';
import { recordRefusal } from '../../../mail/bounces/record-bounce.ts';
import { type PhishingEmailSettings, composePhishingEmail, formatMessageId } from './compose-phishing-email.ts';
import {
  failMessages,
  type QueuedPhishingEmail,
  queuedPhishingEmails,
  unqueueMessages,
} from './phishing-email-repository.ts';
import { findQueuedTest } from './test-message-repository.ts';
import { recordEvents } from '../events/simulation-events.ts';

/**
 * Number of the attempt at which a stop ends a message for good, more than a weekend after the first attempt. The queue
 * gives up after attempt 25.
 */
const LAST_ATTEMPT = 24;

type Settings = PhishingEmailSettings & { bounces?: BounceSettings | undefined };

/** The email of a simulation message to a recipient; undefined for a test message, which has no recipient. */
type Context = QueuedPhishingEmail;

/** Prepares and settles simulation messages. Reads the stops (see queue-due-messages.ts) again before each attempt. */
export function preparingPhishingEmails(settings: Settings): Preparation<Context> {
  return { prepare: (tenant, attempts) => prepare(tenant, attempts, settings), settle };
}

async function prepare(
  tenant: TenantWriter,
  attempts: readonly Attempt[],
  settings: Settings,
): Promise<Map<string, Prepared<Context>>> {
  const { senders } = settings;
  const find = (messageIds: string[]) => tenant.queryAll(queuedPhishingEmails, { messageIds, senders });
  const emails = new Map((await find(attempts.map(({ messageId }) => messageId))).map((email) => [email.id, email]));
  const prepared = await stopEmails(tenant, attempts, emails);
  for (const { messageId, attempt } of attempts) {
    const email = emails.get(messageId);
    const isWanted = async () => {
      const [now] = await find([messageId]);
      return now !== undefined && !now.never && !now.notNow;
    };
    if (!email) {
      const test = await prepareTest(tenant, { messageId, attempt }, settings);
      if (test) prepared.set(messageId, test);
    } else if (!prepared.has(messageId)) {
      const composed = composePhishingEmail(email, settings);
      const toPrepared = (mail: Awaited<typeof composed>) => ({
        mail: withReturnPath(mail, settings.bounces, email),
        isWanted,
        context: email,
      });
      prepared.set(messageId, await composed.then(toPrepared, (error: unknown) => error as Error));
    }
  }
  return prepared;
}

/**
 * Prepares a test message, which has no recipient. A stop ends a test message for good, because an admin can request
 * another.
 */
async function prepareTest(
  tenant: TenantWriter,
  { messageId, attempt }: Attempt,
  settings: PhishingEmailSettings,
): Promise<Prepared<Context> | undefined> {
  const find = () => findQueuedTest(tenant, { messageId, senders: settings.senders });
  const email = await find();
  if (!email) return undefined;
  if (email.never) {
    const settlement = { status: 'cancelled' as const, reason: email.never };
    await settleMessages(tenant, [{ messageId, attempts: attempt, settlement }], true);
    return 'cancelled';
  }
  const isWanted = async () => (await find())?.never === null;
  return { mail: await composePhishingEmail(email, settings), isWanted };
}

/**
 * Stops messages that have a reason not to be sent. A message that was attempted before might have arrived, so it is
 * kept until it is given up. A message on its first attempt is taken out of the queue, and the recipient gets another
 * message once nothing stops it.
 */
async function stopEmails(
  tenant: TenantWriter,
  attempts: readonly Attempt[],
  emails: ReadonlyMap<string, QueuedPhishingEmail>,
): Promise<Map<string, Prepared<Context>>> {
  const stopped = new Map<string, Prepared<Context>>();
  const failed = {
    messageIds: [] as string[],
    statuses: [] as string[],
    reasons: [] as string[],
    attempts: [] as number[],
  };
  const unqueued = { messageIds: [] as string[], reasons: [] as string[] };
  for (const { messageId, attempt } of attempts) {
    const { never = null, notNow = null } = emails.get(messageId) ?? {};
    const reason = never ?? notNow;
    if (reason === null) continue;
    if (never !== null || attempt >= LAST_ATTEMPT) {
      failed.messageIds.push(messageId);
      failed.statuses.push('cancelled');
      failed.reasons.push(reason);
      failed.attempts.push(attempt);
    } else if (attempt === 1) {
      unqueued.messageIds.push(messageId);
      unqueued.reasons.push(reason);
    }
    const waits = never === null && attempt > 1 && attempt < LAST_ATTEMPT;
    stopped.set(messageId, waits ? new NotSentYet(`attempt ${attempt} was stopped`) : 'cancelled');
  }
  if (failed.messageIds.length > 0) await tenant.mutate(failMessages, failed);
  if (unqueued.messageIds.length > 0) await tenant.mutate(unqueueMessages, unqueued);
  return stopped;
}

/** Settles messages. Records the sent ones as events, by which messages are recognised when they are reported. */
async function settle(
  tenant: TenantWriter,
  results: readonly PreparedResult<Context>[],
  waits: boolean,
): Promise<string[]> {
  const [tests, emails] = [results.filter(({ context }) => !context), results.filter(({ context }) => context)];
  const failed = emails.flatMap(({ settlement, ...result }) => {
    return settlement.status === 'sent' ? [] : [{ ...settlement, ...result }];
  });
  const sent = emails.filter(({ settlement }) => settlement.status === 'sent');
  const settledTests = await settleMessages(tenant, tests, waits);
  const settledFailures =
    failed.length === 0
      ? []
      : await tenant.mutate(failMessages, {
          messageIds: failed.map(({ messageId }) => messageId),
          statuses: failed.map(({ status }) => status),
          reasons: failed.map(({ reason }) => reason),
          attempts: failed.map(({ attempts }) => attempts),
        });
  const settledSent =
    sent.length === 0
      ? []
      : await tenant.transaction(async (tx) => {
          await recordEvents(
            tx,
            sent.map(({ context, at }) => toSentEvent(context!, at)),
          );
          return settleMessages(tx, sent, waits);
        });
  for (const { status, reason, context } of failed) {
    if (status === 'failed') await recordRefusal(tenant, context!.learnerId, context!, reason);
  }
  return [...settledTests, ...settledFailures.map(({ id }) => id), ...settledSent];
}

function toSentEvent(email: QueuedPhishingEmail, at: string) {
  return {
    simulation: { id: email.simulationId },
    learner: { id: email.learnerId },
    type: 'sent' as const,
    occurredAt: at,
    eventId: `own-${email.recipientId}-sent`,
    evidence: { messageId: formatMessageId(email) },
  };
}
