import type { ProviderAccess } from './identity-providers.ts';
import { SignInFault } from './sign-in-fault.ts';

/**
 * Time for which a provider that did not respond is not asked again. Short, because the provider might recover soon.
 */
const REST_MS = 30_000;
const MAX_ENTRIES = 1000;

/**
 * Reads the configurations or the metadata of providers. Concurrent requests share one read. After a provider did not
 * respond, further reads fail at once for 30 seconds, so that visitors of a start page do not all wait for the timeout.
 * A response that fails a check is read again at once, because its provider might just have been corrected.
 */
export class ProviderReads<Value> {
  readonly #now: () => number;
  readonly #open = new Map<string, Promise<Value>>();
  readonly #failed = new Map<string, { until: number; fault: SignInFault }>();

  /** @param now returns the time in milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** @throws {SignInFault} the fault of `read`, or of an earlier read that failed */
  async read(provider: ProviderAccess, read: () => Promise<Value>): Promise<Value> {
    const key = toKey(provider);
    const failed = this.#failed.get(key);
    if (failed && failed.until > this.#now()) throw failed.fault;
    return this.#open.get(key) ?? this.#begin(key, read);
  }

  async #begin(key: string, read: () => Promise<Value>): Promise<Value> {
    const reading = read();
    this.#open.set(key, reading);
    try {
      const value = await reading;
      this.#failed.delete(key);
      return value;
    } catch (error) {
      if (error instanceof SignInFault && error.reason === 'provider_unavailable') this.#keep(key, error);
      throw error;
    } finally {
      this.#open.delete(key);
    }
  }

  #keep(key: string, fault: SignInFault): void {
    if (this.#failed.size >= MAX_ENTRIES) this.#failed.clear();
    this.#failed.set(key, { until: this.#now() + REST_MS, fault });
  }
}

/** Returns the cache key of a provider with its current settings. */
export function toKey({ id, issuer, clientId, metadataUrl }: ProviderAccess): string {
  return JSON.stringify([id, issuer, clientId, metadataUrl]);
}
