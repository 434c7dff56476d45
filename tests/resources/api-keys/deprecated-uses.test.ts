import { jest } from '@jest/globals';
import { DeprecatedUses } from '../../../src/auth/deprecated-uses.ts';
import { type TenantAccess } from '../../../src/auth/tenant-access.ts';
import { expectError, get } from '../../support/client.ts';
import { id } from '../../support/world.ts';

const MINUTE_MS = 60_000;
const uses = (company: 'tenant' | 'other' = 'tenant') => get('/deprecated-uses', company).then(({ body }) => body.data);
const useOld = (company: 'tenant' | 'other' = 'tenant') => get('/courses?excludeGapAnalysis=true', company);
const age = (interval: string) =>
  testService.query(
    'update deprecated_uses set first_used_at = now() - $1::interval, last_used_at = now() - $1::interval',
    [interval],
  );

afterEach(() => jest.restoreAllMocks());

describe('GET /deprecated-uses', () => {
  test('the list is empty if no key uses a deprecated operation or parameter', async () => {
    await get('/courses');
    expect(await uses()).toEqual([]);
  });

  test('lists each use of a key once, with its sunset, only to the company of the key', async () => {
    await useOld();
    await useOld();
    expect(await uses()).toEqual([
      {
        apiKeyId: expect.any(String),
        ...{ operationId: 'listCourses', part: 'query/excludeGapAnalysis', sunset: '2027-11-22' },
        ...{ firstUsedAt: expect.any(String), lastUsedAt: expect.any(String) },
      },
    ]);
    expect(await uses('other')).toEqual([]);
    const [key] = await testService.query('select id from api_keys where id = $1', [(await uses())[0].apiKeyId]);
    expect(key).toBeDefined();
  });

  test('a call with invalid input counts as a use', async () => {
    expectError(await get('/courses?excludeGapAnalysis=perhaps', 'other'), 400, 'invalid_request', [
      'query/excludeGapAnalysis',
    ]);
    expect(await uses('other')).toHaveLength(1);
  });

  test('omits uses older than 30 days', async () => {
    await age('30 days');
    expect(await uses()).toEqual([]);
    await age('29 days 23 hours');
    expect(await uses()).toHaveLength(1);
  });

  test('a use of an operation or parameter that is no longer deprecated has no sunset', async () => {
    await testService.query(`update deprecated_uses set part = 'query/gone'`);
    expect((await uses())[0]).toMatchObject({ part: 'query/gone', sunset: null });
  });
});

describe('a deprecated use', () => {
  const keyId = id('e', 0x7777);
  const caller: any = { keyId, companyId: id('c', 1), modules: [], scopes: null };
  const seen = () => testService.query('select part, last_used_at from deprecated_uses where api_key_id = $1', [keyId]);

  test('is recorded at most once a minute for each operation or parameter', async () => {
    const recorded = jest.fn(async (_change: unknown, _values: any) => []);
    const access = { ofReader: () => ({ mutate: recorded }) } as unknown as TenantAccess;
    const recorder = new DeprecatedUses(access);
    const now = jest.spyOn(Date, 'now');
    const start = Date.now();
    for (const ms of [0, 1, MINUTE_MS - 1, MINUTE_MS, MINUTE_MS + 1]) {
      now.mockReturnValue(start + ms);
      await recorder.record(caller, 'listCourses', ['operation', 'query/old']);
    }
    expect(recorded.mock.calls.map(([, { part }]) => part)).toEqual([
      'operation',
      'query/old',
      'operation',
      'query/old',
    ]);
  });

  test('that cannot be recorded fails no call and is recorded by the next call', async () => {
    const refuse = jest.fn(() => Promise.reject(new Error('read-only')));
    const recorder = new DeprecatedUses({ ofReader: () => ({ mutate: refuse }) } as unknown as TenantAccess);
    for (let call = 0; call < 2; call++) await recorder.record(caller, 'listCourses', ['operation']);
    expect(refuse).toHaveBeenCalledTimes(2);
  });

  test('by a source is not recorded as a use of a key', async () => {
    const recorder = new DeprecatedUses({} as TenantAccess);
    await recorder.record({ ...caller, source: { id: keyId, kind: 'gophish' } }, 'listCourses', ['operation']);
    expect(await seen()).toEqual([]);
  });
});
