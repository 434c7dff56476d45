import type { AuditedCall } from '../auth/audit-trail.ts';
import { after } from '../db/expressions.ts';
import { sql } from '../db/sql.ts';
import { change, lookup } from '../db/statement.ts';
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
 * @throws {ApiError} `idempotency_key_reused`; `service_timeout` when the first one takes too long; and what `act` throws
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
      const data = await act(tx);
      text = await textOf(data);
      await tx.run(keep, { keyHash: asked.keyHash, answer: await key.seal(text, owner) });
      return data;
    });
    return new KeptAnswer(text, false);
  } catch (error) {
    if (error instanceof DoneBefore) return error.kept;
    throw error;
  }
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
