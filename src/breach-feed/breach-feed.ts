import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { ALL_BREACHES, AnswerStore } from './answer-store.ts';
import { BreachSourceError, type BreachSource, type BreachSourceFailure } from './breach-source.ts';

const HOUR_MS = 3_600_000;
const FRESH_MS = 24 * HOUR_MS;
const USABLE_MS = 7 * 24 * HOUR_MS;
/** Longer than a source takes for its two answers at worst. */
const LONGEST_ASKING_S = 40;
const LOOK_AGAIN_MS = 200;

/** Keeps what is known of breaches up to date, as far as somebody reads it. */
export class BreachFeed {
  readonly #source: BreachSource;
  readonly #store: AnswerStore;
  readonly #logger: Logger;
  readonly #refreshing = new Map<string, Promise<void>>();

  constructor(options: { pool: pg.Pool; source: BreachSource; logger: Logger }) {
    this.#source = options.source;
    this.#store = new AnswerStore(options.pool, options.source.name);
    this.#logger = options.logger;
  }

  /**
   * Resolves when the tables hold the breaches and the accounts of the domains: of the last day, or of the last week when
   * the source gives no answer now.
   * @throws {ApiError} `breach_data_unavailable`, `service_unavailable` or `service_timeout`
   */
  async refresh(domains: readonly string[]): Promise<void> {
    await this.#refresh(ALL_BREACHES, () => this.#askForBreaches());
    for (const domain of domains) await this.#refresh(domain, () => this.#askForAccounts(domain));
  }

  async #refresh(subject: string, ask: () => Promise<void>): Promise<void> {
    const age = await this.#store.age(subject);
    if (age < FRESH_MS) return;
    try {
      await this.#once(subject, ask);
    } catch (error) {
      if (!(error instanceof BreachSourceError)) throw error;
      const usable = age < USABLE_MS;
      this.#logger.warn({ err: error, failure: error.failure, subject, usable }, 'the breach feed gave no answer');
      if (!usable) throw apiErrorOf(error);
    }
  }

  /** One at a time asks about a subject; who comes meanwhile gets the same outcome. */
  #once(subject: string, ask: () => Promise<void>): Promise<void> {
    const running = this.#refreshing.get(subject);
    if (running) return running;
    const refreshing = this.#askOrWait(subject, ask).finally(() => this.#refreshing.delete(subject));
    this.#refreshing.set(subject, refreshing);
    return refreshing;
  }

  async #askOrWait(subject: string, ask: () => Promise<void>): Promise<void> {
    if (!(await this.#store.beginAsking(subject, LONGEST_ASKING_S))) return this.#waitForAnother(subject);
    try {
      await ask();
    } catch (error) {
      await this.#store.giveUpAsking(subject);
      throw error;
    }
  }

  /** Another process asks already. */
  async #waitForAnother(subject: string): Promise<void> {
    while (await this.#store.isAsked(subject)) await sleep(LOOK_AGAIN_MS);
    if ((await this.#store.age(subject)) >= FRESH_MS) {
      throw new BreachSourceError('failing', 'The breach feed gave another process no answer.');
    }
  }

  async #askForBreaches(): Promise<void> {
    await this.#store.storeBreaches(await this.#source.breaches());
  }

  /** A breach that is newer than the list of breaches has it read anew. Should that fail, its name has to do. */
  async #askForAccounts(domain: string): Promise<void> {
    const accounts = await this.#source.accounts(domain);
    const names = [...new Set(accounts.map(({ breach }) => breach))];
    if ((await this.#store.unknownOf(names)).length > 0) {
      await this.#once(ALL_BREACHES, () => this.#askForBreaches()).catch((error: unknown) => {
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
  breach_data_unavailable: 'Breach data is temporarily unavailable for this organization. Try again later.',
  service_unavailable: 'The source of breach data cannot be reached. Try again later.',
  service_timeout: 'The source of breach data took too long to answer. Try again later.',
};

function apiErrorOf(error: BreachSourceError): ApiError {
  const code = CODES[error.failure];
  const { retryAfterMs = 0 } = error;
  return new ApiError(code, MESSAGES[code]!, {
    cause: error,
    ...(retryAfterMs > 0 && { headers: { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) } }),
  });
}
