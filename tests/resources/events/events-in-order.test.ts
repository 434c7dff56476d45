import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../../support/client.ts';
import { companies, groupId, learnerId } from '../../support/world.ts';
import { here, openTransaction, page, type SeenEvent, settled } from './event-state.ts';

const random = (below: number) => Math.floor(Math.random() * below);
const write = (method: string, path: string, body?: object) => call('tenant', method, path, { body, alone: false });

/** Makes one change, through the service or in a slow transaction that might be rolled back. */
async function change(number: number): Promise<void> {
  const learner = learnerId('tenant', (1 + random(4)) as 1);
  const path = `/groups/${groupId('tenant', (1 + random(2)) as 1)}/learners`;
  if (random(3) > 0) {
    await write('POST', `${path}/${random(2) > 0 ? 'add' : 'remove'}`, { learnerIds: [learner] });
    return void (await write('POST', '/groups', { name: `Random ${number}` }));
  }
  const slow = await openTransaction();
  const insert = 'insert into groups (company_id, id, name) values ($1, gen_random_uuid(), $2)';
  for (let part = 0; part < 3; part++) {
    await slow.query(insert, [companies.tenant, `Slow ${number} ${part}`]);
    await sleep(random(20));
  }
  await slow.query(random(3) > 0 ? 'commit' : 'rollback');
  await slow.end();
}

test('pages read during changes contain each committed event once, in the order of the log', async () => {
  const start = await here();
  const writers = Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      for (let number = 0; number < 25; number++) await change(writer * 100 + number);
    }),
  );
  let isOver = false;
  void writers.finally(() => (isOver = true));
  const seen: SeenEvent[] = [];
  for (let after = start, isLast = false; ;) {
    if (isOver && !isLast) await settled().then(() => (isLast = true));
    const { events, nextCursor, hasMore } = await page({ after, limit: 1 + random(5) });
    seen.push(...events);
    after = nextCursor;
    if (isLast && !hasMore) break;
  }
  await writers;
  const committed = await testService.query('select id from events where company_id = $1 order by transaction_id, id', [
    companies.tenant,
  ]);
  expect(seen.length).toBeGreaterThan(100);
  expect(seen.map(({ id }) => id)).toEqual(committed.map(({ id }) => id));
  expect((await page({ after: start, limit: 1000 })).events).toEqual(seen);
}, 30_000);
