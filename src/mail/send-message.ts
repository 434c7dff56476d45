// Delivery of the outbox (outbox.ts). Each message has one job in the queue, which calls `sendMessage`.
//
// 1. `prepare` reads the message and the current names, addresses and subjects. It cancels a message that no longer has
//    a reason: the course is finished, the policy is signed, the learner is inactive, the link was replaced.
// 2. The transport passes the mail to the mail server.
// 3. The result is recorded, and read back to be certain. Then the job ends.
//
// Guarantees: at least once. If a worker dies between 2 and 3, the mail is sent again. Both mails have the same
// Message-ID and Date, so a mail system can drop the second. A secret in a message is deleted once the message is
// settled.
//
// Failures:
// - The server rejects the address or the message for good: `failed` at once.
// - The server rejects the mail for another reason, or does not respond: the queue tries again, 12 times within about
//   16 hours, with growing delays. Then the message is `failed`.
// - The database is unavailable after step 2: the job retries the recording every half second and keeps its slot.
// - After a failover, a former primary that knows neither the message nor the job might respond: the job must not end
//   there (`requireSettled`).
// - The job is lost: the nightly `settle_orphaned_messages` fails a message that is older than a day.
//
// Errors in the log and in the queue contain no address. The server's reason is stored with the message.
//
// Do not use this for mail that a request waits for. Messages of simulations use this file too, but have their own
// rules for preparing and stopping (src/resources/simulations/sending/prepare-phishing-email.ts).
import { setTimeout as sleep } from 'node:timers/promises';
import type { SendMailOptions } from 'nodemailer';
import { translateDatabaseError } from '../db/database-errors.ts';
import type { TenantWriter } from '../db/tenant.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics/metrics.ts';
import { traced } from '../observability/tracing/tracing.ts';
import { findJob, findStatus, postponeMessage, type Settlement } from './message-repository.ts';
import { type DeliveryError, isPermanent, MAX_ATTEMPTS, formatFailureReason } from './message-rules.ts';
import type { MailTransport } from './mail-transport.ts';

const RETRY_RECORD_MS = 500;
/** Maximum number of retries while the server does not know the message; half a minute in total. */
const MAX_UNKNOWN = 60;

/** Error of an attempt that the queue repeats. It names no person, because the queue stores its text. */
export class NotSentYet extends Error {}

/** A mail to send, and the function that records its result. */
export interface PreparedMail {
  mail: SendMailOptions;
  settle: (settlement: Settlement) => Promise<void>;
  /** Reports whether the mail must still be sent, if that can change while it is being sent. */
  isWanted?: () => Promise<boolean>;
}

/**
 * Reads and composes a queued message, right before each attempt. Message-ID and Date are the same each time. Returns
 * undefined if the message is already settled or deleted, and `cancelled` if this call settled it because no reason is
 * left to send it.
 * @param attempt the number of this attempt, from 1
 * @throws {NotSentYet} if the message must wait
 */
export type Prepare = (
  tenant: TenantWriter,
  messageId: string,
  attempt: number,
) => Promise<PreparedMail | 'cancelled' | undefined>;

/** Dependencies of `sendMessage`. */
export interface Mailing {
  transport: MailTransport;
  prepare: Prepare;
  logger: Logger;
  metrics: Pick<Metrics, 'messageSettled'>;
}

/** Content of a job of the queue. */
export interface SendJob {
  jobId: string;
  messageId: string;
  /** The number of this attempt, from 1. */
  attempt: number;
}

/**
 * Sends a queued message, then records the result.
 * @throws {NotSentYet} if the queue must try again
 */
export async function sendMessage(
  tenant: TenantWriter,
  job: SendJob,
  { transport, prepare, logger, metrics }: Mailing,
): Promise<void> {
  const { messageId, attempt } = job;
  // Before the message is read, which might change in the meantime.
  await transport.ready?.();
  const prepared = await prepare(tenant, messageId, attempt);
  if (!prepared) return requireSettled(tenant, job);
  if (prepared === 'cancelled') return metrics.messageSettled('cancelled');
  const settle = async (settlement: Settlement) => {
    await prepared.settle(settlement);
    await requireSettled(tenant, job);
    metrics.messageSettled(settlement.status);
  };
  try {
    await traced('hand over mail', { kind: 'client' }, () => transport.send(prepared.mail, prepared.isWanted));
  } catch (error) {
    const failure = error as DeliveryError;
    const reason = formatFailureReason(failure);
    const isLast = isPermanent(failure) || attempt >= MAX_ATTEMPTS;
    // The log omits the server's text, which contains the address.
    const { companyId } = tenant;
    const { code, responseCode } = failure;
    logger.warn({ companyId, messageId, attempt, code, responseCode }, isLast ? 'message failed' : 'message postponed');
    if (isLast) return untilRecorded(() => settle({ status: 'failed', reason }));
    await tenant.mutate(postponeMessage, { messageId, attempts: attempt, reason });
    throw new NotSentYet(`attempt ${attempt} failed`);
  }
  await untilRecorded(() => settle({ status: 'sent' }));
}

/**
 * Retries while the database is unavailable, a long call holds the learner's lock, or the connected server does not
 * know the message. A mail without a record would be sent again, or its result would be lost. The worker could not do
 * any other job in that time, so the job keeps it.
 */
async function untilRecorded(record: () => Promise<void>): Promise<void> {
  for (let unknown = 0; ;) {
    try {
      return await record();
    } catch (error) {
      if (error instanceof NotSentYet) unknown += 1;
      else if (!isOfOutage(error)) throw error;
      if (unknown > MAX_UNKNOWN) throw error;
      await sleep(RETRY_RECORD_MS);
    }
  }
}

function isOfOutage(error: unknown): boolean {
  const { code } = translateDatabaseError(error) ?? {};
  return code === 'service_unavailable' || code === 'service_timeout';
}

/**
 * Requires that the connected server has settled the message, or has the job but no such message.
 *
 * A former primary that resumes next to the new one knows neither the message nor its job, as long as a connection
 * leads there. That must not end the job, which belongs to the new primary. A result that the former primary records is
 * lost.
 * @throws {NotSentYet} if the server does not meet this condition
 */
async function requireSettled(tenant: TenantWriter, { jobId, messageId, attempt }: SendJob): Promise<void> {
  if (isSettled(await findStatus(tenant, messageId))) return;
  await tenant.transaction(async (tx) => {
    const status = await findStatus(tx, messageId);
    if (isSettled(status) || (status === undefined && (await findJob(tx, jobId)))) return;
    throw new NotSentYet(`attempt ${attempt} found neither the message nor its job`);
  });
}

function isSettled(status: string | undefined): boolean {
  return status !== undefined && status !== 'queued';
}
