import type pg from 'pg';
import { Bulkhead } from '../limits/bulkhead.ts';
import { hashApiKey, isWellFormedApiKey } from './api-key.ts';
import { type Caller, toCaller, type CallerRow, type Origin } from './caller.ts';

interface Entry {
  caller: Caller;
  /** Milliseconds since the epoch: the end of the cache time, or the key's expiry if that is earlier. */
  until: number;
}

const MAX_ENTRIES = 10_000;

/** Finds the callers of API keys. Caches them for at most `cacheMs`, so a revocation takes effect within that time. */
export class ApiKeyCache {
  readonly #pool: pg.Pool;
  readonly #cacheMs: number;
  readonly #entries = new Map<string, Entry>();
  #timesForgotten = 0;
  readonly #lookups = new Map<string, Promise<Caller | undefined>>();
  /** Limits lookups to a small part of the pool, because anybody can forge a well-formed key. */
  readonly #slots = new Bulkhead({ max: 2, maxPerCompany: 1 });

  constructor(pool: pg.Pool, cacheMs: number) {
    this.#pool = pool;
    this.#cacheMs = cacheMs;
  }

  /**
   * Finds the caller of a key. Returns undefined for a malformed, unknown, expired or revoked key.
   * @throws {ApiError} as `Bulkhead.run` does
   */
  async find(key: string): Promise<Caller | undefined> {
    const hash = hashApiKey(key);
    const entry = this.#entries.get(hash);
    if (entry && entry.until > Date.now()) return entry.caller;
    if (!isWellFormedApiKey(key)) return undefined;
    const running = this.#lookups.get(hash);
    if (running) return running;
    this.#entries.delete(hash);
    const looking = this.#slots.run(hash, undefined, () => this.#ask(hash));
    const lookup = looking.finally(() => this.#lookups.delete(hash));
    this.#lookups.set(hash, lookup);
    return lookup;
  }

  /**
   * Revokes each of the given strings that is a key of any company. The audit log of each company records the origin of
   * the call.
   */
  async revoke(texts: readonly string[], { requestId, address }: Origin): Promise<void> {
    const hashes = new Set(texts.filter(isWellFormedApiKey).map(hashApiKey));
    if (hashes.size === 0) return;
    const bytes = [...hashes].map((hash) => Buffer.from(hash, 'hex'));
    await this.#pool.query('select revoke_keys($1, $2, $3)', [bytes, requestId, address]);
    // Forgets only these keys. Anybody can send made-up strings, and could otherwise keep the whole cache empty.
    this.#timesForgotten += 1;
    for (const one of hashes) this.#entries.delete(one);
  }

  /** Clears the cache, so that each key is looked up again. */
  forget(): void {
    this.#timesForgotten += 1;
    this.#entries.clear();
  }

  async #ask(hash: string): Promise<Caller | undefined> {
    const timesForgotten = this.#timesForgotten;
    const { rows } = await this.#pool.query<CallerRow>({
      name: 'find_key_caller',
      text: 'select key_id, company_id, account_type, modules, scopes, expires_at from find_key_caller($1)',
      values: [Buffer.from(hash, 'hex')],
    });
    const row = rows[0];
    if (!row) return undefined;
    const caller = toCaller(row);
    const expiry = caller.expiresAt?.getTime() ?? Infinity;
    // If the cache was cleared in the meantime, this row might be older than the change to the key.
    if (timesForgotten === this.#timesForgotten)
      this.#remember(hash, { caller, until: Math.min(Date.now() + this.#cacheMs, expiry) });
    return caller;
  }

  #remember(hash: string, entry: Entry): void {
    if (this.#entries.size >= MAX_ENTRIES) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    this.#entries.set(hash, entry);
  }
}
