import { expectError, get, patch, post } from '../../support/client.ts';
import { companies, groupId, learnerId } from '../../support/world.ts';
import { policyId } from '../../support/world-policies.ts';
import { openTransaction, settled } from '../events/event-state.ts';
import { courseResults, gapAnalysisResults, groups, learners, policyResults, since } from './copy.ts';

const DAY_MS = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const policy = policyId('tenant', 1);
const LISTS = [learners, groups, courseResults, gapAnalysisResults, policyResults(policy, 'all')];
const ada = learnerId('tenant', 1);
const newName = { firstName: 'Ada', lastName: 'Byron' };

async function ask(path: string, updatedSince: string, key: 'tenant' | 'msp' | 'other' = 'tenant'): Promise<any> {
  const { status, body } = await get(since(path, updatedSince), key);
  expect(status).toBe(200);
  return body;
}
/** Returns the position after all changes so far. */
async function synced(path = '/learners'): Promise<string> {
  await settled();
  return (await ask(path, ago(0))).syncedUntil;
}

// For an hour after a course is updated, the lists return its results again. Old courses keep them out of these tests.
beforeAll(() => testService.query(`update courses set updated_at = '2026-01-01'`));

describe('updatedSince', () => {
  test('returns only the changed items, and the position after them', async () => {
    const until = await synced();
    for (const { path, items } of LISTS) {
      const { data, removed, syncedUntil } = await ask(path, until);
      expect([items(data), removed, syncedUntil]).toEqual([[], [], expect.any(String)]);
    }
    expect((await patch(`/learners/${ada}`, newName)).status).toBe(200);
    const shown: string[] = [];
    for (const { path, items } of LISTS) {
      const { data, removed } = await ask(path, until);
      const whole = items((await get(path)).body.data);
      const ofAda = whole.filter((item) => JSON.stringify(item).includes('Ada Byron'));
      expect([items(data), removed]).toEqual([ofAda, []]);
      if (ofAda.length > 0) shown.push(path);
    }
    expect(shown).toEqual(expect.arrayContaining(['/learners', '/groups', `/policies/${policy}?outcome=all`]));
  });

  test('lists without updatedSince have no change fields', async () => {
    for (const { path } of LISTS) expect(Object.keys((await get(path)).body)).toEqual(['data']);
  });

  test('a change that is committed after a response is in the next one, even if it began earlier', async () => {
    const late = await openTransaction();
    await late.query('update learners set locale = $2 where id = $1', [ada, 'de']);
    const before = await ask('/learners', ago(0));
    await patch(`/learners/${learnerId('tenant', 2)}`, newName);
    const { syncedUntil } = await ask('/learners', before.syncedUntil);
    await late.query('commit');
    await late.end();
    await testService.query(`update sync_index set at = now() - interval '2 days'`);
    const data = (await ask('/learners', syncedUntil)).data.slice(0, 1);
    expect(data.map(({ id }: any) => id)).toEqual([ada]);
  });

  test('an item that leaves a filter is returned as removed', async () => {
    const until = await synced();
    await testService.query('update learners set risk_score = 90 where id = $1', [ada]);
    const low = await ask('/learners?riskScoreLevel=low', until);
    expect([low.data, low.removed]).toEqual([[], [{ id: ada }]]);
    const critical = await ask('/learners?riskScoreLevel=critical', until);
    expect([critical.data.length, critical.removed]).toEqual([1, []]);
  });

  test('a change to a field that the learner list omits does not return the learner', async () => {
    const until = await synced();
    await patch(`/groups/${groupId('tenant', 1)}`, { name: 'Renamed' });
    await testService.query('update learners set risk_score = 91 where id = $1', [ada]);
    expect((await ask('/learners', until)).data).toEqual([]);
    expect((await ask('/groups', until)).data).toHaveLength(1);
  });

  test('a company reads only its own changes, and an MSP the changes of its child', async () => {
    const path = `/learners?companyId=${companies.childA}`;
    const until = (await ask(path, ago(0), 'msp')).syncedUntil;
    await testService.query('update learners set locale = $2 where id = $1', [learnerId('childA', 2), 'de']);
    await patch(`/learners/${ada}`, { ...newName, lastName: 'Lovelace' });
    expect((await ask(path, until, 'msp')).data.map(({ id }: any) => id)).toEqual([learnerId('childA', 2)]);
    expectError(await get(since('/learners', until)), 400, 'invalid_request', ['query/updatedSince']);
  });

  test.each([
    ['neither a time nor a position', 'yesterday'],
    ['a time without a zone', '2026-11-20T00:00:00'],
    ['a date without a time', '2026-11-20'],
    ['a date that does not exist', '2026-02-30T00:00:00Z'],
    ['a time in the future', ago(-1)],
    ['an empty string', ''],
    ['an invented position', 'A'.repeat(52)],
    ['a long string', 'A'.repeat(201)],
  ])('rejects %s', async (_what, updatedSince) => {
    for (const { path } of [learners, policyResults(policy, 'all')])
      expectError(await get(since(path, updatedSince)), 400, 'invalid_request', ['query/updatedSince']);
  });

  test('requires outcome for the learners of a policy', async () => {
    expectError(await get(since(`/policies/${policy}`, ago(1))), 400, 'invalid_request', ['query/outcome']);
    expectError(await get(since(`/policies/${companies.other}?outcome=all`, ago(1))), 404, 'not_found');
  });

  test('a time before the stored changes returns cursor_expired', async () => {
    expect((await ask('/learners', ago(29))).data.length).toBeGreaterThan(0);
    expectError(await get(since('/learners', ago(31))), 400, 'cursor_expired', ['query/updatedSince']);
  });

  test('changes that have expired are purged', async () => {
    await post('/groups', { name: 'Kept' });
    const count = async () =>
      (await testService.query('select count(*)::integer as n from sync_index'))[0]!.n as number;
    const before = await count();
    const aged = await testService.query(
      `update sync_index set at = now() - interval '32 days' where kind = 'group' and company_id = $1 returning id`,
      [companies.tenant],
    );
    expect(aged.length).toBeGreaterThan(0);
    await testService.query('select purge_sync_index(31, $1)', [companies.tenant]);
    expect(await count()).toBe(before - aged.length);
  });
});
