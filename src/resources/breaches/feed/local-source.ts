import feed from './local-feed.json' with { type: 'json' };
import { type Breach, type BreachedAccount, type BreachSource, BreachSourceError } from './breach-source.ts';
import { readAccounts, readBreaches } from './upstream-answers.ts';

export interface LocalFeed {
  /** As the upstream answers `GET /breaches`. */
  breaches: unknown[];
  /** By domain, as the upstream answers `GET /breacheddomain/{domain}`. */
  domains: Record<string, unknown>;
}

/** Invented breaches, for a service without an upstream. It knows the demo's domains and calls no other one clean. */
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
    if (answer === undefined) throw new BreachSourceError('refused', 'The local breach feed has no such domain.');
    return readAccounts(answer, domain);
  }
}
