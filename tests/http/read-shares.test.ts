/** @jest-environment-options {"DATABASE_POOL_SIZE": "10", "RATE_LIMIT_PER_MINUTE": "0"} */
import pg from 'pg';
import { until } from '../support/until.ts';
import { get } from '../support/client.ts';
import { learnerId } from '../support/world.ts';

/** Blocks every read of learners; returns a function that unblocks them. */
async function holdReads(): Promise<() => Promise<void>> {
  // Without a listener, an error of this connection would end the test process.
  const holder = new pg.Client(testService.database.ownerUrl).on('error', () => undefined);
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table learners in access exclusive mode');
  return () => holder.end();
}

async function countHeldUp(): Promise<number> {
  const [row] = await testService.query(`select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and usename = 'awareness_service' and wait_event_type = 'Lock'`);
  return row!.count as number;
}

test('slow reads by one company leave enough connections for other companies', async () => {
  const release = await holdReads();
  const reads = Array.from({ length: 30 }, () => get(`/learners/${learnerId('tenant', 1)}`));
  await until(async () => (await countHeldUp()) === 6);
  expect((await get('/company', 'other')).status).toBe(200);
  expect(await countHeldUp()).toBe(6);
  await release();
  expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));
});

test('a company gets two connections while another company reads', async () => {
  const release = await holdReads();
  const other = setInterval(() => void get('/company', 'other').catch(() => undefined), 100);
  await get('/company', 'other');
  const reads = Array.from({ length: 30 }, () => get(`/learners/${learnerId('tenant', 1)}`));
  await get('/company', 'other');
  await until(async () => (await countHeldUp()) >= 2);
  await get('/company', 'other');
  // With a pooler, Postgres notices only later that the pipeline has cancelled its lookups.
  await until(async () => (await countHeldUp()) <= 2, 2000);
  await get('/company', 'other');
  const heldUp = await countHeldUp();
  clearInterval(other);
  await release();
  expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(heldUp).toBe(2);
});
