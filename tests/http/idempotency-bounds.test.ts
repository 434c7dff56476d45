/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { randomUUID } from 'node:crypto';
import { type Answer, call, expectError, fingerprintOf, post } from '../support/client.ts';
import { companies, type KeyName } from '../support/world.ts';

interface Asked {
  key?: string;
  body: unknown;
  who?: KeyName;
}

/** Creates a group. */
function ask({ key = randomUUID(), body, who = 'tenant' }: Asked): Promise<Answer> {
  return call(who, 'POST', '/groups', { body, headers: { 'idempotency-key': key } });
}

describe('the stored responses of a company', () => {
  const MAX_BYTES = 256 * 1024 * 1024;
  const store = (company: string, bytes: number, age: string) =>
    testService.query(
      `insert into idempotency_bytes as b (company_id, slot, hour, bytes)
       select $1, extract(epoch from at)::bigint / 3600 % 26, at, $2
         from date_trunc('hour', now() - $3::interval) as at
       on conflict (company_id, slot) do update set hour = excluded.hour, bytes = excluded.bytes`,
      [company, bytes, age],
    );
  const bytesOf = async (company: string) => {
    const [row] = await testService.query('select sum(bytes) as bytes from idempotency_bytes where company_id = $1', [
      company,
    ]);
    return Number(row!.bytes);
  };
  const name = () => ({ name: randomUUID() });
  beforeEach(() => testService.query('delete from idempotency_bytes'));

  test('count for a new response, not for a replayed, rejected or unkeyed call', async () => {
    const asked = { key: randomUUID(), body: name() };
    await ask(asked);
    const counted = await bytesOf(companies.tenant);
    expect(counted).toBeGreaterThan(300);
    await ask(asked);
    await ask({ body: asked.body });
    await post('/groups', name());
    expect(await bytesOf(companies.tenant)).toBe(counted);
    await ask({ body: name() });
    expect(await bytesOf(companies.tenant)).toBeGreaterThan(counted);
  });

  test.each([
    ['is full', MAX_BYTES + 1],
    ['has room for only a part of the response', MAX_BYTES - 10],
  ])('if the store %s, the call changes nothing and returns 429 with Retry-After', async (_case, bytes) => {
    await store(companies.tenant, bytes, '3 hours');
    const before = await fingerprintOf('tenant');
    const answer = await ask({ body: name() });
    expectError(answer, 429, 'rate_limited');
    const retryAfter = Number(answer.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(21 * 3600 - 1);
    expect(retryAfter).toBeLessThanOrEqual(22 * 3600);
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await testService.query(`select from idempotency_keys where answer = ''`)).toEqual([]);
    expect((await post('/groups', name())).status).toBe(200);
    expect((await ask({ who: 'other', body: name() })).status).toBe(200);
  });

  test('limit concurrent calls to the remaining space', async () => {
    await ask({ body: name() });
    const each = await bytesOf(companies.tenant);
    await store(companies.tenant, MAX_BYTES - 3 * each - Math.floor(each / 2), '5 hours');
    await testService.query(`delete from idempotency_bytes where hour > now() - interval '2 hours'`);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ body: name() })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await bytesOf(companies.tenant)).toBeLessThanOrEqual(MAX_BYTES);
  });

  test('free their space after a day', async () => {
    await store(companies.tenant, 2 * MAX_BYTES, '26 hours');
    expect((await ask({ body: name() })).status).toBe(200);
    expect(await bytesOf(companies.tenant)).toBeLessThan(MAX_BYTES);
  });
});
