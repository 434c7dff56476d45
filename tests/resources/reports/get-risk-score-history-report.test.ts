import { expectError, get } from '../../support/client.ts';
import { companies, type CompanyName, type KeyName } from '../../support/world.ts';

const path = '/reports/risk-score-history';
const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Learner counts by level, lowest first. */
type Levels = [number, number, number, number];

async function record(company: CompanyName, date: string, average = 41.2, levels: Levels = [1, 2, 3, 4]) {
  await testService.query(`insert into risk_history values ($1, $2, $3, $4, $5, $6, $7)`, [
    companies[company],
    date,
    average,
    ...levels,
  ]);
}
afterEach(() => testService.query('delete from risk_history'));

interface Report {
  fromDate: string;
  toDate: string;
  rows: { date: string; [field: string]: unknown }[];
}

async function report(query = '', key: KeyName = 'tenant'): Promise<Report> {
  const { status, body } = await get(path + query, key);
  expect(status).toBe(200);
  return body.data;
}

const datesIn = ({ rows }: Report): string[] => rows.map(({ date }) => date);

describe('GET /reports/risk-score-history', () => {
  test('returns one row per recorded day, oldest first, with the learners at each level', async () => {
    await record('tenant', '2026-03-16', 39.8, [44, 60, 14, 2]);
    await record('tenant', '2026-03-18', 0, [0, 0, 0, 0]);
    await record('tenant', '2026-03-15', 41.2, [40, 62, 15, 3]);
    expect(await report('?fromDate=2026-03-14&toDate=2026-03-31')).toEqual({
      fromDate: '2026-03-14',
      toDate: '2026-03-31',
      rows: [
        {
          ...{ date: '2026-03-15', averageScore: 41.2, level: 'moderate', learnerCount: 120 },
          ...{ lowCount: 40, moderateCount: 62, highCount: 15, criticalCount: 3 },
        },
        {
          ...{ date: '2026-03-16', averageScore: 39.8, level: 'moderate', learnerCount: 120 },
          ...{ lowCount: 44, moderateCount: 60, highCount: 14, criticalCount: 2 },
        },
        {
          ...{ date: '2026-03-18', averageScore: 0, level: 'low', learnerCount: 0 },
          ...{ lowCount: 0, moderateCount: 0, highCount: 0, criticalCount: 0 },
        },
      ],
    });
  });

  test.each([
    [0, 'low'],
    [24.9, 'low'],
    [25, 'moderate'],
    [25.1, 'moderate'],
    [49.9, 'moderate'],
    [50, 'high'],
    [74.9, 'high'],
    [75, 'critical'],
    [99.9, 'critical'],
    [100, 'critical'],
  ])('an average of %d is %s, regardless of the level of most learners', async (average, level) => {
    await record('tenant', '2026-03-15', average, [7, 0, 0, 0]);
    const [row] = (await report('?toDate=2026-03-15')).rows;
    expect(row).toMatchObject({ averageScore: average, level, learnerCount: 7 });
  });

  test('leaves out days with too few active learners only if the company has set a minimum group size', async () => {
    await record('tenant', '2026-03-15', 40, [1, 1, 1, 1]);
    await record('tenant', '2026-03-16', 40, [2, 1, 1, 1]);
    const dates = async () => datesIn(await report('?from=2026-03-01&to=2026-03-31'));
    expect(await dates()).toEqual(['2026-03-15', '2026-03-16']);
    await testService.query('insert into company_settings values ($1, 5)', [companies.tenant]);
    expect(await dates()).toEqual(['2026-03-16']);
    await testService.query('delete from company_settings');
  });

  test('returns the last 90 days including today (UTC) by default', async () => {
    for (const days of [91, 90, 89, 88, 1, 0, -1]) await record('tenant', dayAgo(days));
    const found = await report();
    expect(found).toMatchObject({ fromDate: dayAgo(89), toDate: dayAgo(0) });
    expect(datesIn(found)).toEqual([89, 88, 1, 0].map(dayAgo));
  });

  test('returns days up to today if only fromDate is given', async () => {
    for (const days of [1000, 400, 399, 0, -1]) await record('tenant', dayAgo(days));
    const found = await report(`?fromDate=${dayAgo(400)}`);
    expect(found).toMatchObject({ fromDate: dayAgo(400), toDate: dayAgo(0) });
    expect(datesIn(found)).toEqual([400, 399, 0].map(dayAgo));
  });

  test.each([
    ['2026-03-31', '2026-01-01'],
    ['2024-05-28', '2024-02-29'],
    ['2024-05-27', '2024-02-28'],
    ['2024-03-31', '2024-01-02'],
    ['2023-05-28', '2023-02-28'],
    ['2023-05-29', '2023-03-01'],
    ['2000-05-28', '2000-02-29'],
    ['1900-05-29', '1900-03-01'],
    ['2024-02-29', '2023-12-02'],
    ['2026-01-01', '2025-10-04'],
    ['2999-12-31', '2999-10-03'],
    ['1000-01-01', '0999-10-04'],
  ])('the 90 days that end with %s begin with %s', async (toDate, fromDate) => {
    for (const date of [fromDate, toDate]) {
      await record('tenant', date);
      const beside = Date.parse(date) + (date === toDate ? 86_400_000 : -86_400_000);
      await record('tenant', new Date(beside).toISOString().slice(0, 10));
    }
    const found = await report(`?toDate=${toDate}`);
    expect(found).toMatchObject({ fromDate, toDate });
    expect(datesIn(found)).toEqual([fromDate, toDate]);
  });

  test('returns one day if both dates are equal', async () => {
    for (const day of [14, 15, 16]) await record('tenant', `2026-03-${day}`);
    expect(datesIn(await report('?fromDate=2026-03-15&toDate=2026-03-15'))).toEqual(['2026-03-15']);
  });

  test('returns no rows for days without records', async () => {
    await record('tenant', '2026-03-14');
    const between = '?fromDate=2026-03-15&toDate=2026-03-31';
    expect((await report(between)).rows).toEqual([]);
    expect((await report('', 'prospect')).rows).toEqual([]);
    expect((await report('?fromDate=1000-01-01&toDate=2999-12-31', 'other')).rows).toEqual([]);
  });

  test.each([1, 249, 250, 251, 3000])('returns all of %i days in order', async (count) => {
    const rows = await testService.query(
      `insert into risk_history
       select $1, '2026-03-31'::date - n, n % 101, n, 0, 0, 1 from generate_series(0, $2::integer - 1) as n
        order by random() returning date::text`,
      [companies.tenant, count],
    );
    const found = await report('?fromDate=1000-01-01&toDate=2026-03-31');
    expect(datesIn(found)).toEqual(rows.map((row) => row.date).toSorted());
    expect(found.rows.every(({ learnerCount, lowCount }) => learnerCount === (lowCount as number) + 1)).toBe(true);
  });

  test('is available to a company without modules', async () => {
    const set =
      'update companies set (smlearn, smphish, smpolicy, smbreachproenabled) = ($2, $2, $2, $2) where id = $1';
    await record('childB', '2026-03-15', 0, [4, 0, 0, 0]);
    await testService.query(set, [companies.childB, false]);
    expect(datesIn(await report('?toDate=2026-03-15', 'childB'))).toEqual(['2026-03-15']);
    expect(datesIn(await report(`?toDate=2026-03-15&companyId=${companies.childB}`, 'msp'))).toEqual(['2026-03-15']);
    await testService.query(set, [companies.childB, true]);
  });
});

describe('GET /reports/risk-score-history rejects', () => {
  test.each([
    ['a range that ends before it begins', `?fromDate=2026-03-16&toDate=2026-03-15`],
    ['a range that ends years before it begins', '?fromDate=2999-12-31&toDate=1000-01-01'],
    ['a fromDate after today without a toDate', `?fromDate=${dayAgo(-1)}`],
  ])('%s', async (_case, query) => {
    expectError(await get(path + query), 400, 'invalid_request', ['query/fromDate']);
  });

  test('a range by from and to that ends before it begins', async () => {
    expectError(await get(`${path}?from=2026-03-16&to=2026-03-15`), 400, 'invalid_request', ['query/from']);
  });

  test.each([
    ['from', 'fromDate'],
    ['to', 'toDate'],
  ])('%s together with its other name', async (name, otherName) => {
    const answer = await get(`${path}?${name}=2026-03-15&${otherName}=2026-03-15`);
    expectError(answer, 400, 'invalid_request', [`query/${otherName}`]);
  });

  describe.each(['fromDate', 'toDate', 'from', 'to'])('as %s', (name) => {
    test.each([
      '',
      'null',
      'today',
      '0',
      '1773532800000',
      '2026-3-15',
      '20260315',
      '2026-03',
      '2026-074',
      '2026-W11-7',
      '15.03.2026',
      '2026-00-15',
      '2026-13-01',
      '2026-03-00',
      '2026-03-32',
      '2026-04-31',
      '2026-02-29',
      '1900-02-29',
      '0999-12-31',
      '3000-01-01',
      '12026-03-15',
      '-2026-03-15',
      '2026-03-15T00:00:00Z',
      '2026-03-15%20',
      '%202026-03-15',
      '2026-03-15%00',
      '٢٠٢٦-٠٣-١٥',
      "2026-03-15'",
      'infinity',
    ])('"%s"', async (value) => {
      expectError(await get(`${path}?${name}=${value}`), 400, 'invalid_request', [`query/${name}`]);
    });

    test('a repeated date', async () => {
      const query = `${name}=2026-03-15&${name}=2026-03-16`;
      expectError(await get(`${path}?${query}`), 400, 'invalid_request', [`query/${name}`]);
    });
  });

  test('two invalid dates, naming both', async () => {
    const answer = await get(`${path}?fromDate=2026-02-30&toDate=x`);
    expectError(answer, 400, 'invalid_request');
    expect(new Set(answer.body.error!.details.map(({ field }) => field))).toEqual(
      new Set(['query/fromDate', 'query/toDate']),
    );
  });
});

describe('GET /reports/risk-score-history and other companies', () => {
  const query = '?fromDate=2026-03-01&toDate=2026-03-31';
  beforeEach(async () => {
    for (const [index, name] of (Object.keys(companies) as CompanyName[]).entries()) {
      await record(name, '2026-03-15', index, [index, 0, 0, 0]);
      await record(name, `2026-03-2${index}`, index + 50, [0, index, 0, 0]);
    }
  });

  const rowsOf = (company: CompanyName) => {
    const index = Object.keys(companies).indexOf(company);
    return [
      { date: '2026-03-15', averageScore: index, learnerCount: index },
      { date: `2026-03-2${index}`, averageScore: index + 50, learnerCount: index },
    ];
  };

  test.each(['tenant', 'other', 'msp', 'distributor', 'childA', 'prospect'] as const)(
    'a key of %s reads only its own history',
    async (name) => expect((await report(query, name)).rows).toMatchObject(rowsOf(name)),
  );

  test.each([
    ['msp', 'childA'],
    ['msp', 'childB'],
    ['distributor', 'childA'],
    ['distributor', 'directChild'],
    ['tenant', 'tenant'],
  ] as const)('%s reads the history of %s with companyId', async (key, company) => {
    const { rows } = await report(`${query}&companyId=${companies[company]}`, key);
    expect(rows).toMatchObject(rowsOf(company));
    expect(rows).toHaveLength(2);
  });

  test.each([
    ['msp', 'directChild'],
    ['strangerMsp', 'childA'],
    ['childA', 'msp'],
    ['tenant', 'other'],
  ] as const)('%s gets 403 for the history of %s', async (key, company) => {
    expectError(await get(`${path}${query}&companyId=${companies[company]}`, key), 403, 'forbidden');
  });
});
