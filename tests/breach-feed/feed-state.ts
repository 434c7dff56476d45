import type pg from 'pg';
import { BreachFeed } from '../../src/resources/breaches/feed/breach-feed.ts';
import {
  type Breach,
  type BreachedAccount,
  type BreachSource,
  BreachSourceError,
  type BreachSourceFailure,
} from '../../src/resources/breaches/feed/breach-source.ts';
import { openServicePool } from '../support/service-pool.ts';
import type { ApiError } from '../../src/contract/errors.ts';
import { createLogs } from '../../src/observability/logger.ts';

/** A source whose answers a test sets. */
export class ScriptedSource implements BreachSource {
  readonly name: string;
  /** The requested subjects: `*` or a domain. */
  asked: string[] = [];
  /** The names of the listed breaches. */
  list = ['Wander', 'Pixel'];
  /** The names of breaches by domain and alias. Other domains are clean. */
  domains: Record<string, Record<string, string[]>> = {};
  /** The errors with which requests about a subject fail. */
  readonly failures = new Map<string, BreachSourceError>();
  #held: { open: Promise<void>; release: () => void } | undefined;

  constructor(name = 'scripted') {
    this.name = name;
  }

  async breaches(): Promise<Breach[]> {
    await this.#take('*');
    return this.list.map((name) => breach(name));
  }

  async accounts(domain: string): Promise<BreachedAccount[]> {
    await this.#take(domain);
    return Object.entries(this.domains[domain] ?? {}).flatMap(([alias, names]) =>
      names.map((name) => ({ email: `${alias}@${domain}`, breach: name })),
    );
  }

  /** Delays all answers until `release`. */
  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = { open: promise, release: resolve };
  }

  release(): void {
    this.#held?.release();
    this.#held = undefined;
  }

  fail(failure: BreachSourceFailure, subjects: string[], retryAfterMs?: number): void {
    for (const subject of subjects) {
      this.failures.set(
        subject,
        new BreachSourceError(failure, 'hush-hush', { ...(retryAfterMs && { retryAfterMs }) }),
      );
    }
  }

  async #take(subject: string): Promise<void> {
    this.asked.push(subject);
    await this.#held?.open;
    const failure = this.failures.get(subject);
    if (failure) throw failure;
  }
}

export function breach(name: string, more: Partial<Breach> = {}): Breach {
  return { name, title: `The ${name} breach`, category: 'Travel', date: '2024-11-17', dataClasses: ['Names'], ...more };
}

const pools: pg.Pool[] = [];
export const feedLog: string[] = [];
/** The outcomes that the feeds reported to `onAnswer`. */
export const feedOutcomes: string[] = [];

/** Creates a feed with its own connection pool, as a separate process would. */
export function feedOf(source: BreachSource, connectionString = testService.database.serviceUrl): BreachFeed {
  const pool = openServicePool(3, { connectionString });
  pools.push(pool);
  const { logger } = createLogs('info', { write: (line) => void feedLog.push(line) });
  return new BreachFeed({ pool, source, logger, onAnswer: (outcome) => void feedOutcomes.push(outcome) });
}

/** Deletes all answers and closes the pools that `feedOf` opened; for afterEach. */
export async function forgetFeed(): Promise<void> {
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
  await testService.query('delete from breaches');
  await testService.query('delete from breach_feed_answers');
  feedLog.length = 0;
  feedOutcomes.length = 0;
}

/** Ages every answer, or only the answers about some subjects. */
export async function age(interval: string, subjects?: string[]): Promise<void> {
  await testService.query(
    `update breach_feed_answers set answered_at = answered_at - $1::interval
      where $2::text[] is null or subject = any($2)`,
    [interval, subjects ?? null],
  );
}

/** Returns the stored accounts as `address breach`, in order. */
export async function storedAccounts(): Promise<string[]> {
  const rows = await testService.query(
    'select a.email, b.name from breached_accounts a join breaches b on b.id = a.breach_id order by 1, 2',
  );
  return rows.map(({ email, name }) => `${email as string} ${name as string}`);
}

/** Returns the names and titles of the stored breaches, in order. */
export async function storedBreaches(): Promise<Record<string, string>> {
  const rows = await testService.query('select name, title from breaches order by name');
  return Object.fromEntries(rows.map(({ name, title }) => [name as string, title as string]));
}

/** Returns the error of a refresh that a client would see; undefined if there is none. */
export async function refusalOf(refresh: Promise<unknown>): Promise<ApiError | undefined> {
  return refresh.then(
    () => undefined,
    (error: unknown) => error as ApiError,
  );
}
