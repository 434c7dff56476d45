import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ApiError, type ErrorCode } from '../../../contract/errors.ts';
import type { Logger } from '../../../observability/logger.ts';
import { ALL_BREACHES, ResponseStore, type LastResponse } from './response-store.ts';
import { BreachSourceError, type BreachSource, type BreachSourceFailure, isDomain, noDomain } from './breach-source.ts';

const HOUR_MS = 3_600_000;
const FRESH_MS = 24 * HOUR_MS;
const USABLE_MS = 7 * 24 * HOUR_MS;
/** Lease of a refresh, in seconds; longer than two calls to a source can take. */
const MAX_ASKING_S = 40;
const MAX_WAIT_MS = 15_000;
const LOOK_AGAIN_MS = 200;

export interface BreachFeedOptions {
  pool: pg.Pool;
  source: BreachSource;
  logger: Logger;
  /**
   * Called for each refresh: with `cached` if the stored answer was fresh, `asked` if the source responded, or the
   * failure.
   */
  onAnswer?: (outcome: 'cached' | 'asked' | BreachSourceFailure) => void;
}

/** Keeps the stored breach data fresh, on demand. */
export class BreachFeed {
  readonly #options: BreachFeedOptions;
  readonly #source: BreachSource;
  readonly #store: ResponseStore;
  readonly #logger: Logger;
  readonly #onAnswer: BreachFeedOptions['onAnswer'];
  readonly #refreshing = new Map<string, Promise<void>>();

  constructor(options: BreachFeedOptions) {
    this.#options = options;
    this.#source = options.source;
    this.#store = new ResponseStore(options.pool, options.source.name);
    this.#logger = options.logger;
    this.#onAnswer = options.onAnswer;
  }

  get sourceName(): string {
    return this.#source.name;
  }

  /** Returns a feed of the same source over another connection pool. Both feeds share the source's circuit breaker. */
  withPool(pool: pg.Pool): BreachFeed {
    return new BreachFeed({ ...this.#options, pool });
  }

  /**
   * Resolves once the tables hold the breaches and the accounts of the domains. The data are at most a day old, or a
   * week if the source is unavailable. Returns the domains that the source refuses, unless it refuses all of them.
   * @throws {ApiError} `breach_data_unavailable`, `service_unavailable` or `service_timeout`
   */
  async refresh(domains: readonly string[]): Promise<string[]> {
    await this.#refresh(ALL_BREACHES, () => this.#askForBreaches());
    const refused: string[] = [];
    let refusal: ApiError | undefined;
    for (const domain of domains) {
      try {
        if (!isDomain(domain)) throw toApiError(noDomain());
        await this.#refresh(domain, () => this.#askForAccounts(domain));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusal = error;
        refused.push(domain);
      }
    }
    if (refusal && refused.length === domains.length) throw refusal;
    return refused;
  }

  async #refresh(subject: string, ask: () => Promise<void>): Promise<void> {
    const last = await this.#store.findLastResponse(subject);
    if (isFresh(last)) return this.#onAnswer?.('cached');
    try {
      await this.#once(subject, last, ask);
      this.#onAnswer?.('asked');
    } catch (error) {
      if (!(error instanceof BreachSourceError)) throw error;
      this.#onAnswer?.(error.failure);
      const usable = last !== undefined && last.age < USABLE_MS;
      this.#logger.warn({ err: error, failure: error.failure, subject, usable }, 'breach feed request failed');
      if (!usable) throw toApiError(error);
    }
  }

  /** Runs only one refresh of a subject at a time. Concurrent callers share the outcome. */
  #once(subject: string, last: LastResponse | undefined, ask: () => Promise<void>): Promise<void> {
    const running = this.#refreshing.get(subject);
    if (running) return running;
    const refreshing = this.#askOrWait(subject, last, ask).finally(() => this.#refreshing.delete(subject));
    this.#refreshing.set(subject, refreshing);
    return refreshing;
  }

  async #askOrWait(subject: string, last: LastResponse | undefined, ask: () => Promise<void>): Promise<void> {
    if (!(await this.#store.beginAsking(subject, last, MAX_ASKING_S))) return this.#waitForAnother(subject);
    try {
      await ask();
    } catch (error) {
      await this.#store.giveUpAsking(subject);
      throw error;
    }
  }

  /** Waits until another process has refreshed the subject. */
  async #waitForAnother(subject: string): Promise<void> {
    for (const deadline = Date.now() + MAX_WAIT_MS; await this.#store.isPending(subject); await sleep(LOOK_AGAIN_MS)) {
      if (Date.now() > deadline)
        throw new BreachSourceError('slow', 'Another process is still waiting for the breach feed.');
    }
    if (isFresh(await this.#store.findLastResponse(subject))) return;
    throw new BreachSourceError('failing', 'Another process got no data from the breach feed.');
  }

  async #askForBreaches(): Promise<void> {
    await this.#store.storeBreaches(await this.#source.breaches());
  }

  /**
   * Stores the accounts of a domain. If an account is in an unknown breach, refreshes the list of breaches first. If
   * that refresh fails, the key of the breach serves as its title.
   */
  async #askForAccounts(domain: string): Promise<void> {
    const accounts = await this.#source.accounts(domain);
    const names = [...new Set(accounts.map(({ breach }) => breach))];
    if ((await this.#store.listUnknown(names)).length > 0) {
      const last = await this.#store.findLastResponse(ALL_BREACHES);
      await this.#once(ALL_BREACHES, last, () => this.#askForBreaches()).catch((error: unknown) => {
        if (!(error instanceof BreachSourceError)) throw error;
      });
    }
    await this.#store.storeAccounts(domain, accounts);
  }
}

const CODES: Record<BreachSourceFailure, ErrorCode> = {
  refused: 'breach_data_unavailable',
  limited: 'breach_data_unavailable',
  failing: 'breach_data_unavailable',
  unreadable: 'breach_data_unavailable',
  unreachable: 'service_unavailable',
  slow: 'service_timeout',
};

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  breach_data_unavailable: 'Breach data is temporarily unavailable for this organisation; try again later.',
  service_unavailable: 'The breach feed could not be reached; try again later.',
  service_timeout: 'The breach feed took too long to respond; try again later.',
};

const REFUSED =
  'Breach data is unavailable for this organisation, because the breach feed rejects the request; ask the operator of the service.';

function toApiError(error: BreachSourceError): ApiError {
  const code = CODES[error.failure];
  const { retryAfterMs = 0 } = error;
  return new ApiError(code, error.failure === 'refused' ? REFUSED : MESSAGES[code]!, {
    cause: error,
    advice: 'Do not read this as an absence of breaches.',
    ...(retryAfterMs > 0 && { headers: { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) } }),
  });
}

function isFresh(last: LastResponse | undefined): boolean {
  return last !== undefined && last.age < FRESH_MS;
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.cause instanceof BreachSourceError && error.cause.failure === 'refused';
}
