// Idempotency: a change that is sent again under its `Idempotency-Key` is executed once and gets the first response
// again.
//
// One transaction contains the key, the change, its audit entry and the response. Its steps:
//
// 1. Insert the hash of the key with the fingerprint of the call (call-fingerprint.ts). A second call under the same
//    key waits here until the first transaction ends.
// 2. If the key is already stored and younger than 24 hours, roll back. The same fingerprint gets the stored response;
//    any other fingerprint is `idempotency_key_reused`.
// 3. Run the handler, and serialise its response, which reads the lists in the response.
// 4. Compress the text, seal it and store it with the key.
//
// Guarantees: the change and the stored response commit together, or neither exists. A call that fails stores nothing,
// so a retry runs it. Error responses are never replayed. Expired keys are deleted each night (src/jobs/tasks.ts). All
// API keys of a company share one set of idempotency keys, so rotating an API key between two tries loses no replay.
// Each source has its own set.
//
// Secrecy: the database contains only the hash of the key. The response is sealed under the client's key and, if one is
// set, a secret of the environment (idempotency-key.ts). So the rows are useless without these secrets.
//
// Failures:
// - The first call is still running at the statement timeout: `service_timeout` with `Retry-After`.
// - The stored responses of the company exceed 256 MiB: `rate_limited`. The change is rolled back with them. Bytes are
//   counted by hour in `idempotency_bytes`, so the check reads at most 26 rows.
//
// Idempotency does not cover reads, nor handlers that act outside their transaction. A handler must change things only
// through its tenant handle, must not swallow a failed statement, and must do slow work in its preflight.
import type { AuditedCall } from '../audit/operation-audit-recorder.ts';
import { addInterval } from '../db/expressions.ts';
import { type Sql, sql } from '../db/sql.ts';
import { mutation, pointQuery, type Parameters } from '../db/statement.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { ApiError } from '../contract/errors.ts';
import { buildFingerprint } from './call-fingerprint.ts';
import type { IdempotencyKey } from './idempotency-key.ts';

/** The stored response of a call. */
export class StoredResponse {
  readonly text: string;
  /** Whether an earlier call made the change. */
  readonly isReplay: boolean;

  constructor(text: string, isReplay: boolean) {
    this.text = text;
    this.isReplay = isReplay;
  }
}

/** Context of a call that is executed once. */
export interface IdempotencyContext {
  key: IdempotencyKey;
  /** Serialises the response. Reads the rows in it. */
  serialize: (data: unknown) => Promise<string>;
}

/** Bytes that a company has stored, and the time until the oldest of them expire. */
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

// Waits for another call that is storing the same key. A key that is older than a day counts as absent.
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

/** Bytes of responses that a company can store at once; calls at the full rate of a key need far fewer. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Approximate bytes of a row and its index entries, in addition to the response. */
const ROW_BYTES = 300;

// Bytes are counted by hour, each hour in a slot that is reused 26 hours later. The row of the current hour is locked
// until the transaction ends, and its bytes are read from `added`: the statement's snapshot can be older than the calls
// that it waited for.
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

/** Error that rolls back the transaction of a call that was already completed. */
class AlreadyCompleted extends Error {
  readonly response: StoredResponse;

  constructor(response: StoredResponse) {
    super('The call was completed before');
    this.response = response;
  }
}

/**
 * Executes a call under its key, and stores the response in the same transaction; or returns the stored response. The
 * second of two simultaneous calls waits for the first. A failed call stores nothing.
 * @throws {ApiError} `idempotency_key_reused`; `service_timeout` if the first call takes too long; `rate_limited` if
 * the company's stored responses exceed their limit, in which case nothing is changed
 * @throws the errors of `act`
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
      const before = await findResponse(tx, request);
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

/** @throws {ApiError} `rate_limited` if the company's stored responses exceed `MAX_BYTES` */
function requireRoom({ bytes, freeInSeconds }: Stored): void {
  if (bytes <= MAX_BYTES) return;
  const message =
    'The responses stored under Idempotency-Keys of the company exceed 256 MiB; send fewer calls with the header, or try ' +
    'again when the oldest expire, 24 hours after their call.';
  throw new ApiError('rate_limited', message, { headers: { 'Retry-After': String(freeInSeconds) } });
}

const STATEMENT_TIMED_OUT = '57014';
const AGAIN_AFTER_SECONDS = 5;

/**
 * Returns the response that is stored under the key; undefined if this call now holds the key.
 * @throws {ApiError} as `runIdempotent`
 */
async function findResponse(
  tx: TenantWriter,
  request: { keyHash: Buffer; fingerprint: Buffer },
): Promise<Buffer | undefined> {
  const [stored] = await tx.mutate(claim, request).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== STATEMENT_TIMED_OUT) throw error;
    const headers = { 'Retry-After': String(AGAIN_AFTER_SECONDS) };
    const message = 'The first call with this Idempotency-Key is still running; try again later with the same key.';
    throw new ApiError('service_timeout', message, { headers, cause: error });
  });
  if (stored) {
    requireRoom(stored);
    return undefined;
  }
  // The conflicting row stays until this transaction ends.
  const storedCall = (await tx.queryOne(findStored, request))!;
  if (storedCall.fingerprint.equals(request.fingerprint)) return storedCall.answer;
  const message = 'was used for another call in the last 24 hours; use a new key';
  throw new ApiError('idempotency_key_reused', `The Idempotency-Key ${message}.`, {
    details: [{ field: 'header/idempotency-key', message }],
  });
}
