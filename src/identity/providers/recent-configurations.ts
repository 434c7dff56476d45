import type { ProviderAccess } from './identity-providers.ts';
import { toKey } from './provider-reads.ts';

const MAX_AGE_MS = 60_000;
const MAX_ENTRIES = 1000;

/** The configurations that were read in the last minute, by provider, issuer and URL. */
export class RecentConfigurations<Configuration> {
  readonly #kept = new Map<string, { until: number; config: Promise<Configuration> }>();

  /** Returns the configuration of a provider, which is read at most once a minute. A failure is not cached. */
  get(provider: ProviderAccess, read: () => Promise<Configuration>): Promise<Configuration> {
    const key = toKey(provider);
    const kept = this.#kept.get(key);
    if (kept && kept.until > performance.now()) return kept.config;
    const config = read();
    this.#keep(key, config);
    config.catch(() => this.#kept.delete(key));
    return config;
  }

  /** Caches a configuration that was just read for another purpose. */
  set(provider: ProviderAccess, config: Configuration): void {
    this.#keep(toKey(provider), Promise.resolve(config));
  }

  #keep(key: string, config: Promise<Configuration>): void {
    if (this.#kept.size >= MAX_ENTRIES) this.#kept.clear();
    this.#kept.set(key, { until: performance.now() + MAX_AGE_MS, config });
  }
}
