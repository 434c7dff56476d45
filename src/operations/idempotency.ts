// Idempotency: a change that is sent again under its `Idempotency-Key` is done once and gets the first response again.
//
// One transaction holds the key, the change, its audit entry and the response. The steps inside of it:
//
// 1. Insert the hash of the key with the fingerprint of the call (call-fingerprint.ts). A second call under the same
//    key waits here until the first transaction ends.
// 2. If the key is stored already and younger than 24 hours, roll back. The same fingerprint gets the stored response;
//    any other fingerprint is `idempotency_key_reused`.
// 3. Run the handler, and make the text of its response. Lists in it are read for that.
// 4. Compress the text, seal it and store it beside the key.
//
// Guarantees: the change and the stored response commit together, or neither exists. A call that fails stores nothing,
// so a retry runs it. Error responses are never replayed. Expired keys are deleted each night (src/jobs/tasks.ts). All
// API keys of a company share one set of idempotency keys, so rotating an API key between two tries loses no replay. A
// source has a set of its own.
//
// Secrecy: the database holds the key as a hash only. The response is sealed under the client's key and, if one is set,
// a secret of the environment (idempotency-key.ts). So the rows by themselves open nothing.
//
// Failures:
// - The first call still runs at the statement timeout: `service_timeout` with `Retry-After`.
// - The stored responses of the company exceed 256 MiB: `rate_limited`. The change is rolled back with them. Bytes are
//   counted by hour in `idempotency_bytes`, so the check reads at most 26 rows.
//
// Not for: reads, and handlers that act outside their transaction. A handler must change things through its tenant
// handle only, must not swallow a failed statement, and must do slow work in its preflight.
import type { AuditedCall } from '../audit/operation-audit-recorder.ts';
import { addInterval } from '../db/expressions.ts';
import { type Sql, sql } from '../db/sql.ts';
import { mutation, pointQuery, type Parameters } from '../db/statement.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { ApiError } from '../contract/errors.ts';
import { buildFingerprint } from './call-fingerprint.ts';
import type { IdempotencyKey } from './idempotency-key.ts';

/** What a call is answered under a key. */
export class StoredResponse {
  readonly text: string;
  /** It was done before. */
  readonly isReplay: boolean;

  constructor(text: string, isReplay: boolean) {
    this.text = text;
    this.isReplay = isReplay;
  }
}

/** A call that is done once. */
export interface IdempotencyContext {
  key: IdempotencyKey;
  /** The text of the response. Rows in the answer are read for it. */
  serialize: (data: unknown) => Promise<string>;
}

/** What a company has stored, and when the oldest of it ends. */
interface Stored {
  bytes: number;
  freeInSeconds: number | null;
}

const countedHours = (p: Parameters<object>): Sql => sql`
  select slot, hour, bytes from idempotency_bytes
   where company_id = ${p.companyId} and hour > now() - interval '25 hours'`;

const STORED = sql`
  coalesce(sum(bytes), 0)::double precision as bytes,
  ceil(extract(epoch from min(hour) + interval '25 hours' - now()))::double precision as "freeInSeconds"`;

// A key that another call has just stored is waited for. An older one than a day is as good as none.
const claim = mutation<{ keyHash: Buffer; fingerprint: Buffer }, Stored>(
  'idempotency_claim',
  (p) => sql`
    with claimed as (
      insert into idempotency_keys as k (company_id, key_hash, fingerprint)
      values (${p.companyId}, ${p.keyHash}, ${p.fingerprint})
      on conflict (company_id, key_hash) do update
        set fingerprint = excluded.fingerprint, created_at = excluded.created_at, answer = excluded.answer
        where ${addInterval(sql`k.created_at`, sql`interval '24 hours'`)} < excluded.created_at
      returning company_id
    ), counted as (${countedHours(p)})
    select s.bytes, s."freeInSeconds" from claimed, (select ${STORED} from counted) as s`,
);

const findStored = pointQuery<{ keyHash: Buffer }, { fingerprint: Buffer; answer: Buffer }>(
  'idempotency_find',
  (p, knex) =>
    knex('idempotency_keys').where({ company_id: p.companyId, key_hash: p.keyHash }).select('fingerprint', 'answer'),
);

/** Bytes of answers that one company can have stored at once: far more than calls at the full rate of a key leave. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Bytes of a row beside its answer, with its indexes. */
const ROW_BYTES = 300;

// Bytes are counted by hour, each in a slot that is used again 26 hours later. The row of this hour is locked until the
// transaction ends, and comes from `added`: the snapshot of the statement can be older than the calls it waited for.
const keep = mutation<{ keyHash: Buffer; answer: Buffer; bytes: number }, Stored>(
  'idempotency_keep',
  (p) => sql`
    with added as (
      insert into idempotency_bytes as b (company_id, slot, hour, bytes)
      values (${p.companyId}, extract(epoch from now())::bigint / 3600 % 26, date_trunc('hour', now()), ${p.bytes})
      on conflict (company_id, slot) do update
        set hour = excluded.hour, bytes = case when b.hour = excluded.hour then b.bytes else 0 end + excluded.bytes
      returning slot, hour, bytes
    ), kept as (
      update idempotency_keys set answer = ${p.answer} where company_id = ${p.companyId} and key_hash = ${p.keyHash}
    ), before as (${countedHours(p)}), counted as (
      select hour, bytes from added
      union all select hour, bytes from before where slot not in (select slot from added)
    )
    select ${STORED} from counted`,
);

/** Ends a transaction that has nothing to do. */
class AlreadyCompleted extends Error {
  readonly response: StoredResponse;

  constructor(response: StoredResponse) {
    super('The call was done before');
    this.response = response;
  }
}

/**
 * Does a call under its key, in one transaction with its answer; or answers what it was answered before. Of two at once,
 * the second waits for the first. A call that fails leaves nothing.
 * @throws {ApiError} `idempotency_key_reused`; `service_timeout` when the first one takes too long; `rate_limited` when the
 * stored answers of the company leave no room for this one, and nothing is done then; and what `act` throws
 */
export async function runIdempotent(
  tenant: TenantWriter,
  call: AuditedCall,
  { key, serialize }: IdempotencyContext,
  act: (tenant: TenantWriter) => unknown,
): Promise<StoredResponse> {
  const request = { keyHash: key.hashFor(call.caller), fingerprint: buildFingerprint(call) };
  const owner = `${tenant.companyId} ${request.keyHash.toString('hex')}`;
  let text = '';
  try {
    await tenant.transaction(async (tx) => {
      const before = await findAnswer(tx, request);
      if (before) throw new AlreadyCompleted(new StoredResponse(await key.open(before, owner), true));
      const data = await act(tx);
      text = await serialize(data);
      const answer = await key.seal(text, owner);
      const [stored] = await tx.mutate(keep, { keyHash: request.keyHash, answer, bytes: answer.length + ROW_BYTES });
      requireRoom(stored!);
      return data;
    });
    return new StoredResponse(text, false);
  } catch (error) {
    if (error instanceof AlreadyCompleted) return error.response;
    throw error;
  }
}

/** @throws {ApiError} `rate_limited` when the company has more stored answers than one may have */
function requireRoom({ bytes, freeInSeconds }: Stored): void {
  if (bytes <= MAX_BYTES) return;
  const message =
    'The answers stored under Idempotency-Keys of the company take 256 MiB: send fewer calls with the header, or try again ' +
    'when the oldest have ended, 24 hours after they came.';
  throw new ApiError('rate_limited', message, { headers: { 'Retry-After': String(freeInSeconds) } });
}

const STATEMENT_TIMED_OUT = '57014';
const AGAIN_AFTER_SECONDS = 5;

/**
 * Returns the answer that is kept under the key; undefined when the key is now this call's.
 * @throws {ApiError} as `runIdempotent`
 */
async function findAnswer(
  tx: TenantWriter,
  request: { keyHash: Buffer; fingerprint: Buffer },
): Promise<Buffer | undefined> {
  const [stored] = await tx.mutate(claim, request).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== STATEMENT_TIMED_OUT) throw error;
    const headers = { 'Retry-After': String(AGAIN_AFTER_SECONDS) };
    const message = 'The first call with this Idempotency-Key is still running.';
    throw new ApiError('service_timeout', message, { headers, cause: error });
  });
  if (stored) {
    requireRoom(stored);
    return undefined;
  }
  // The row that was in the way stays until this transaction ends.
  const storedCall = (await tx.queryOne(findStored, request))!;
  if (storedCall.fingerprint.equals(request.fingerprint)) return storedCall.answer;
  const message = 'was used for another call within 24 hours';
  throw new ApiError('idempotency_key_reused', `Idempotency-Key: ${message}.`, {
    details: [{ field: 'header/idempotency-key', message }],
  });
}
