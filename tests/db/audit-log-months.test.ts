import pg from 'pg';
import { companies } from '../support/world.ts';

const service = new pg.Client(testService.database.serviceUrl);
beforeAll(() => service.connect());
afterAll(() => service.end());

/** Enters something that happened so many days ago. */
function enter(days: number): Promise<unknown> {
  return testService.query(
    `insert into audit_log (company_id, occurred_at, actor_type, actor_id, actor_company_id, operation, outcome, targets, fields)
     values ($1, now() - $2 * interval '1 day', 'key', 'months', $1, 'createGroup', 'done', '[]', '{}')`,
    [companies.tenant, days],
  );
}

async function partitions(): Promise<string[]> {
  const rows = await testService.query(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_log'::regclass order by 1`,
  );
  return rows.map(({ name }) => name as string);
}

const nameOf = (offset: number) => {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset));
  return `audit_log_${month.toISOString().slice(0, 7).replace('-', '_')}`;
};

test('the next two months get their partitions, once, and entries go on', async () => {
  await enter(0);
  for (let night = 0; night < 2; night++) await service.query('select turn_audit_log(400)');
  expect(await partitions()).toEqual([nameOf(1), nameOf(2), 'audit_log_default']);
  for (const days of [0, -40]) await enter(days);
  expect(await testService.query(`select from audit_log where actor_id = 'months'`)).toHaveLength(3);
  expect(await testService.query(`select from audit_log_default where actor_id = 'months'`)).toHaveLength(2);
});

test('what is older than 400 days goes, with its month where that is a partition', async () => {
  await testService.query(`
    create table audit_log_2020_01 partition of audit_log for values from ('2020-01-01') to ('2020-02-01');
    create table audit_log_2020_02 partition of audit_log for values from ('2020-02-01') to ('2020-03-01')`);
  for (const days of [399.9, 400.1]) await enter(days);
  const [age] = await testService.query(`select extract(day from now() - '2020-02-15')::integer as days`);
  await service.query('select turn_audit_log($1)', [age!.days]);
  expect(await partitions()).toContain('audit_log_2020_02');
  expect(await partitions()).not.toContain('audit_log_2020_01');
  await service.query('select turn_audit_log(400)');
  expect(await partitions()).not.toContain('audit_log_2020_02');
  const left = await testService.query(
    `select from audit_log where actor_id = 'months' and occurred_at < now() - interval '1 day'`,
  );
  expect(left).toHaveLength(1);
});
