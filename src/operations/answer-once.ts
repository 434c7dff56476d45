import type { AuditedCall } from '../auth/audit-trail.ts';
import { after } from '../db/expressions.ts';
import { sql } from '../db/sql.ts';
import { change, lookup, statement } from '../db/statement.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { ApiError } from '../errors.ts';
import { fingerprintOf } from './call-fingerprint.ts';
import type { IdempotencyKey } from './idempotency-key.ts';

/** What a call is answered under a key. */
export class KeptAnswer {
  readonly text: string;
  /** It was done before. */
  readonly isReplay: boolean;

  constructor(text: string, isReplay: boolean) {
    this.text = text;
    this.isReplay = isReplay;
  }
}

/** A call that is done once. */
export interface Once {
  key: IdempotencyKey;
  /** The text that the door answers. Rows in the answer are read for it. */
  textOf: (data: unknown) => Promise<string>;
}

// A key that another call has just stored is waited for. An older one than a day is as good as none.
const claim = change<{ keyHash: Buffer; fingerprint: Buffer }, { claimed: boolean }>(
  'idempotency_claim',
  (p) => sql`
    insert into idempotency_keys as k (company_id, key_hash, fingerprint)
    values (${p.companyId}, ${p.keyHash}, ${p.fingerprint})
    on conflict (company_id, key_hash) do update
      set fingerprint = excluded.fingerprint, created_at = excluded.created_at, answer = excluded.answer
      where ${after(sql`k.created_at`, sql`interval '24 hours'`)} < excluded.created_at
    returning true as claimed`,
);

const findKept = lookup<{ keyHash: Buffer }, { fingerprint: Buffer; answer: Buffer }>('idempotency_find', (p, knex) =>
  knex('idempotency_keys').where({ company_id: p.companyId, key_hash: p.keyHash }).select('fingerprint', 'answer'),
);

const keep = change<{ keyHash: Buffer; answer: Buffer }>('idempotency_keep', (p, knex) =>
  knex('idempotency_keys').where({ company_id: p.companyId, key_hash: p.keyHash }).update({ answer: p.answer }),
);

/** Bytes of answers that one company can have stored at once: far more than calls at the full rate of a key leave. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Bytes of a row beside its answer, with its indexes. */
const ROW_BYTES = 300;

// By hour, each in a slot that is used again 26 hours later. The row is locked until the transaction ends, so that the sum
// that is read next has the answers of all calls of this hour before it.
const addBytes = change<{ bytes: number }>(
  'idempotency_add_bytes',
  (p) => sql`
    insert into idempotency_bytes as b (company_id, slot, hour, bytes)
    values (${p.companyId}, extract(epoch from now())::bigint / 3600 % 26, date_trunc('hour', now()), ${p.bytes})
    on conflict (company_id, slot) do update
      set hour = excluded.hour, bytes = case when b.hour = excluded.hour then b.bytes else 0 end + excluded.bytes`,
);

const storedBytes = statement<object, { bytes: number; freeInSeconds: number | null }>(
  'idempotency_stored_bytes',
  (p) => sql`
    select coalesce(sum(bytes), 0)::double precision as bytes,
           ceil(extract(epoch from min(hour) + interval '25 hours' - now()))::double precision as "freeInSeconds"
      from idempotency_bytes where company_id = ${p.companyId} and hour > now() - interval '25 hours'`,
);

/** Ends a transaction that has nothing to do. */
class DoneBefore extends Error {
  readonly kept: KeptAnswer;

  constructor(kept: KeptAnswer) {
    super('The call was done before');
    this.kept = kept;
  }
}

/**
 * Does a call under its key, in one transaction with its answer; or answers what it was answered before. Of two at once,
 * the second waits for the first. A call that fails leaves nothing.
 * @throws {ApiError} `idempotency_key_reused`; `service_timeout` when the first one takes too long; `rate_limited` when the
 * stored answers of the company leave no room for this one, and nothing is done then; and what `act` throws
 */
export async function answerOnce(
  tenant: TenantWriter,
  call: AuditedCall,
  { key, textOf }: Once,
  act: (tenant: TenantWriter) => unknown,
): Promise<KeptAnswer> {
  const asked = { keyHash: key.hashFor(call.caller), fingerprint: fingerprintOf(call) };
  const owner = `${tenant.companyId} ${asked.keyHash.toString('hex')}`;
  let text = '';
  try {
    await tenant.transaction(async (tx) => {
      const before = await claimed(tx, asked);
      if (before) throw new DoneBefore(new KeptAnswer(await key.open(before, owner), true));
      await requireRoom(tx);
      const data = await act(tx);
      text = await textOf(data);
      const answer = await key.seal(text, owner);
      await tx.run(keep, { keyHash: asked.keyHash, answer });
      await tx.run(addBytes, { bytes: answer.length + ROW_BYTES });
      await requireRoom(tx);
      return data;
    });
    return new KeptAnswer(text, false);
  } catch (error) {
    if (error instanceof DoneBefore) return error.kept;
    throw error;
  }
}

/** @throws {ApiError} `rate_limited` when the company has more stored answers than one may have */
async function requireRoom(tx: TenantWriter): Promise<void> {
  const { bytes, freeInSeconds } = (await tx.find(storedBytes, {}))!;
  if (bytes <= MAX_BYTES) return;
  const message =
    'The answers stored under Idempotency-Keys of the company take 256 MiB: send fewer calls with the header, or try again ' +
    'when the oldest have ended, 24 hours after they came.';
  throw new ApiError('rate_limited', message, { headers: { 'Retry-After': String(freeInSeconds) } });
}

const STATEMENT_TIMED_OUT = '57014';
const AGAIN_AFTER_SECONDS = 5;

/** The answer that is kept under the key; undefined when the key is now this call's. */
async function claimed(tx: TenantWriter, asked: { keyHash: Buffer; fingerprint: Buffer }): Promise<Buffer | undefined> {
  const [row] = await tx.run(claim, asked).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== STATEMENT_TIMED_OUT) throw error;
    const headers = { 'Retry-After': String(AGAIN_AFTER_SECONDS) };
    const message = 'The first call with this Idempotency-Key is still running.';
    throw new ApiError('service_timeout', message, { headers, cause: error });
  });
  if (row) return undefined;
  // The row that was in the way stays until this transaction ends.
  const kept = (await tx.find(findKept, asked))!;
  if (kept.fingerprint.equals(asked.fingerprint)) return kept.answer;
  const message = 'was used for another call within 24 hours';
  throw new ApiError('idempotency_key_reused', `Idempotency-Key: ${message}.`, {
    details: [{ field: 'header/idempotency-key', message }],
  });
}
