import type pg from 'pg';
import type { Breach, BreachedAccount } from './breach-source.ts';

/** What `age` is asked about beside domains: the list of all breaches. */
export const ALL_BREACHES = '*';

/** The answers of a source in Postgres, where all processes share them. */
export class AnswerStore {
  readonly #pool: pg.Pool;
  readonly #source: string;

  constructor(pool: pg.Pool, source: string) {
    this.#pool = pool;
    this.#source = source;
  }

  /** Milliseconds since the source last answered about a domain or `ALL_BREACHES`; infinite when it never has. */
  async age(subject: string): Promise<number> {
    const { rows } = await this.#pool.query<{ age: number }>(
      `select extract(epoch from now() - answered_at) * 1000 as age
         from breach_feed_answers where subject = $1 and source = $2 and answered_at is not null`,
      [subject, this.#source],
    );
    return rows[0]?.age ?? Infinity;
  }

  /** True for one of all who want to ask about a subject at a time, until it has stored the answer or given up. */
  async beginAsking(subject: string, seconds: number): Promise<boolean> {
    const { rows } = await this.#pool.query<{ mine: boolean }>('select begin_asking_breach_feed($1, $2, $3) as mine', [
      subject,
      this.#source,
      seconds,
    ]);
    return rows[0]!.mine;
  }

  async giveUpAsking(subject: string): Promise<void> {
    await this.#pool.query('select end_asking_breach_feed($1)', [subject]);
  }

  async isAsked(subject: string): Promise<boolean> {
    const { rows } = await this.#pool.query('select from breach_feed_answers where subject = $1 and asking_until > now()', [
      subject,
    ]);
    return rows.length > 0;
  }

  /** The names that are not in the list of breaches. */
  async unknownOf(names: readonly string[]): Promise<string[]> {
    const { rows } = await this.#pool.query<{ name: string }>(
      'select name from unnest($1::text[]) as name except select name from breaches',
      [names],
    );
    return rows.map(({ name }) => name);
  }

  async storeBreaches(breaches: readonly Breach[]): Promise<void> {
    const list = breaches.map(({ name, title, category, date, dataClasses }) => {
      return { name, title, category, breach_date: date, data_classes: dataClasses };
    });
    await this.#pool.query('select store_breaches($1, $2)', [this.#source, JSON.stringify(list)]);
  }

  async storeAccounts(domain: string, accounts: readonly BreachedAccount[]): Promise<void> {
    const list = JSON.stringify(accounts);
    await this.#pool.query('select store_breached_accounts($1, $2, $3)', [domain, this.#source, list]);
  }
}
