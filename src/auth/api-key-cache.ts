import type pg from 'pg';
import { Bulkhead } from '../limits/bulkhead.ts';
import { hashApiKey, isWellFormedApiKey } from './api-key.ts';
import { type Caller, toCaller, type CallerRow, type Origin } from './caller.ts';

interface Entry {
  caller: Caller;
  /** Milliseconds since the epoch: the end of the cache time, or the key's expiry when that comes first. */
  until: number;
}

const MAX_ENTRIES = 10_000;

/** Turns a bearer key into its caller. It caches for `cacheMs` at most, so a revocation takes effect within that time. */
export class ApiKeyCache {
  readonly #pool: pg.Pool;
  readonly #cacheMs: number;
  readonly #entries = new Map<string, Entry>();
  #timesForgotten = 0;
  readonly #lookups = new Map<string, Promise<Caller | undefined>>();
  /** Anybody can forge a well-formed key, so looking keys up takes no more than this of the pool. */
  readonly #slots = new Bulkhead({ max: 2, maxPerCompany: 1 });

  constructor(pool: pg.Pool, cacheMs: number) {
    this.#pool = pool;
    this.#cacheMs = cacheMs;
  }

  /**
   * The caller of a key, or undefined for one that is malformed, unknown, expired or revoked.
   * @throws {ApiError} as a bulkhead does
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

  /** Revokes what of some texts is a key, of whichever company, whose audit log says where the call came from. */
  async revoke(texts: readonly string[], { requestId, address }: Origin): Promise<void> {
    const hashes = new Set(texts.filter(isWellFormedApiKey).map(hashApiKey));
    if (hashes.size === 0) return;
    const bytes = [...hashes].map((hash) => Buffer.from(hash, 'hex'));
    await this.#pool.query('select revoke_keys($1, $2, $3)', [bytes, requestId, address]);
    // Anybody can make such texts up: other keys stay known.
    this.#timesForgotten += 1;
    for (const one of hashes) this.#entries.delete(one);
  }

  /** Has each key looked up again. */
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
    // Otherwise this answer may be older than the change.
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
