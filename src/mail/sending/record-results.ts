import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../contract/errors.ts';
import { translateDatabaseError } from '../../db/database-errors.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { findJob, findStatus } from '../messages/message-repository.ts';
import { NotSentYet } from './message-rules.ts';
import type { Preparation, PreparedResult, SendJob } from './preparation.ts';

const RETRY_RECORD_MS = 500;
/** Maximum number of retries while the connected server does not know the message; half a minute in total. */
const MAX_UNKNOWN = 60;

/** Maximum number of results in one commit. */
const MAX_AT_ONCE = 100;
/**
 * Maximum time in milliseconds for which a result waits for others; limits how many messages are sent again after a
 * worker is killed.
 */
const GATHER_MS = 100;

interface Unrecorded<Context> {
  job: SendJob;
  result: PreparedResult<Context>;
  recorded: PromiseWithResolvers<void>;
}

/** Unrecorded results of a company. */
interface CompanyResults<Context> {
  waiting: Unrecorded<Context>[];
  /** Results that a statement has left out, or whose statement failed. */
  heldUp: Unrecorded<Context>[];
  /** Whether `heldUp` results wait because another call has locked their rows. */
  isLocked: boolean;
  /** Whether a statement is waiting for the row of the first `heldUp` result. */
  isWaiting: boolean;
  /** Whether a statement is recording results of the company. */
  isRecording: boolean;
  /** Whether the `waiting` results must be recorded without waiting for others. */
  isFlushing: boolean;
  timer?: NodeJS.Timeout | undefined;
}

/**
 * Records the results of messages in commits of up to a hundred, because a commit of a few results costs Postgres as
 * much as all other work for an email. Results are recorded once a hundred of their company are waiting, after
 * `GATHER_MS` at the latest, or when `flush` says that no others follow. Each company has one such commit at a time.
 *
 * A row that another call has locked delays only its own result: a statement leaves out the results of locked rows.
 * While further results are recorded, another statement waits for the first of these rows. When that row is free, the
 * other results that were left out are tried again together.
 */
export class ResultRecorder<Context> {
  readonly #settle: Preparation<Context>['settle'];
  readonly #companies = new Map<string, CompanyResults<Context>>();

  constructor(settle: Preparation<Context>['settle']) {
    this.#settle = settle;
  }

  /**
   * Resolves when the result is recorded.
   * @throws {NotSentYet} if the server does not know the message
   */
  record(tenant: TenantWriter, job: SendJob, result: PreparedResult<Context>): Promise<void> {
    const recorded = Promise.withResolvers<void>();
    const results = this.#companies.get(tenant.companyId) ?? newResults<Context>();
    this.#companies.set(tenant.companyId, results);
    results.waiting.push({ job, result, recorded });
    if (!results.isRecording) this.#recordOrWait(tenant, results);
    return recorded.promise;
  }

  /** Returns the number of a company's results whose rows another call has locked. */
  countLocked(companyId: string): number {
    const results = this.#companies.get(companyId);
    return results?.isLocked ? results.heldUp.length : 0;
  }

  /** Records the waiting results of a company without waiting for others. */
  flush(tenant: TenantWriter): void {
    const results = this.#companies.get(tenant.companyId);
    if (!results) return;
    results.isFlushing = true;
    if (!results.isRecording) this.#recordOrWait(tenant, results);
  }

  #recordOrWait(tenant: TenantWriter, results: CompanyResults<Context>): void {
    if (results.isFlushing || results.waiting.length >= MAX_AT_ONCE) void this.#recordAll(tenant, results);
    else results.timer ??= setTimeout(() => this.flush(tenant), GATHER_MS);
  }

  async #recordAll(tenant: TenantWriter, results: CompanyResults<Context>): Promise<void> {
    clearTimeout(results.timer);
    results.timer = undefined;
    results.isRecording = true;
    do {
      results.heldUp.push(...(await this.#recordFree(tenant, results, results.waiting.splice(0, MAX_AT_ONCE))));
      if (!results.isWaiting) void this.#recordHeldUp(tenant, results);
      if (results.waiting.length === 0) results.isFlushing = false;
    } while (results.isFlushing || results.waiting.length >= MAX_AT_ONCE);
    results.isRecording = false;
    if (results.waiting.length > 0) this.#recordOrWait(tenant, results);
    else this.#forgetIfDone(tenant, results);
  }

  async #recordHeldUp(tenant: TenantWriter, results: CompanyResults<Context>): Promise<void> {
    results.isWaiting = true;
    while (results.heldUp.length > 0) {
      await this.#recordOne(tenant, results.heldUp[0]!);
      const [, ...others] = results.heldUp.splice(0, MAX_AT_ONCE);
      results.heldUp.unshift(...(await this.#recordFree(tenant, results, others)));
    }
    results.isWaiting = false;
    this.#forgetIfDone(tenant, results);
  }

  #forgetIfDone({ companyId }: TenantWriter, { waiting, isRecording, isWaiting }: CompanyResults<Context>): void {
    if (waiting.length === 0 && !isRecording && !isWaiting) this.#companies.delete(companyId);
  }

  /** Records the results whose rows are free, and returns the others. */
  async #recordFree(
    tenant: TenantWriter,
    results: CompanyResults<Context>,
    unrecorded: Unrecorded<Context>[],
  ): Promise<Unrecorded<Context>[]> {
    if (unrecorded.length === 0) return [];
    const all = unrecorded.map(({ result }) => result);
    // If the statement fails, `#recordOne` throws the same error, unless the error is about another message.
    const settled = await this.#settle(tenant, all, false).catch(() => undefined);
    const ids = new Set(settled);
    const isRecorded = ({ job }: Unrecorded<Context>) => ids.has(job.messageId);
    for (const { recorded } of unrecorded.filter(isRecorded)) recorded.resolve();
    const others = unrecorded.filter((one) => !isRecorded(one));
    if (others.length > 0) results.isLocked = settled !== undefined;
    return others;
  }

  async #recordOne(tenant: TenantWriter, { job, result, recorded }: Unrecorded<Context>): Promise<void> {
    const record = async () => {
      const ids = await this.#settle(tenant, [result], true);
      if (!ids.includes(job.messageId)) await requireSettled(tenant, job);
    };
    await untilRecorded(record).then(recorded.resolve, recorded.reject);
  }
}

function newResults<Context>(): CompanyResults<Context> {
  return { waiting: [], heldUp: [], isLocked: false, isWaiting: false, isRecording: false, isFlushing: false };
}

/**
 * Retries while the database is unavailable, a long call holds the learner's lock, or the connected server does not
 * know the message. Without the record, the email would be sent again, or its result would be lost. The job waits,
 * because the worker could not run any other job during an outage.
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
  const { code } = (error instanceof ApiError ? error : translateDatabaseError(error)) ?? {};
  return code === 'service_unavailable' || code === 'service_timeout' || code === 'rate_limited';
}

/**
 * Requires that the connected server has settled the message, or has the job but no such message.
 *
 * A former primary that resumes next to the new one knows neither the message nor its job. Connections might still lead
 * to the former primary. It must not end the job, which belongs to the new primary. A result that the former primary
 * records is lost.
 * @throws {NotSentYet} if the server does not meet this condition
 */
export async function requireSettled(tenant: TenantWriter, { jobId, messageId, attempt }: SendJob): Promise<void> {
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
