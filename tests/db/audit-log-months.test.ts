import pg from 'pg';
import { companies } from '../support/world.ts';

const service = new pg.Client(testService.database.serviceUrl);
beforeAll(() => service.connect());
afterAll(() => service.end());

/** Inserts an audit record of an event that occurred the given number of days ago. */
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

test('rotation creates partitions for the next two months once, and inserts still work', async () => {
  await enter(0);
  for (let night = 0; night < 2; night++) await service.query('select rotate_audit_log_partitions()');
  expect(await partitions()).toEqual([nameOf(1), nameOf(2), 'audit_log_default']);
  for (const days of [0, -40]) await enter(days);
  expect(await testService.query(`select from audit_log where actor_id = 'months'`)).toHaveLength(3);
  expect(await testService.query(`select from audit_log_default where actor_id = 'months'`)).toHaveLength(2);
});

test('rotation deletes records older than 400 days, dropping partitions that are older as a whole', async () => {
  for (const days of [399.9, 400.1]) await enter(days);
  await service.query('select rotate_audit_log_partitions()');
  const old = `select from audit_log where actor_id = 'months' and occurred_at < now() - interval '1 day'`;
  const kept = (await testService.query(old)).length;
  await testService.query(`delete from audit_log where actor_id = 'months'`);
  const [last] = await testService.query(
    `select to_char(m, '"audit_log_"YYYY_MM') as month, m::date::text as begins, (m + interval '1 month')::date::text as ends,
            to_char(m - interval '1 month', '"audit_log_"YYYY_MM') as before,
            (m - interval '1 month')::date::text as before_begins
       from date_trunc('month', (now() at time zone 'utc') - interval '400 days') as m`,
  );
  const { month, begins, ends, before, before_begins: earlier } = last as Record<string, string>;
  await testService.query(`
    create table ${before} partition of audit_log for values from ('${earlier}Z') to ('${begins}Z');
    create table ${month} partition of audit_log for values from ('${begins}Z') to ('${ends}Z')`);
  await service.query('select rotate_audit_log_partitions()');
  expect(kept).toBe(1);
  expect(await partitions()).toContain(month);
  expect(await partitions()).not.toContain(before);
});

test('the service cannot delete younger records', async () => {
  await expect(service.query('select rotate_audit_log_partitions(-100000)')).rejects.toThrow('does not exist');
});
