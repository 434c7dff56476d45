import type pg from 'pg';
import type { Breach, BreachedAccount } from './breach-source.ts';

/** Subject that stands for the list of all breaches; every other subject is a domain. */
export const ALL_BREACHES = '*';

export interface LastResponse {
  /** Time of the answer, in ISO 8601. */
  at: string;
  /** Age of the response in milliseconds. */
  age: number;
}

/** Stores the answers of a source in Postgres, so that all processes share them. */
export class ResponseStore {
  readonly #pool: pg.Pool;
  readonly #source: string;

  constructor(pool: pg.Pool, source: string) {
    this.#pool = pool;
    this.#source = source;
  }

  /** Returns the time of the last answer about a domain or `ALL_BREACHES`; undefined if there was none. */
  async findLastResponse(subject: string): Promise<LastResponse | undefined> {
    const { rows } = await this.#pool.query<LastResponse>(
      `select answered_at as at, extract(epoch from now() - answered_at) * 1000 as age
         from breach_feed_answers where subject = $1 and source = $2 and answered_at is not null`,
      [subject, this.#source],
    );
    return rows[0];
  }

  /**
   * Leases the refresh of a subject for at most `seconds`. Returns true for only one caller at a time, until that
   * caller stores the answer or gives up.
   * @param lastResponse the last answer that the caller knows; if there is a newer one, returns false
   */
  async beginAsking(subject: string, lastResponse: LastResponse | undefined, seconds: number): Promise<boolean> {
    const { rows } = await this.#pool.query<{ mine: boolean }>(
      'select lease_breach_feed_refresh($1, $2, $3, $4) as mine',
      [subject, this.#source, lastResponse?.at, seconds],
    );
    return rows[0]!.mine;
  }

  async giveUpAsking(subject: string): Promise<void> {
    await this.#pool.query('select release_breach_feed_refresh($1)', [subject]);
  }

  async isPending(subject: string): Promise<boolean> {
    const { rows } = await this.#pool.query(
      'select from breach_feed_answers where subject = $1 and refresh_lease_until > now()',
      [subject],
    );
    return rows.length > 0;
  }

  /** Returns the names that are not in the list of breaches. */
  async listUnknown(names: readonly string[]): Promise<string[]> {
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
    await this.#pool.query('select store_breaches($1, $2) from take_advisory_lock_on_citus()', [
      this.#source,
      JSON.stringify(list),
    ]);
  }

  async storeAccounts(domain: string, accounts: readonly BreachedAccount[]): Promise<void> {
    const list = JSON.stringify(accounts);
    await this.#pool.query('select store_breached_accounts($1, $2, $3) from take_advisory_lock_on_citus()', [
      domain,
      this.#source,
      list,
    ]);
  }
}
