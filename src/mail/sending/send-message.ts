// Delivery of the outbox (src/mail/outbox/outbox.ts). Each message has one job in the queue. A worker takes a batch of
// up to 100 jobs, because a commit for each step of each message would cost more than the email
// (src/jobs/job-batches.ts). For a batch, `sendMessages` runs these steps:
//
// 1. `prepare` reads the messages of a company and the current names, addresses and subjects, in a few statements. It
//    cancels messages that are no longer needed because the course was finished, the policy was signed, the learner is
//    inactive or the link was replaced. A message that then waits for more than half a second is read again.
// 2. The transport passes each email to the mail server, on as many connections as the worker has. Companies take turns
//    at using the connections.
// 3. `ResultRecorder` records the results in commits of up to a hundred, no later than a tenth of a second after an
//    email was accepted (record-results.ts). Then the batch's jobs end.
//
// Guarantees: at least once. If a worker dies between steps 2 and 3, some emails are sent again: those that the server
// was reading, at most one per connection, and those that the server had accepted but the worker had not recorded, at
// most MAX_UNRECORDED for each company, process and kind of task. No other email is repeated. Both copies have the same
// Message-ID and Date, so a mail system can drop the second. A secret in a message is deleted once the message is
// settled.
//
// Failures:
// - The server permanently rejects the address or the message: the message is `failed` at once.
// - The server rejects the email for another reason, or does not respond: the queue tries again, 12 times within about
//   16 hours, with growing delays. Then the message is `failed`.
// - The server does not respond, or rejects the connection or the login: the rest of the batch returns to the queue
//   without an attempt, and the next batch has one message.
// - Another call has locked the learners of messages that were sent: only the jobs of these messages wait
//   (record-results.ts). If the waiting results of a company take half of the worker's slots, further messages of the
//   company return to the queue, so that slots are left for other companies.
// - The database is unavailable after step 2: recording is retried every half second, and the worker sends no further
//   messages.
// - After a failover, a former primary that knows neither the message nor the job might respond. The job must not end
//   there (`requireSettled`).
// - The job is lost: the nightly `settle_orphaned_messages` fails a message that is older than a day.
//
// Errors in the log and in the queue contain no e-mail address. The server's reason is stored with the message.
//
// Do not use this for mail that a request waits for. Messages of simulations also use this file, but have their own
// rules for preparing and stopping (src/resources/simulations/sending/prepare-phishing-email.ts).
import type { JobTenants, TenantWriter } from '../../db/tenant.ts';
import { Bulkhead } from '../../limits/bulkhead.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics/metrics.ts';
import { traced } from '../../observability/tracing/tracing.ts';
import { postponeMessage } from '../messages/message-repository.ts';
import {
  type DeliveryError,
  formatFailureReason,
  isOfServer,
  isPermanent,
  MAX_ATTEMPTS,
  NotSentYet,
} from './message-rules.ts';
import type { MailTransport } from './mail-transport.ts';
import type { Attempt, Preparation, Prepared, PreparedMail, PreparedResult, SendJob } from './preparation.ts';
import { requireSettled, ResultRecorder } from './record-results.ts';
import type { Settlement } from './settle-messages.ts';

/** Milliseconds after which a prepared message is read again before it is sent. */
const STALE_MS = 500;
/**
 * Maximum number of a company's emails that were sent but not recorded: one commit of 100 in progress, and one being
 * filled. Further emails wait.
 */
const MAX_UNRECORDED = 200;
/**
 * Longest possible timer, in milliseconds: a message waits for a connection for as long as other messages use all of
 * them.
 */
const FOREVER_MS = 2 ** 31 - 1;

/** Dependencies of `sendMessages`. */
export interface MailingOptions<Context = undefined> extends Preparation<Context> {
  transport: MailTransport;
  /** Number of emails that the transport can send at the same time. */
  connections: number;
  logger: Logger;
  metrics: Pick<Metrics, 'messageSettled'>;
}

/** The outcome of a job: done, not tried, or an error after which the queue must try again. */
export type Outcome = 'done' | 'untried' | Error;

interface BatchState {
  /** Whether the mail server did not respond, or rejected the service rather than a message. */
  hasServerFailed: boolean;
}

/** The result of an attempt to record, or the outcome if there is nothing to record. */
type Tried<Context> = { outcome: Outcome } | { result: PreparedResult<Context> };

/** Sends batches of messages over the connections of one transport. */
export class Mailing<Context = undefined> {
  readonly #options: MailingOptions<Context>;
  readonly #connections: Bulkhead;
  readonly #recorder: ResultRecorder<Context>;
  /** Number of batches that have messages left to send. */
  #sending = 0;
  /** Recordings in progress, by company. */
  readonly #unrecorded = new Map<string, Set<Promise<void>>>();

  constructor(options: MailingOptions<Context>) {
    const { connections: max, settle } = options;
    this.#options = options;
    this.#connections = new Bulkhead({ max, maxPerCompany: max, timeoutMs: FOREVER_MS });
    this.#recorder = new ResultRecorder(settle);
  }

  /**
   * Sends queued messages, then records the results. Always tries the first message.
   * @param signal ends the batch early; messages that have not been started are not tried
   * @returns the outcomes in the order of the jobs
   */
  async sendMessages(
    tenants: JobTenants,
    jobs: readonly SendJob[],
    signal?: AbortSignal,
  ): Promise<BatchState & { outcomes: Outcome[] }> {
    const { transport, connections } = this.#options;
    // Comes before reading the messages, which might change during the wait.
    await transport.ready?.();
    const batches = new Map<string, CompanyBatch<Context>>();
    for (const [companyId, ofCompany] of Map.groupBy(jobs, (job) => job.companyId))
      batches.set(companyId, new CompanyBatch(tenants.ofJob(companyId), ofCompany, this.#options));
    await Promise.all([...batches.values()].map((batch) => batch.prepare()));
    const outcomes: Outcome[] = jobs.map(() => 'untried');
    const state = { hasServerFailed: false };
    const isOver = (index: number) => index > 0 && (state.hasServerFailed || signal?.aborted === true);
    let next = 0;
    const recording: Promise<void>[] = [];
    const sendInTurn = async () => {
      while (next < jobs.length && !isOver(next)) {
        const index = next++;
        const job = jobs[index]!;
        const batch = batches.get(job.companyId)!;
        await this.#waitForRecordings(job.companyId);
        const release = await this.#connections.acquire(job.companyId);
        const tried = isOver(index) ? undefined : await this.#tryOne(batch, job, state);
        release();
        if (tried && 'outcome' in tried) outcomes[index] = tried.outcome;
        if (!tried || 'outcome' in tried) continue;
        const recorded = this.#record(batch.tenant, job, tried.result).then(
          (outcome) => void (outcomes[index] = outcome),
        );
        recording.push(this.#countUntil(job.companyId, recorded));
      }
    };
    this.#sending += 1;
    try {
      await Promise.all(Array.from({ length: Math.min(connections, jobs.length) }, sendInTurn));
    } finally {
      this.#sending -= 1;
    }
    // While other batches are being sent, these results wait for the results of those batches: a commit of a few
    // results would cost as much as a full one.
    if (this.#sending === 0) for (const { tenant } of batches.values()) this.#recorder.flush(tenant);
    await Promise.all(recording);
    return { outcomes, ...state };
  }

  /** Reports whether locks hold up so many results of a company that they occupy half of the slots. */
  #isHeldUp(companyId: string): boolean {
    return this.#recorder.countLocked(companyId) >= Math.max(1, this.#options.connections / 2);
  }

  async #waitForRecordings(companyId: string): Promise<void> {
    const unrecorded = this.#unrecorded.get(companyId) ?? new Set();
    while (unrecorded.size >= MAX_UNRECORDED && !this.#isHeldUp(companyId)) await Promise.race(unrecorded);
  }

  /** Counts a company's result as unrecorded until its recording ends. */
  #countUntil(companyId: string, recorded: Promise<void>): Promise<void> {
    const unrecorded = this.#unrecorded.get(companyId) ?? new Set();
    this.#unrecorded.set(companyId, unrecorded);
    const ended = recorded.then(() => {
      unrecorded.delete(ended);
      if (unrecorded.size === 0) this.#unrecorded.delete(companyId);
    });
    unrecorded.add(ended);
    return ended;
  }

  async #tryOne(batch: CompanyBatch<Context>, job: SendJob, state: BatchState): Promise<Tried<Context>> {
    const { tenant } = batch;
    const { messageId, attempt } = job;
    try {
      if (this.#isHeldUp(job.companyId) && attempt < MAX_ATTEMPTS)
        throw new NotSentYet(`attempt ${attempt} waits for locked results of the company`);
      const prepared = await batch.take(messageId);
      if (prepared === undefined) await requireSettled(tenant, job);
      if (prepared === undefined || prepared === 'cancelled') return { outcome: 'done' };
      if (prepared === 'untried' || prepared instanceof Error) return { outcome: prepared };
      const failure = await this.#handOver(prepared);
      if (failure && isOfServer(failure)) state.hasServerFailed = true;
      const settlement = failure ? await this.#judge(tenant, job, failure) : { status: 'sent' as const };
      const { context } = prepared;
      const result = { messageId, attempts: attempt, settlement, context, at: new Date().toISOString() };
      return { result };
    } catch (error) {
      return { outcome: error as Error };
    }
  }

  async #handOver({ mail, isWanted }: PreparedMail<Context>): Promise<DeliveryError | undefined> {
    const sending = traced('hand over mail', { kind: 'client' }, () => this.#options.transport.send(mail, isWanted));
    return sending.then(
      () => undefined,
      (error: unknown) => error as DeliveryError,
    );
  }

  /** Returns the settlement of a message that failed permanently. @throws {NotSentYet} if another attempt follows */
  async #judge(tenant: TenantWriter, job: SendJob, failure: DeliveryError): Promise<Settlement> {
    const { companyId, messageId, attempt } = job;
    const reason = formatFailureReason(failure);
    const isLast = isPermanent(failure) || attempt >= MAX_ATTEMPTS;
    // Does not log the server's text, because it contains the address.
    const { code, responseCode } = failure;
    const fields = { companyId, messageId, attempt, code, responseCode };
    this.#options.logger.warn(fields, isLast ? 'message failed' : 'message postponed');
    if (isLast) return { status: 'failed', reason };
    await tenant.mutate(postponeMessage, { messageId, attempts: attempt, reason });
    throw new NotSentYet(`attempt ${attempt} failed`);
  }

  async #record(tenant: TenantWriter, job: SendJob, result: PreparedResult<Context>): Promise<Outcome> {
    try {
      await this.#recorder.record(tenant, job, result);
    } catch (error) {
      return error as Error;
    }
    this.#options.metrics.messageSettled(result.settlement.status);
    return 'done';
  }
}

/** The messages of a company in a batch. */
class CompanyBatch<Context> {
  readonly tenant: TenantWriter;
  readonly #options: MailingOptions<Context>;
  /** Messages that have been neither taken nor cancelled. */
  readonly #waiting: Map<string, Attempt>;
  readonly #prepared = new Map<string, Prepared<Context>>();
  #preparedAt = 0;
  #preparing: Promise<void> | undefined;
  #error: Error | undefined;
  /** Whether `take` has already thrown `#error`. */
  #hasFailed = false;

  constructor(tenant: TenantWriter, attempts: readonly Attempt[], options: MailingOptions<Context>) {
    this.tenant = tenant;
    this.#waiting = new Map(attempts.map((attempt) => [attempt.messageId, attempt]));
    this.#options = options;
  }

  /** Reads and composes the waiting messages. If this fails, the next `take` throws the error. */
  prepare(): Promise<void> {
    return (this.#preparing ??= this.#read()
      .catch((error: unknown) => void (this.#error = error as Error))
      .finally(() => (this.#preparing = undefined)));
  }

  async #read(): Promise<void> {
    const { prepare, metrics } = this.#options;
    const latest = await prepare(this.tenant, [...this.#waiting.values()]);
    for (const id of this.#waiting.keys()) this.#prepared.delete(id);
    for (const [id, prepared] of latest) {
      this.#prepared.set(id, prepared);
      if (prepared === 'cancelled') metrics.messageSettled('cancelled');
      if (prepared === 'cancelled' || prepared instanceof Error) this.#waiting.delete(id);
    }
    this.#preparedAt = performance.now();
  }

  /**
   * Returns a message to send, only once. Reads the waiting messages again if they have waited too long. Returns
   * undefined if the message is settled or deleted, and `untried` after an error.
   * @throws the error of a statement, once
   */
  async take(messageId: string): Promise<Prepared<Context> | 'untried' | undefined> {
    if (this.#hasFailed) return 'untried';
    if (!this.#error && performance.now() - this.#preparedAt > STALE_MS && this.#waiting.has(messageId))
      await this.prepare();
    if (this.#error && !this.#hasFailed) {
      this.#hasFailed = true;
      throw this.#error;
    }
    if (this.#hasFailed) return 'untried';
    const prepared = this.#prepared.get(messageId);
    this.#waiting.delete(messageId);
    this.#prepared.delete(messageId);
    return prepared;
  }
}
