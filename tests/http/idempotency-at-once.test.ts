/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "STATEMENT_TIMEOUT_MS": "2500", "DATABASE_POOL_SIZE": "40"} */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { call, expectError } from '../support/client.ts';
import type { Caller } from '../../src/auth/caller.ts';
import { IdempotencyKey } from '../../src/operations/idempotency-key.ts';
import { companies } from '../support/world.ts';
import { countWaitingForLocks } from '../support/locks.ts';
import { until } from '../support/until.ts';

const PAIRS = 30;

const create = (key: string, name: string) =>
  call('tenant', 'POST', '/groups', { body: { name }, headers: { 'idempotency-key': key }, alone: false });
const isReplay = (headers: Headers) => headers.get('idempotency-replayed') === 'true';
const groupsCalled = (name: string) => testService.query('select id from groups where name like $1', [name]);

test('two identical concurrent calls have one effect and return the same response', async () => {
  for (let begun = 0; begun < PAIRS; begun += 6) {
    const pairs = Array.from({ length: 6 }, (_, index) => ({ key: randomUUID(), name: `Pair ${begun + index}` }));
    const answers = await Promise.all(
      pairs.map(({ key, name }) => Promise.all([create(key, name), create(key, name)])),
    );
    for (const [one, other] of answers) {
      expect([one.status, other.status]).toEqual([200, 200]);
      expect(other.text).toBe(one.text);
      expect([one, other].filter(({ headers }) => isReplay(headers))).toHaveLength(1);
    }
  }
  expect(await groupsCalled('Pair %')).toHaveLength(PAIRS);
  const entries = await testService.query(`select from audit_log where operation = 'createGroup'`);
  expect(entries).toHaveLength(PAIRS);
});

describe('a call with the same key as a blocked call', () => {
  let owner: pg.Client;
  beforeEach(async () => {
    owner = new pg.Client(testService.database.ownerUrl);
    await owner.connect();
    await owner.query('begin');
    await owner.query('insert into groups (company_id, id, name) values ($1, new_id(), $2)', [
      companies.tenant,
      'Held',
    ]);
  });
  afterEach(() => owner.end());

  /** Waits until this many calls wait for a lock. */
  const waiting = (count: number) => until(async () => (await countWaitingForLocks()) === count);

  test('waits for it and fails like it; a later call is executed', async () => {
    const key = randomUUID();
    const first = create(key, 'Held');
    await waiting(1);
    const second = create(key, 'Held');
    await waiting(2);
    await owner.query('commit');
    for (const answer of await Promise.all([first, second])) expectError(answer, 400, 'group_name_taken');
    await testService.query(`delete from groups where name = 'Held'`);
    const third = await create(key, 'Held');
    expect({ status: third.status, replay: isReplay(third.headers) }).toEqual({ status: 200, replay: false });
  });
});

test('a call that waits too long for the first one gets 504 with Retry-After', async () => {
  const key = randomUUID();
  const keyHash = new IdempotencyKey(key, []).hashFor({} as Caller);
  const owner = new pg.Client(testService.database.ownerUrl);
  await owner.connect();
  try {
    await owner.query('begin');
    await owner.query(
      `insert into idempotency_keys (company_id, key_hash, fingerprint) values ($1, $2, sha256('first'))`,
      [companies.tenant, keyHash],
    );
    const late = await create(key, 'Late');
    expectError(late, 504, 'service_timeout');
    expect(late.headers.get('retry-after')).toBe('5');
  } finally {
    await owner.end();
  }
  expect((await create(key, 'Late')).status).toBe(200);
});
