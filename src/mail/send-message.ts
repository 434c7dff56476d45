// Delivery of the outbox (outbox.ts): each message has one job in the queue, which calls `sendMessage`.
//
// 1. `prepare` reads the message and the current names, addresses and subjects. A message without a reason left is
//    cancelled: the course is finished, the policy is signed, the learner is inactive, the link was replaced.
// 2. The transport hands the mail to the mail server.
// 3. The result is recorded, and read back to be certain. Then the job ends.
//
// Guarantees: at least once. A worker that dies between 2 and 3 sends the mail again. Both mails have the same
// Message-ID and Date, so a mail system can drop the second. A secret in a message is deleted once the message is
// settled.
//
// Failures:
// - The server refuses the address or the message for good: `failed` at once.
// - Any other refusal, and a server that does not answer: the queue tries again, 12 times within about 16 hours, with
//   growing delays. Then the message is `failed`.
// - The database is away after step 2: the job retries the recording every half second and keeps its slot.
// - A former primary answers after a failover and knows neither message nor job: the job must not end there
//   (`requireSettled`).
// - The job is lost: the nightly `settle_orphaned_messages` gives the message up after a day.
//
// Errors in the log and in the queue contain no address. The reason that the server gave is stored with the message.
//
// Not for: mail that somebody waits for in a request. Messages of simulations use this file too, but are prepared and
// stopped by rules of their own (src/resources/simulations/sending/prepare-phishing-email.ts).
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
/** How often a server that does not know the message is tried again: for half a minute. */
const MAX_UNKNOWN = 60;

/** The message was not accepted; the queue tries again. The error names no person, because the queue stores it. */
export class NotSentYet extends Error {}

/** A mail to hand over, and how what becomes of it is recorded. */
export interface PreparedMail {
  mail: SendMailOptions;
  settle: (settlement: Settlement) => Promise<void>;
  /** Whether it is still to be sent, where that may end while it is handed over. */
  isWanted?: () => Promise<boolean>;
}

/**
 * Reads a queued message and composes it, right before each attempt. The mail is always the same. Undefined when it is
 * settled already, `cancelled` when it is settled by this, since there is no reason left to send it.
 * @param attempt the number of this attempt, from 1
 * @throws {NotSentYet} when it must not be sent for now
 */
export type Prepare = (
  tenant: TenantWriter,
  messageId: string,
  attempt: number,
) => Promise<PreparedMail | 'cancelled' | undefined>;

/** How mails are made and sent. */
export interface Mailing {
  transport: MailTransport;
  prepare: Prepare;
  logger: Logger;
  metrics: Pick<Metrics, 'messageSettled'>;
}

/** What a job says of a message. */
export interface SendJob {
  jobId: string;
  messageId: string;
  /** The number of this attempt, from 1. */
  attempt: number;
}

/**
 * Sends a queued message, then records the result.
 * @throws {NotSentYet} when another attempt makes sense
 */
export async function sendMessage(
  tenant: TenantWriter,
  job: SendJob,
  { transport, prepare, logger, metrics }: Mailing,
): Promise<void> {
  const { messageId, attempt } = job;
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
    // Not the text of the server: it contains the address.
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
 * Retries while the database is unavailable, or a long call holds the learner, or a server answers that does not know the
 * message: a mail without a record would be sent again, or never be told of. The job stays with this worker, which could not
 * do any other meanwhile.
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
 * A former primary that wakes up beside the new one knows neither the message nor its job, for as long as a connection leads
 * there. What it does not know must not end the job, which is of the new one; what is recorded there is recorded nowhere.
 * @throws {NotSentYet} unless the server that answers has the job, or a message that waits no more
 */
async function requireSettled(tenant: TenantWriter, { jobId, messageId, attempt }: SendJob): Promise<void> {
  if (isSettled(await findStatus(tenant, messageId))) return;
  await tenant.transaction(async (tx) => {
    const status = await findStatus(tx, messageId);
    if (isSettled(status) || (status === undefined && (await findJob(tx, jobId)))) return;
    throw new NotSentYet(`attempt ${attempt} found nothing of it`);
  });
}

function isSettled(status: string | undefined): boolean {
  return status !== undefined && status !== 'queued';
}
