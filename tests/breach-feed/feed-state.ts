import type pg from 'pg';
import { BreachFeed } from '../../src/resources/breaches/feed/breach-feed.ts';
import {
  type Breach,
  type BreachedAccount,
  type BreachSource,
  BreachSourceError,
  type BreachSourceFailure,
} from '../../src/resources/breaches/feed/breach-source.ts';
import { openPool } from '../../src/db/pool.ts';
import type { ApiError } from '../../src/contract/errors.ts';
import { createLogs } from '../../src/observability/logger.ts';

/** A source that says what a test has written down for it. */
export class ScriptedSource implements BreachSource {
  readonly name: string;
  /** What it was asked: `*` or a domain. */
  asked: string[] = [];
  /** Names of the listed breaches. */
  list = ['Wander', 'Pixel'];
  /** By domain: names of breaches by alias. Other domains are clean. */
  domains: Record<string, Record<string, string[]>> = {};
  /** What it fails with when it is asked about these. */
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

  /** Answers nothing until it is released. */
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
/** What became of each answer that was wanted. */
export const feedOutcomes: string[] = [];

/** A feed as a process of its own has it. */
export function feedOf(source: BreachSource, connectionString = testService.database.serviceUrl): BreachFeed {
  const pool = openPool({
    connectionString,
    poolSize: 3,
    statementTimeoutMs: 5000,
    connectTimeoutMs: 2000,
    onIdleError: () => undefined,
  });
  pools.push(pool);
  const { logger } = createLogs('info', { write: (line) => void feedLog.push(line) });
  return new BreachFeed({ pool, source, logger, onAnswer: (outcome) => void feedOutcomes.push(outcome) });
}

/** For afterEach: forgets all answers, and closes what `feedOf` has opened. */
export async function forgetFeed(): Promise<void> {
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
  await testService.query('delete from breaches');
  await testService.query('delete from breach_feed_answers');
  feedLog.length = 0;
  feedOutcomes.length = 0;
}

/** Makes every answer, or those about some subjects, older. */
export async function age(interval: string, subjects?: string[]): Promise<void> {
  await testService.query(
    `update breach_feed_answers set answered_at = answered_at - $1::interval
      where $2::text[] is null or subject = any($2)`,
    [interval, subjects ?? null],
  );
}

/** The accounts as they are stored, each as `address breach`, in order. */
export async function storedAccounts(): Promise<string[]> {
  const rows = await testService.query(
    'select a.email, b.name from breached_accounts a join breaches b on b.id = a.breach_id order by 1, 2',
  );
  return rows.map(({ email, name }) => `${email as string} ${name as string}`);
}

/** The names and titles of the breaches as they are stored, in order. */
export async function storedBreaches(): Promise<Record<string, string>> {
  const rows = await testService.query('select name, title from breaches order by name');
  return Object.fromEntries(rows.map(({ name, title }) => [name as string, title as string]));
}

/** What a client would be told of a refresh; undefined when there is nothing to tell. */
export async function refusalOf(refresh: Promise<unknown>): Promise<ApiError | undefined> {
  return refresh.then(
    () => undefined,
    (error: unknown) => error as ApiError,
  );
}
