import { setTimeout as sleep } from 'node:timers/promises';
import { translateDatabaseError } from '../db/database-errors.ts';
import type { TenantWriter } from '../db/tenant.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { traced } from '../telemetry/tracing.ts';
import { createPersonToken } from '../auth/person-token.ts';
import { compose, linkMinutesOf, type MailSettings } from './compose.ts';
import { linkOfMessage } from './sign-in-messages.ts';
import {
  findQueuedMessage,
  lockMessage,
  type MessageRow,
  narrowMessage,
  postponeMessage,
  type Settlement,
  settleMessage,
} from './message-repository.ts';
import { causeIsGone, type DeliveryError, isPermanent, isWhole, MAX_ATTEMPTS, reasonOf } from './message-rules.ts';
import type { MailTransport } from './mail-transport.ts';

const RETRY_RECORD_MS = 500;

/** The message was not accepted; the queue tries again. The error names no person, because the queue stores it. */
class NotSentYet extends Error {}

/** How mails are sent, and what they say about the service. */
export interface Mailing {
  transport: MailTransport;
  settings: MailSettings;
  logger: Logger;
  metrics: Pick<Metrics, 'messageSettled'>;
}

/**
 * Sends a queued message, then records the result. A worker that dies in between sends the same message again, rather
 * than never.
 * @param attempt the number of this attempt, from 1
 * @throws {NotSentYet} when another attempt makes sense
 */
export async function sendMessage(
  tenant: TenantWriter,
  messageId: string,
  attempt: number,
  { transport, settings, logger, metrics }: Mailing,
): Promise<void> {
  const settle = async (settlement: Settlement) => {
    await settleMessage(tenant, messageId, attempt, settlement);
    metrics.messageSettled(settlement.status);
  };
  const message = await messageToSend(tenant, messageId, attempt);
  if (message === 'cancelled') metrics.messageSettled('cancelled');
  if (!message || message === 'cancelled') return;
  const linked = await withLink(tenant, message, settings);
  if (!linked) return;
  try {
    await traced('hand over mail', { kind: 'client' }, () => transport.send(compose(linked, settings)));
  } catch (error) {
    const failure = error as DeliveryError;
    const reason = reasonOf(failure);
    const isLast = isPermanent(failure) || attempt >= MAX_ATTEMPTS;
    // Not the text of the server: it contains the address.
    const { companyId } = tenant;
    const { code, responseCode } = failure;
    logger.warn({ companyId, messageId, attempt, code, responseCode }, isLast ? 'message failed' : 'message postponed');
    if (isLast) return untilRecorded(() => settle({ status: 'failed', reason }));
    await tenant.run(postponeMessage, { messageId, attempts: attempt, reason });
    throw new NotSentYet(`attempt ${attempt} failed`);
  }
  await untilRecorded(() => settle({ status: 'sent' }));
}

/** The message with the secret of its sign-in link, where it has one; undefined when it has gone meanwhile. */
async function withLink(
  tenant: TenantWriter,
  message: MessageRow,
  settings: MailSettings,
): Promise<MessageRow | undefined> {
  const minutes = linkMinutesOf(message, settings);
  if (minutes === undefined) return message;
  const link = { messageId: message.id, token: createPersonToken(tenant.companyId), minutes };
  const setupToken = await linkOfMessage(tenant, link);
  return setupToken === undefined ? undefined : { ...message, setupToken };
}

/**
 * Retries while the database is unavailable, or a long call holds the learner: a mail without a record would be sent
 * again. The job stays with this worker, which could not do any other meanwhile.
 */
async function untilRecorded(record: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await record();
    } catch (error) {
      const { code } = translateDatabaseError(error) ?? {};
      if (code !== 'service_unavailable' && code !== 'service_timeout') throw error;
      await sleep(RETRY_RECORD_MS);
    }
  }
}

/**
 * The message to send; undefined when it is settled already, `cancelled` when there is no reason left to send it. What
 * the learner has done meanwhile is removed from the message: when it is to be done again within the hour,
 * `learnerMessages` leaves out what a message names. Therefore the message is locked and judged again.
 */
async function messageToSend(
  tenant: TenantWriter,
  messageId: string,
  attempt: number,
): Promise<MessageRow | 'cancelled' | undefined> {
  const read = await findQueuedMessage(tenant, messageId);
  if (!read || isWhole(read, new Date())) return read;
  return tenant.transaction(async (tx) => {
    await tx.run(lockMessage, { messageId });
    const message = await findQueuedMessage(tx, messageId);
    const gone = message && causeIsGone(message, new Date());
    if (!gone) {
      await tx.run(narrowMessage, { messageId });
      return message;
    }
    await settleMessage(tx, messageId, attempt, { status: 'cancelled', reason: gone });
    return 'cancelled';
  });
}
