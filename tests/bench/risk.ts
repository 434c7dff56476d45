import pg from 'pg';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import type { BenchDatabase } from './dataset.ts';
import { startContestant, stopContestant } from './processes.ts';
import type { Figure } from './run.ts';

const COMPANIES = 1000;
const LEARNERS_EACH = 500;

/** Measures the nightly job through the queue: one job for each of 1,000 companies, each scoring 500 learners. */
export async function benchRisk({ ownerUrl, serviceUrl }: BenchDatabase): Promise<Figure[]> {
  await insertCompanies(ownerUrl);
  const worker = await startContestant('src/main.ts', { DATABASE_URL: serviceUrl });
  const service = new pg.Client(serviceUrl);
  await service.connect();
  const startedAt = performance.now();
  await service.query(`select queue_for_companies('record_risk', '2026-11-21')`);
  while (await countJobs(ownerUrl)) await new Promise((resolve) => setTimeout(resolve, 250));
  const seconds = (performance.now() - startedAt) / 1000;
  await service.end();
  await stopContestant(worker);
  await expectRecorded(ownerUrl);
  const [companies, learners] = [COMPANIES, COMPANIES * LEARNERS_EACH].map((count) => count.toLocaleString('en'));
  return [
    {
      what: `the nightly risk scores of ${companies} companies, ${learners} learners`,
      against: '',
      unit: 'learners/s',
      target: undefined,
      least: true,
      value: (COMPANIES * LEARNERS_EACH) / seconds,
    },
  ];
}

async function countJobs(ownerUrl: string): Promise<number> {
  return countOf(ownerUrl, 'select count(*)::integer as count from graphile_worker._private_jobs');
}

async function expectRecorded(ownerUrl: string): Promise<void> {
  const recorded = await countOf(
    ownerUrl,
    `select count(*)::integer as count from risk_history
      where low_count + moderate_count + high_count + critical_count = ${LEARNERS_EACH}`,
  );
  if (recorded !== COMPANIES) throw new Error(`${recorded} companies were recorded`);
}

async function countOf(ownerUrl: string, query: string): Promise<number> {
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  const { rows } = await owner.query<{ count: number }>(query);
  await owner.end();
  return rows[0]!.count;
}

/** Gives each learner two finished courses, an open one, and four simulation messages. */
async function insertCompanies(ownerUrl: string): Promise<void> {
  const owner = openOwnerDatabase(ownerUrl);
  await owner.raw(
    `insert into companies (id, name, account_type, plan_name)
     select ('0192a3b4-0000-7000-8000-e' || lpad(to_hex(n), 11, '0'))::uuid, 'Risk ' || n, 'tenant', 'business'
       from generate_series(1, ?::integer) as n`,
    [COMPANIES],
  );
  const ofRisk = `name like 'Risk %'`;
  await owner.raw(
    `insert into learners (company_id, id, email, first_name, last_name, created_at)
     select c.id, gen_random_uuid(), 'learner' || n || '@risk.test', 'First', 'Last', '2025-01-01'
       from companies c cross join generate_series(1, ?::integer) as n where ${ofRisk}`,
    [LEARNERS_EACH],
  );
  await owner.raw(
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date, start_date, finish_date,
                              score, passed)
     select l.company_id, l.id, c.id, c.owner_id, '2026-09-01', f, f, case when f is not null then 90 end,
            case when f is not null then true end
       from learners l join companies k on k.id = l.company_id and k.${ofRisk}
      cross join (select *, case when n < 3 then date '2026-09-02' end as f
                    from (select id, owner_id, row_number() over (order by id) as n from courses) as all_courses
                   where n <= 3) as c`,
  );
  await owner.raw(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date)
     select c.id, new_id(), 'Simulation ' || n, 'completed', 'email', '2026-06-01'
       from companies c cross join generate_series(1, 4) as n where ${ofRisk}`,
  );
  await owner.raw(
    `insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at, sent_at, visited_at)
     select s.company_id, s.id, l.id, '2026-06-02', '2026-06-02', case when random() < 0.2 then date '2026-06-02' end
       from simulations s join companies k on k.id = s.company_id and k.${ofRisk}
       join learners l on l.company_id = s.company_id`,
  );
  await owner.raw('vacuum analyze');
  await owner.destroy();
}
