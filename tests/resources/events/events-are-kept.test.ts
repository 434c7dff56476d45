import { companies } from '../../support/world.ts';
import { eventsOf, here, page } from './event-state.ts';

async function tidyUp(): Promise<number> {
  for (let steps = 1; ; steps++) {
    const [row] = await testService.query('select rotate_event_log_partitions(31) as more');
    if (!row!.more) return steps;
  }
}
const rows = async (sql: string) => (await testService.query(sql)).map((row) => Object.values(row)[0]);
const days = () =>
  rows(`select inhrelid::regclass::text from pg_inherits where inhparent = 'events'::regclass order by 1`);
const dayFromNow = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
const partition = (count: number) => `events_${dayFromNow(count).replaceAll('-', '')}`;

const insertRow = (day: string) =>
  testService.query(`insert into events (company_id, day, type, data) values ($1, $2, 'group.created', '{}')`, [
    companies.tenant,
    day,
  ]);

test('each night creates the partitions of a week and drops partitions and rows older than a month', async () => {
  await here();
  await testService.query(
    `create table ${partition(-32)} partition of events for values from ('${dayFromNow(-32)}') to ('${dayFromNow(-31)}')`,
  );
  for (const day of [-40, -32, -30, 0, 3]) await insertRow(dayFromNow(day));
  // Rows of a day without a partition would stay in events_other.
  await testService.query('delete from events_other where day > current_date');
  await tidyUp();
  expect(await days()).toEqual([...[1, 2, 3, 4, 5, 6, 7].map(partition), 'events_other']);
  await insertRow(dayFromNow(3));
  expect(await rows(`select day::text from events where type = 'group.created' order by day`)).toEqual(
    [-30, 0, 3].map(dayFromNow),
  );
  expect(await rows(`select tableoid::regclass::text from events where day > current_date`)).toEqual([partition(3)]);
  expect(await tidyUp()).toBe(1);
  expect(await days()).toHaveLength(8);
});

test('after missed nights, each step is a short transaction for one past day or one partition', async () => {
  await testService.query('truncate events');
  for (const day of [-33, -32, -8, -1, 0]) await insertRow(dayFromNow(day));
  const before = (await days()).length;
  await tidyUp();
  expect(await rows(`select distinct day::text from events_other order by 1`)).toEqual([-8, -1, 0].map(dayFromNow));
  await testService.query(`drop table ${partition(6)}, ${partition(7)}`);
  const step = async () => (await testService.query('select rotate_event_log_partitions(31) as more'))[0]!.more;
  expect([await step(), (await days()).length]).toEqual([true, before - 1]);
  expect([await step(), (await days()).length]).toEqual([true, before]);
  expect(await step()).toBe(false);
});

test('unread events are turned off after a month, and on again by the next call', async () => {
  const rename = (name: string) =>
    eventsOf(() => testService.query('update groups set name = $1 where name = $2', [name, 'Group 1']));
  await here();
  await page({ children: true }, 'msp');
  await testService.query(
    `update event_readers set own_read_at = now() - interval '30 days' where own_read_at is not null`,
  );
  await tidyUp();
  expect(await rows('select count(*)::integer from event_readers where own_read_at is not null')).toEqual([1]);
  await testService.query(
    `update event_readers set own_read_at = now() - interval '31.1 days' where own_read_at is not null`,
  );
  await tidyUp();
  expect(await rows('select company_id from event_readers')).toEqual([companies.msp]);
  await testService.query(`update groups set name = 'Unseen' where name = 'Group 2'`);
  expect((await rename('Seen')).length).toBe(1);
});
