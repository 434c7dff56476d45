import { createHmac, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { NIL } from 'uuid';
import { isId } from '../db/ids.ts';
import { sql } from '../db/sql.ts';
import { mutation } from '../db/statement.ts';
import { createTenantWriter } from '../db/tenant-session.ts';
import { Bulkhead } from '../limits/bulkhead.ts';
import { type Caller, type CallerRow, toCaller, type SourceKind } from './caller.ts';
import type { SealedSecrets } from './sealed-secrets.ts';
import { hashSourceSecret, parseSourceId } from './source-secret.ts';

interface SourceRow extends Omit<CallerRow, 'scopes' | 'expires_at'> {
  kind: SourceKind;
  secret_hash: Buffer;
  sealed_secret: Buffer | null;
  /** The hash of the previous secret, while it is still valid. */
  previous_hash: Buffer | null;
  previous_sealed: Buffer | null;
}

/** Limits lookups to a small part of the pool, because anybody can make up an id. */
const lookups = new Bulkhead({ max: 2, maxPerCompany: 1 });

/** Minimum time between two updates of a source's last use; the recorded time is therefore that precise. */
const NOTED_MS = 60_000;

const stampUse = mutation<{ sourceId: string }>(
  'source_stamp_use',
  (p) => sql`
    update sources set last_used_at = statement_timestamp()
     where company_id = ${p.companyId} and id = ${p.sourceId}
       and (last_used_at is null or last_used_at < statement_timestamp() - interval '1 minute')`,
);

/**
 * The caller of all unknown sources. They count as one company, so all of them together get the connection shares of a
 * single company.
 */
const NOBODY: Caller = Object.freeze({
  ...{ companyId: NIL, accountType: 'tenant', keyId: NIL },
  ...{ modules: [], scopes: [], expiresAt: null },
});

// A source has no scopes, because its kind decides what it can do.
const FIND = 'select *, null as scopes, null as expires_at from find_source($1)';

/** A source that signs its requests, or a stand-in for an unknown source, which rejects every signature. */
export interface SigningSource {
  caller: Caller;
  /** Reports whether a `sha256=…` signature of the body was made with a secret that is valid now. */
  hasSigned(body: Buffer, signature: string): boolean;
}

/**
 * Finds sources by their secrets. Concurrent calls of a source share a lookup. Results are not cached, so a revocation
 * takes effect with the next call.
 */
export class SourceCache {
  readonly #pool: pg.Pool;
  readonly #secrets: SealedSecrets;
  readonly #running = new Map<string, Promise<SourceRow | undefined>>();
  /** Time when this process last recorded the use of a source, by id. */
  readonly #noted = new Map<string, number>();

  constructor(pool: pg.Pool, secrets: SealedSecrets) {
    this.#pool = pool;
    this.#secrets = secrets;
  }

  /** Finds the source of a kind by its secret. Returns undefined for a malformed, unknown or revoked secret. */
  async findBySecret(kind: SourceKind, secret: string): Promise<Caller | undefined> {
    const id = parseSourceId(secret);
    const row = id === undefined ? undefined : await this.#find(kind, id);
    const received = hashSourceSecret(secret);
    const isKnown = row && [row.secret_hash, row.previous_hash].some((hash) => hash && timingSafeEqual(hash, received));
    return isKnown ? this.recordUse(toSourceCaller(row)) : undefined;
  }

  /**
   * Finds a source that signs its requests, by its id. Returns a stand-in for an unknown id, so that the result does
   * not reveal which ids exist.
   * @throws {ApiError} `secrets_key_missing`
   */
  async findSigning(kind: SourceKind, sentId: string): Promise<SigningSource> {
    this.#secrets.requireKey();
    const id = sentId.toLowerCase();
    const row = isId(id) ? await this.#find(kind, id) : undefined;
    if (!row) return { caller: NOBODY, hasSigned: () => false };
    const sealed = [row.sealed_secret, row.previous_sealed].filter((secret) => secret !== null);
    const secrets = sealed.map((secret) => this.#secrets.open(secret, id));
    return {
      caller: toSourceCaller(row),
      hasSigned: (body, signature) => secrets.some((secret) => isSignature(signature, secret, body)),
    };
  }

  /** Records when a source was last used, at most once a minute. Returns the caller. */
  async recordUse(caller: Caller): Promise<Caller> {
    const now = Date.now();
    if (now - (this.#noted.get(caller.keyId) ?? 0) < NOTED_MS) return caller;
    this.#noted.set(caller.keyId, now);
    await createTenantWriter(this.#pool, caller.companyId).mutate(stampUse, { sourceId: caller.keyId });
    return caller;
  }

  async #find(kind: SourceKind, id: string): Promise<SourceRow | undefined> {
    const lookup = this.#running.get(id) ?? this.#ask(id).finally(() => this.#running.delete(id));
    this.#running.set(id, lookup);
    const row = await lookup;
    return row?.kind === kind ? row : undefined;
  }

  async #ask(id: string): Promise<SourceRow | undefined> {
    const { rows } = await lookups.run(id, undefined, () =>
      this.#pool.query<SourceRow>({ name: 'find_source', text: FIND, values: [id] }),
    );
    return rows[0];
  }
}

function toSourceCaller(row: SourceRow): Caller {
  const caller = toCaller({ ...row, scopes: null, expires_at: null });
  const { key_id: id, kind } = row;
  return Object.freeze({ ...caller, source: Object.freeze({ id, kind }), actor: { type: 'source' as const, id } });
}

function isSignature(signature: string, secret: string, body: Buffer): boolean {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(signature)?.[1];
  if (given === undefined) return false;
  return timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha256', secret).update(body).digest());
}
