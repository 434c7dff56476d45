import { randomUUID } from 'node:crypto';
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { recordRisk } from '../../../src/resources/risk/record-risk.ts';
import { riskFacts, type RiskFactsRow } from '../../../src/resources/risk/risk-repository.ts';
import type { RiskFactor } from '../../../src/resources/risk/risk-rules.ts';
import { companies, type CompanyName, id } from '../../support/world.ts';
import { insertCourses } from '../courses/enrollment-state.ts';
import { insertPolicies } from '../policies/assignment-state.ts';

const MAX_OF_EACH = 12;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

const pool = openServicePool(8);
const access = new TenantAccess(pool);

/** Records the risk of a company, as the night before `today` does. */
export function run(company: CompanyName, today: string): Promise<void> {
  return recordRisk(access.ofJob(companies[company]), today);
}

/** Returns the facts of a company's active learners at the end of a day, read in pages of `limit`. */
export async function factsOf(company: CompanyName, day: string, limit = 10_000): Promise<RiskFactsRow[]> {
  const all: RiskFactsRow[] = [];
  for (let afterId = BEFORE_ALL_IDS; ;) {
    const rows = await access.ofJob(companies[company]).queryAll(riskFacts, { day, afterId, limit });
    all.push(...rows);
    if (rows.length < limit) return all;
    afterId = rows.at(-1)!.learnerId;
  }
}

export async function setModules(company: CompanyName, factors: RiskFactor[]): Promise<void> {
  await testService.query(
    'update companies set smphish = $2, smlearn = $3, smpolicy = $4, smbreachproenabled = $5 where id = $1',
    [
      companies[company],
      ...(['simulations', 'courses', 'policies', 'breaches'] as const).map((factor) => factors.includes(factor)),
    ],
  );
}

/** Prepares companies for up to 12 messages, enrolments and policy requests per learner. */
export function prepareRisk(...names: CompanyName[]): void {
  beforeAll(async () => {
    await testService.query(`update learners set created_at = '2020-01-01T00:00:00Z'`);
    for (const name of names) {
      await testService.query(
        `insert into simulations (company_id, id, name, status, delivery_method, start_date)
         select $1::uuid, ('0192b004-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Many ' || n, 'completed',
                'email', '2020-01-01' from generate_series(1, $2::integer) as n`,
        [companies[name], MAX_OF_EACH],
      );
      await insertPolicies(name, MAX_OF_EACH);
    }
    // Publishes the versions earlier than any signature in these tests.
    await testService.query(`update policy_versions set published_at = '2000-01-01Z' where id::text like '0192b003-%'`);
    // Course ids are unique across companies.
    await insertCourses(names[0]!, MAX_OF_EACH);
  });
  beforeEach(async () => {
    for (const name of names) {
      for (const table of ['simulation_recipients', 'enrollment_attempts', 'enrollments', 'policy_results']) {
        await testService.query(`delete from ${table} where company_id = $1`, [companies[name]]);
      }
    }
  });
  afterEach(async () => {
    const isNew = `id::text not like '0192a3b4-%'`;
    await testService.query(`delete from learners where ${isNew}`);
    for (const text of [
      'delete from risk_history',
      'delete from breaches',
      'update learners set risk_score = 0 where risk_score <> 0',
      `update learners set inactive = id::text ~ '[5]$' where inactive <> (id::text ~ '[5]$')`,
    ]) {
      await testService.query(text);
    }
    for (const name of names) await setModules(name, ['simulations', 'courses', 'policies', 'breaches']);
  });
  afterAll(() => pool.end());
}

/** Times, in UTC, of what happened to a message; an event without a time did not happen. */
export interface Message {
  sent?: string;
  opened?: string;
  visited?: string;
  compromised?: string;
  reported?: string;
}
interface Attempt {
  enrolled: string;
  finished?: string;
  /** Whether the learner passed; null if the finish has no grade. */
  passed?: boolean | null;
}
/** The newest attempt at a course, with the earlier ones. */
export interface Enrollment extends Attempt {
  earlier?: Required<Attempt>[];
}
export interface PolicyRequest {
  asked?: string;
  signed?: string;
}
export interface Happened {
  learnerId: string;
  messages?: Message[];
  enrollments?: Enrollment[];
  requests?: PolicyRequest[];
}

/** Stores facts of learners in the database. Courses belong to the first prepared company. */
export async function store(company: CompanyName, ...people: Happened[]): Promise<void> {
  const company_id = companies[company];
  const nth = (kind: string, n: number): string => `${kind}-0000-7000-8000-${(n + 1).toString(16).padStart(12, '0')}`;
  const messages = people.flatMap(({ learnerId, messages = [] }) =>
    messages.map((message, n) => ({
      ...{ company_id, learner_id: learnerId, simulation_id: nth('0192b004', n), id: randomUUID() },
      ...{ created_at: '2020-01-01T00:00:00Z', scheduled_at: '2020-01-01T00:00:00Z' },
      ...{ sent_at: message.sent, reported_at: message.reported },
      ...{ opened_at: message.opened, visited_at: message.visited, compromised_at: message.compromised },
    })),
  );
  const enrollments = people.flatMap(({ learnerId, enrollments = [] }) =>
    enrollments.map(({ earlier = [], ...newest }, n) =>
      [...earlier, newest].map(({ enrolled, finished, passed }, before) => ({
        ...{ company_id, learner_id: learnerId, course_id: nth('0192b001', n), course_owner_id: company_id },
        ...{ attempt_id: randomUUID(), attempt: before + 1, recorded_at: enrolled },
        ...{ enroll_date: enrolled, start_date: finished, finish_date: finished },
        ...(finished === undefined ? {} : passed === null ? {} : { score: passed ? 90 : 10, passed: passed ?? false }),
      })),
    ),
  );
  const requests = people.flatMap(({ learnerId, requests = [] }) =>
    requests.map(({ asked, signed }, n) => ({
      ...{ company_id, learner_id: learnerId, policy_id: nth('0192b002', n), id: randomUUID() },
      ...{ assigned_at: asked, asked_at: asked, signed, signed_offline: false, recorded_at: asked ?? signed },
      ...(signed === undefined ? {} : { signed_version_id: nth('0192b003', n) }),
    })),
  );
  for (const [table, rows] of Object.entries({
    simulation_recipients: messages,
    enrollments: enrollments.map((attempts) => attempts.at(-1)),
    enrollment_attempts: enrollments.flatMap((attempts) => attempts.slice(0, -1)),
    policy_results: requests,
  })) {
    await testService.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(rows),
    ]);
  }
}

/** Stores breaches by their data classes, each with its addresses. */
export async function storeBreaches(breaches: { dataClasses: string[]; emails: string[] }[]): Promise<void> {
  for (const [index, { dataClasses, emails }] of breaches.entries()) {
    await testService.query(
      `insert into breaches (id, name, title, category, data_classes) values ($1, $2, $2, 'Website', $3)`,
      [id('d', index), `Breach ${index}`, dataClasses],
    );
    await testService.query(
      `insert into breached_accounts (domain, email, breach_id)
       select lower(split_part(email, '@', 2)), lower(email), $2 from unnest($1::text[]) as email`,
      [emails, id('d', index)],
    );
  }
}

/** Returns the scores of a company's learners, ordered by id. */
export async function scoresOf(company: CompanyName): Promise<number[]> {
  const rows = await testService.query('select risk_score from learners where company_id = $1 order by id', [
    companies[company],
  ]);
  return rows.map((row) => row.risk_score as number);
}

export interface RecordedDay {
  date: string;
  average: number;
  /** Learner counts by level, lowest first. */
  levels: number[];
}

export async function historyOf(company: CompanyName): Promise<RecordedDay[]> {
  const rows = await testService.query(
    `select date::text, average_score::float as average,
            array[low_count, moderate_count, high_count, critical_count] as levels
       from risk_history where company_id = $1 order by date`,
    [companies[company]],
  );
  return rows as unknown as RecordedDay[];
}

/** Stores a recorded day in the database. */
export async function storeRecordedDay(company: CompanyName, date: string): Promise<void> {
  await testService.query('insert into risk_history values ($1, $2, 50, 0, 0, 1, 0)', [companies[company], date]);
}

/** Makes only these learners of a company active. */
export async function activate(company: CompanyName, ...learnerIds: string[]): Promise<void> {
  await testService.query('update learners set inactive = id <> all($2::uuid[]) where company_id = $1', [
    companies[company],
    learnerIds,
  ]);
}
