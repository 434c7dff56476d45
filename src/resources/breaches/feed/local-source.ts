import feed from './local-feed.json' with { type: 'json' };
import { type Breach, type BreachedAccount, type BreachSource, BreachSourceError } from './breach-source.ts';
import { readAccounts, readBreaches } from './upstream-responses.ts';

export interface LocalFeed {
  /** Response of the upstream to `GET /breaches`. */
  breaches: unknown[];
  /** Responses of the upstream to `GET /breacheddomain/{domain}`, by domain. */
  domains: Record<string, unknown>;
}

/** Serves made-up breaches without an upstream. Knows only the demo's domains, and refuses any other. */
export class LocalSource implements BreachSource {
  readonly name = 'local';
  readonly #feed: LocalFeed;

  constructor(localFeed: LocalFeed = feed) {
    this.#feed = localFeed;
  }

  async breaches(): Promise<Breach[]> {
    return readBreaches(this.#feed.breaches);
  }

  async accounts(domain: string): Promise<BreachedAccount[]> {
    const answer = Object.hasOwn(this.#feed.domains, domain) ? this.#feed.domains[domain] : undefined;
    if (answer === undefined)
      throw new BreachSourceError('refused', 'The local breach feed does not have this domain.');
    return readAccounts(answer, domain);
  }
}
