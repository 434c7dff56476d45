/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "100000"} */
import { expectError, get, patch, post } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import { companies } from '../../support/world.ts';
import {
  CHANGES,
  CORRECTIONS,
  deleteLearner,
  LATE_CHANGES,
  one,
  POLICY_CHANGES,
  SIGNATURE_CORRECTIONS,
} from '../changes-since/random-changes.ts';
import { SIMULATION_CHANGES, SIMULATION_CORRECTIONS } from '../changes-since/simulation-changes.ts';
import { dayBefore, waitPastMidnight } from './past-state.ts';
import { addressOf, readCsv } from './report-pages.ts';

const path = '/reports/groups';
const DAYS = 8;
const CHANGES_A_DAY = 12;
const LIFE = [
  ...[...CHANGES, ...CORRECTIONS, ...LATE_CHANGES, ...POLICY_CHANGES, ...SIGNATURE_CORRECTIONS],
  ...[...SIMULATION_CHANGES, ...SIMULATION_CHANGES, ...SIMULATION_CORRECTIONS],
].filter((change) => change !== deleteLearner);

async function read(filters: object = {}): Promise<any> {
  const { status, body } = await get(addressOf(path, filters));
  expect({ filters, status, error: body.error }).toEqual({ filters, status: 200, error: undefined });
  return body.data;
}

/** Returns the figures, without those that a past report has only after a night. */
function comparable({ company, groups }: any): object {
  const figures = [company, ...groups].map((row: object) => {
    return { ...row, averageRiskScore: null, riskScoreLevel: null };
  });
  return figures;
}

beforeEach(waitPastMidnight);

test("after random changes, each day's report is returned again for that day as known then", async () => {
  await patch('/company/settings', { minGroupSize: 2 });
  const nights: object[] = [];
  for (let day = 0; day < DAYS; day++) {
    for (let n = 0; n < CHANGES_A_DAY; n++) await one(LIFE)();
    nights.push(comparable(await read()));
    expect(comparable(await read({ asOf: dayBefore(0) }))).toEqual(nights.at(-1));
    await passDay();
  }
  for (const [index, night] of nights.entries()) {
    const day = dayBefore(DAYS - index);
    expect({ day, figures: comparable(await read({ asOf: day, knownAt: day })) }).toEqual({ day, figures: night });
  }
  expect(new Set(nights.map((night) => JSON.stringify(night))).size).toBe(DAYS);
});

describe('the mean risk score of a day', () => {
  test('averages the scores shown then; it is null before the first and over too few people', async () => {
    await patch('/company/settings', { minGroupSize: 2 });
    const { company } = await read();
    await testService.query(
      `insert into learner_risks (company_id, learner_id, date, score)
       select company_id, id, $2::date, 10 from learners where company_id = $1
       union all
       select company_id, id, $3::date, 40 from learners where company_id = $1`,
      [companies.tenant, dayBefore(4), dayBefore(2)],
    );
    const scores = async (days: number) => (await read({ asOf: dayBefore(days) })).company.averageRiskScore;
    await testService.query(`update learners set created_at = created_at - interval '30 days' where company_id = $1`, [
      companies.tenant,
    ]);
    expect([await scores(1), await scores(2), await scores(3), await scores(4)]).toEqual([40, 10, 10, null]);
    await patch('/company/settings', { minGroupSize: company.learnerCount + 1 });
    expect(await scores(1)).toBeNull();
    await patch('/company/settings', { minGroupSize: null });
  });
});

test('pages together and CSV have the rows of the report', async () => {
  await post('/groups', { name: 'Another', managerIds: [] });
  const past = { asOf: dayBefore(0) };
  const { groups } = await read(past);
  expect(groups.length).toBeGreaterThan(1);
  const pages: object[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, page } = (await get(addressOf(path, { ...past, limit: 1, ...(cursor && { cursor }) }))).body as any;
    pages.push(...data.groups);
    cursor = page.nextCursor;
  }
  expect(pages).toEqual(groups);
  const { text } = await readCsv(addressOf(path, past), 'tenant');
  expect(text.trimEnd().split('\r\n')).toHaveLength(groups.length + 1);
});

test.each([
  [{ asOf: dayBefore(1), from: dayBefore(0) }, 'query/from'],
  [{ asOf: dayBefore(-1) }, 'query/asOf'],
  [{ asOf: dayBefore(1), knownAt: dayBefore(2) }, 'query/asOf'],
])('%o is rejected, naming %s', async (filters, field) => {
  expectError(await get(addressOf(path, filters)), 400, 'invalid_request', [field]);
});
