import { del, expectError, get, patch } from '../../support/client.ts';
import { companies, groupId, type KeyName, learnerId, unknownId } from '../../support/world.ts';
import { activate, prepareRisk, run, setModules, store } from '../risk/risk-state.ts';

prepareRisk('tenant', 'childA');

const learner = (number: 1 | 2 | 3 | 4 | 5) => learnerId('tenant', number);
const ofLearner = (query = '', number: 1 | 2 | 3 | 4 | 5 = 1) => `/learners/${learner(number)}/risk-history${query}`;
const ofGroup = (query = '', number: 1 | 2 = 1) => `/groups/${groupId('tenant', number)}/risk-history${query}`;

async function entries(path: string, key: KeyName = 'tenant'): Promise<any[]> {
  const { status, body } = await get(path, key);
  expect(status).toBe(200);
  return body.data;
}

const dates = async (path: string) => (await entries(path)).map(({ date }) => date as string);

afterEach(async () => {
  for (const table of ['learner_risks', 'group_risks', 'company_settings'])
    await testService.query(`delete from ${table}`);
});

const UNKNOWN = { simulations: 30, courses: 40, policies: 0, breaches: 0 };

/** Records three nights, on the first and the last of which a score of learner 1 changes. */
async function recordNights(): Promise<void> {
  const asked = '2026-06-11T08:00Z';
  await store('tenant', { learnerId: learner(1), requests: [{ asked }] });
  for (const night of ['2026-06-11', '2026-06-12', '2026-06-13', '2026-06-14']) await run('tenant', night);
  await setModules('tenant', ['courses', 'policies', 'breaches']);
  await run('tenant', '2026-06-15');
}

describe('GET /learners/{learnerId}/risk-history', () => {
  test('lists changes in the score and its factors, newest first', async () => {
    await recordNights();
    const changed = { ...UNKNOWN, policies: 30 };
    const expected = [
      { date: '2026-06-14', score: 24, level: 'low', factors: { ...changed, simulations: null } },
      { date: '2026-06-11', score: 27, level: 'moderate', factors: changed },
      { date: '2026-06-10', score: 22, level: 'low', factors: UNKNOWN },
    ];
    expect(await entries(ofLearner())).toEqual(expected);
    expect((await get(`/learners/${learner(1)}`)).body.data.riskScoreLevel).toBe(expected[0]!.level);
    await run('tenant', '2026-06-15');
    expect(await entries(ofLearner())).toEqual(expected);
    expect(await entries(ofLearner('', 2))).toHaveLength(2);
  });

  test('lists the entries that applied in a period', async () => {
    await recordNights();
    expect(await dates(ofLearner('?from=2026-06-12&to=2026-06-13'))).toEqual(['2026-06-11']);
    expect(await dates(ofLearner('?from=2026-06-14'))).toEqual(['2026-06-14']);
    expect(await dates(ofLearner('?from=2020-01-01&to=2026-06-11'))).toEqual(['2026-06-11', '2026-06-10']);
    expect(await dates(ofLearner('?to=2026-06-09'))).toEqual([]);
    expect(await dates(ofGroup('?from=2026-06-12&to=2026-06-13'))).toEqual(['2026-06-11']);
  });

  test('has no entries for an inactive learner', async () => {
    await activate('tenant', learner(2));
    await recordNights();
    expect(await entries(ofLearner())).toEqual([]);
  });

  test('returns 404 for a learner of another company, and 400 for a period that ends before it begins', async () => {
    for (const id of [learnerId('other', 1), unknownId])
      expectError(await get(`/learners/${id}/risk-history`), 404, 'not_found');
    expectError(await get(ofLearner('?from=2026-06-02&to=2026-06-01')), 400, 'invalid_request', ['query/from']);
    expectError(await get(ofGroup('?from=2026-06-02&to=2026-06-01')), 400, 'invalid_request', ['query/from']);
  });
});

describe('GET /groups/{groupId}/risk-history', () => {
  test('lists means over enough people; a smaller minimum also shows earlier means', async () => {
    await activate('tenant', ...([1, 2, 3, 4, 5] as const).map(learner));
    await recordNights();
    const hidden = { learnerCount: 3, averageScore: null, level: null, factors: null };
    expect((await entries(ofGroup()))[0]).toEqual({ date: '2026-06-14', ...hidden });
    await patch('/company/settings', { minGroupSize: 3 });
    // Three members, but the company has only two other people.
    expect((await entries(ofGroup()))[0]).toEqual({ date: '2026-06-14', ...hidden });
    await patch('/company/settings', { minGroupSize: 2 });
    const factors = { ...UNKNOWN, policies: 10 };
    expect(await entries(ofGroup())).toEqual([
      {
        date: '2026-06-14',
        learnerCount: 3,
        averageScore: 19.3,
        level: 'low',
        factors: { ...factors, simulations: null },
      },
      { date: '2026-06-11', learnerCount: 3, averageScore: 23.7, level: 'low', factors },
      { date: '2026-06-10', learnerCount: 3, averageScore: 22, level: 'low', factors: UNKNOWN },
    ]);
  });

  test('an emptied group has an entry without means', async () => {
    await run('tenant', '2026-06-11');
    await activate('tenant', learner(5));
    await run('tenant', '2026-06-12');
    expect((await entries(ofGroup())).map(({ date, learnerCount }) => [date, learnerCount])).toEqual([
      ['2026-06-11', 0],
      ['2026-06-10', 3],
    ]);
  });

  test('an MSP reads its child; a group of another company and a deleted group return 404', async () => {
    await run('childA', '2026-06-11');
    const path = `/groups/${groupId('childA', 1)}/risk-history`;
    const own = await entries(path, 'childA');
    expect(own).toHaveLength(1);
    expect(await entries(`${path}?companyId=${companies.childA}`, 'msp')).toEqual(own);
    expectError(await get(path, 'tenant'), 404, 'not_found');
    await del(`/groups/${groupId('childA', 1)}`, undefined, 'childA');
    expectError(await get(path, 'childA'), 404, 'not_found');
    expect(await testService.query('select from group_risks where group_id = $1', [groupId('childA', 1)])).toEqual([]);
  });
});
