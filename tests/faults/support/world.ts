import pg from 'pg';
import { apiKeyFrom } from '../../../src/auth/api-key.ts';
import type { Database } from './postgres.ts';

/** A company of the fault tests; its learners are `learner1@...` and so on. */
export interface Company {
  number: number;
  id: string;
  key: string;
  domain: string;
}

const COURSES = 20;

/** The database of a scenario: companies with the requested numbers of learners, and a catalogue of courses. */
export class World {
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  #companies = 0;
  #owner: pg.Client | undefined;

  private constructor({ ownerUrl, serviceUrl }: Database) {
    this.ownerUrl = ownerUrl;
    this.serviceUrl = serviceUrl;
  }

  static async on(database: Database): Promise<World> {
    const world = new World(database);
    await world.query(
      `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
       select managed_catalogue(), ('0192a3b4-0000-7000-8000-3' || lpad(to_hex(n), 11, '0'))::uuid, 'training',
              'course-' || n, 'Course ' || n, 'Subject', 1 + n % 5, 80, '{en}'
         from generate_series(1, $1::integer) as n`,
      [COURSES],
    );
    return world;
  }

  /** The courses available to every company. */
  get courseIds(): string[] {
    return Array.from({ length: COURSES }, (_, index) => rowId(3, index + 1));
  }

  async company(learners: number): Promise<Company> {
    this.#companies += 1;
    const number = this.#companies;
    const id = rowId(9, number);
    const { publicId, key, keyHash } = apiKeyFrom(
      `faultkey${String(number).padStart(4, '0')}`,
      Buffer.alloc(32, number),
    );
    const domain = `company${number}.test`;
    await this.query(
      `insert into companies (id, name, account_type, plan_name, smbreachproenabled, smbreachprodomains)
       values ($1, $2, 'tenant', 'business', true, array[$3])`,
      [id, `Company ${number}`, domain],
    );
    await this.query(
      `insert into api_keys (id, company_id, public_id, key_hash, name) values ($1, $1, $2, $3, 'faults')`,
      [id, publicId, keyHash],
    );
    const company = { number, id, key, domain };
    await this.#insertLearners(company, learners);
    return company;
  }

  /** Creates a group with the first learners of the company. */
  async group(company: Company, learners: number): Promise<string> {
    const groupId = rowId(8, company.number);
    await this.query(`insert into groups (company_id, id, name) values ($1, $2, 'Everybody')`, [company.id, groupId]);
    await this.query(
      `insert into group_learners (company_id, group_id, learner_id)
       select company_id, $2, id from learners where company_id = $1 order by id limit $3`,
      [company.id, groupId, learners],
    );
    return groupId;
  }

  /** Queries as the owner of the database, who sees all rows; reconnects after a broken connection. */
  async query<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    this.#owner ??= await this.#connect();
    return (await this.#owner.query<R>(text, values)).rows;
  }

  async number(text: string, values: unknown[] = []): Promise<number> {
    const [row] = await this.query<{ number: string }>(`select (${text}) as number`, values);
    return Number(row!.number);
  }

  async close(): Promise<void> {
    await this.#owner?.end().catch(() => undefined);
  }

  async #connect(): Promise<pg.Client> {
    const owner = new pg.Client(this.ownerUrl);
    owner.on('error', () => (this.#owner = undefined));
    await owner.connect();
    return owner;
  }

  async #insertLearners({ id, number, domain }: Company, count: number): Promise<void> {
    await this.query(
      `insert into learners (company_id, id, email, first_name, last_name, locale)
       select $1, ('0192a3b4-0000-7000-8000-1' || lpad(to_hex($2::integer), 3, '0') || lpad(to_hex(n), 8, '0'))::uuid,
              'learner' || n || '@' || $3::text, 'First' || n, 'Last' || n, 'en'
         from generate_series(1, $4::integer) as n`,
      [id, number, domain, count],
    );
    await this.query('analyze learners');
  }
}

/** Returns the id of the learner with this number in the company. */
export function learnerId({ number }: Company, learner: number): string {
  return `0192a3b4-0000-7000-8000-1${number.toString(16).padStart(3, '0')}${learner.toString(16).padStart(8, '0')}`;
}

function rowId(kind: number, number: number): string {
  return `0192a3b4-0000-7000-8000-${kind}${number.toString(16).padStart(11, '0')}`;
}
