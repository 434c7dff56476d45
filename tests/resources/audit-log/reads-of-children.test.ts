/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { setTimeout as sleep } from 'node:timers/promises';
import { post } from '../../support/client.ts';
import { companies, id, type KeyName } from '../../support/world.ts';
import { openTransaction, page, settled } from '../events/event-state.ts';
import { entered } from './audit-state.ts';

const HOUR_MS = 3_600_000;

/** No hour begins in between. */
beforeAll(async () => {
  const leftMs = HOUR_MS - (Date.now() % HOUR_MS);
  if (leftMs < 10_000) await sleep(leftMs);
}, 20_000);

/** What a list of the events of all children leaves. */
async function read(after: string, key: KeyName) {
  await settled();
  return (await entered(key, 'GET', `/events?children=true&after=${after}`)).entries;
}

test('a list of the events of all children is entered in each child whose events it has, once an hour', async () => {
  const { nextCursor } = await page({ children: true }, 'msp');
  expect(await read(nextCursor, 'msp')).toEqual([]);

  await post('/groups', { name: 'First' }, 'childA');
  expect(await read(nextCursor, 'msp')).toMatchObject([
    {
      company_id: companies.childA,
      actor_type: 'key',
      actor_id: id('e', 3),
      actor_company_id: companies.msp,
      operation: 'listEvents',
      outcome: 'done',
      targets: [],
      fields: [],
      address: '127.0.0.1',
    },
  ]);
  await post('/groups', { name: 'Second' }, 'childB');
  expect(await read(nextCursor, 'msp')).toMatchObject([{ company_id: companies.childB }]);
  expect(await read(nextCursor, 'msp')).toEqual([]);
  // Another reader is entered for itself.
  await settled();
  const { entries } = await entered('distributor', 'GET', '/events?children=true');
  expect(entries.map((entry) => entry.company_id).toSorted()).toEqual([companies.childA, companies.childB]);
});

test('another process of the service finds what this one has entered', async () => {
  const entry = JSON.stringify({ actorType: 'key', actorId: 'another', operation: 'listEvents' });
  const session = await openTransaction('msp');
  const enter = async (child: string) => {
    const { rows } = await session.query('select audit_child_reads($1, $2) as entered', [[child], entry]);
    return rows[0].entered as number;
  };
  try {
    expect(await enter(companies.childA)).toBe(1);
    expect(await enter(companies.childA)).toBe(0);
    // It is no way into the log of a company that is no child.
    expect([await enter(companies.other), await enter(companies.directChild)]).toEqual([0, 0]);
  } finally {
    await session.end();
  }
});
