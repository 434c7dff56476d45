/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { setTimeout as sleep } from 'node:timers/promises';
import { post } from '../../support/client.ts';
import { companies, id, type KeyName } from '../../support/world.ts';
import { openTransaction, page, settled } from '../events/event-state.ts';
import { entered } from './audit-state.ts';

const HOUR_MS = 3_600_000;

/** Waits for the next hour if it begins within ten seconds. */
beforeAll(async () => {
  const leftMs = HOUR_MS - (Date.now() % HOUR_MS);
  if (leftMs < 10_000) await sleep(leftMs);
}, 20_000);

/** Lists the events of all children and returns the audit log entries of the call. */
async function read(after: string, key: KeyName) {
  await settled();
  return (await entered(key, 'GET', `/events?children=true&after=${after}`)).entries;
}

test('listing the events of all children writes one entry an hour to each child with listed events', async () => {
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
  // Reads by another reader get separate entries.
  await settled();
  const { entries } = await entered('distributor', 'GET', '/events?children=true');
  expect(entries.map((entry) => entry.company_id).toSorted()).toEqual([companies.childA, companies.childB]);
});

test('processes share the record of entries written in the last hour', async () => {
  const entry = JSON.stringify({ actorType: 'key', actorId: 'another', operation: 'listEvents' });
  const session = await openTransaction('msp');
  const enter = async (child: string) => {
    const { rows } = await session.query('select audit_child_reads($1, $2) as entered', [[child], entry]);
    return rows[0].entered as number;
  };
  try {
    expect(await enter(companies.childA)).toBe(1);
    expect(await enter(companies.childA)).toBe(0);
    // The function cannot write to the log of a company that is not a child.
    expect([await enter(companies.other), await enter(companies.directChild)]).toEqual([0, 0]);
  } finally {
    await session.end();
  }
});
