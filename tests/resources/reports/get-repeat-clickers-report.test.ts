/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { noProfile, PROFILE_COLUMNS } from './profile-state.ts';
import { expectError, get, post } from '../../support/client.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { companies, type CompanyName, groupId, type KeyName, learnerId } from '../../support/world.ts';
import { copySimulationsToOther, testInvalidPeriods, testMissingModule, testUnknownIds } from './report-cases.ts';
import { addressOf, readCsv, readLines, readPages } from './report-pages.ts';
import { copyIdsTo, emptyOut, expectNothingForeign, expectSame } from './report-state.ts';
import {
  insertManySimulationResults,
  reportedRecipients,
  type SimulationFilters,
  toLearner,
} from './simulation-result-state.ts';

const path = '/reports/repeat-clickers';
const COMPANY = 'strangerMsp';

type Filters = Omit<SimulationFilters, 'simulationId' | 'outcome'> & { minimum?: string };

async function rowsOf(filters: Filters = {}, key: KeyName = 'tenant'): Promise<any[]> {
  const { status, body } = await get(addressOf(path, filters), key);
  expect(status).toBe(200);
  return body.data;
}

/** Builds the rows of the report from the tables. Groups and counts in TypeScript, unlike the report. */
async function expectedRows(company: CompanyName, { minimum = '2', ...filters }: Filters): Promise<object[]> {
  const recipients = await reportedRecipients(company, filters);
  const ofLearners = Map.groupBy(
    recipients.filter(({ recipient }) => recipient.sent_at !== null),
    ({ learner }) => learner,
  );
  return [...ofLearners]
    .map(([learner, own]) => {
      const timesOf = (milestone: string) =>
        own.flatMap(({ recipient }) => (recipient[milestone] === null ? [] : [recipient[milestone] as Date]));
      const visits = timesOf('visited_at').map((time) => time.toISOString());
      return {
        learnerId: learner.id as string,
        sentCount: own.length,
        openCount: timesOf('opened_at').length,
        visitCount: visits.length,
        compromiseCount: timesOf('compromised_at').length,
        reportCount: timesOf('reported_at').length,
        lastVisit: visits.toSorted().at(-1),
        learner: toLearner(learner),
      };
    })
    .filter(({ visitCount }) => visitCount >= Number(minimum));
}

/** Expects the rows that the tables imply, and returns them. */
async function expectRows(company: CompanyName, filters: Filters, key: KeyName = company): Promise<any[]> {
  const rows = await rowsOf(filters, key);
  expectSame(rows, await expectedRows(company, filters));
  return rows;
}

describe('GET /reports/repeat-clickers', () => {
  const visit = (company: CompanyName, learner: string, simulation: string) =>
    testService.query(
      `insert into simulation_recipients (company_id, simulation_id, learner_id, sent_at, visited_at)
       values ($1, $2, $3, '2026-04-01T08:00Z', '2026-04-01T08:10Z')
       on conflict (company_id, simulation_id, learner_id) do update
          set sent_at = excluded.sent_at, visited_at = excluded.visited_at`,
      [companies[company], simulation, learner],
    );

  test('after one click each, lists no learner by default, and every learner who clicked if minimum=1', async () => {
    expect(await expectRows('tenant', {})).toEqual([]);
    const once = await expectRows('tenant', { minimum: '1' });
    expect(once.map((row) => row.learnerId)).toEqual([learnerId('tenant', 1), learnerId('tenant', 2)]);
  });

  test('lists a learner after clicks in two simulations', async () => {
    await visit('tenant', learnerId('tenant', 2), simulationId('tenant', 5));
    expect(await expectRows('tenant', {})).toEqual([
      {
        learnerId: learnerId('tenant', 2),
        sentCount: 2,
        openCount: 2,
        visitCount: 2,
        compromiseCount: 1,
        reportCount: 0,
        lastVisit: '2026-04-01T08:10:00.000Z',
        learner: {
          id: learnerId('tenant', 2),
          name: 'Grace tenant',
          email: 'learner2@tenant.test',
          externalLearnerId: 'HR-2',
          inactive: false,
          ...noProfile,
        },
      },
    ]);
    expect(await rowsOf({ minimum: '3' })).toEqual([]);
    expect(await rowsOf({ from: '2026-04-01' })).toEqual([]);
    expect(await rowsOf({ from: '2026-02-10', to: '2026-04-01' })).toHaveLength(1);
  });

  test('the counts match the report on simulation results', async () => {
    for (const row of await rowsOf({ minimum: '1' })) {
      const { body } = await get(`/reports/simulation-results?learnerId=${row.learnerId}&to=2999-12-31`);
      expect(body.data).toHaveLength(row.sentCount as number);
      expect(body.data.filter((result: any) => result.visit !== null)).toHaveLength(row.visitCount as number);
    }
  });

  test('leaves out a deactivated learner, unless inactive ones are requested', async () => {
    const learner = learnerId('prospect', 2);
    await visit('prospect', learner, simulationId('prospect', 5));
    await post('/learners/deactivate', { learnerIds: [learner] }, 'prospect');
    expect(await expectRows('prospect', {})).toEqual([]);
    expect(await expectRows('prospect', { includeInactive: 'true' })).toHaveLength(1);
    expect(await expectRows('prospect', { learnerId: learner })).toHaveLength(1);
  });

  test('a company without learners has an empty list', async () => {
    await emptyOut('directChild');
    expect((await get(path, 'directChild')).text).toBe('{"data":[]}');
  });
});

describe('GET /reports/repeat-clickers of 300 learners and 12 simulations', () => {
  const GROUP = groupId(COMPANY, 1);
  const some = '0192b000-0000-7000-8000-000000000006';
  const selections: Filters[] = [{}, { groupId: GROUP }, { learnerId: some }, { learnerId: some, groupId: GROUP }];
  const periods: Filters[] = [
    {},
    { from: '2024-02-29', to: '2024-02-29' },
    { to: '2023-12-31' },
    { from: '2024-01-01', to: '2024-12-31' },
    { from: '2026-01-01' },
    { from: '1000-01-01', to: '2999-12-31' },
    { from: '2999-12-31' },
  ];

  beforeAll(() => insertManySimulationResults(COMPANY, 300));

  test.each(selections.flatMap((selection) => periods.map((period) => ({ ...selection, ...period }))))(
    'the rows with %j are those that the tables imply, with every minimum',
    async (filters) => {
      for (const minimum of [undefined, '1', '2', '3', '5', '1000']) {
        const narrowed = { ...filters, ...(minimum && { minimum }) };
        await expectRows(COMPANY, narrowed);
        await expectRows(COMPANY, { ...narrowed, includeInactive: 'true' });
      }
    },
  );

  test('a higher minimum returns fewer learners, and so does a period', async () => {
    const lengths = await Promise.all(
      [{ minimum: '1' }, {}, { minimum: '3' }, { minimum: '5' }, { minimum: '5', from: '2024-01-01' }].map(
        async (filters) => (await rowsOf(filters, COMPANY)).length,
      ),
    );
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
    expect(new Set(lengths).size).toBe(lengths.length);
    expect(lengths.at(-1)).toBeGreaterThan(0);
  });

  test.each<[Filters, number]>([
    [{}, 10],
    [{ minimum: '1', includeInactive: 'true' }, 97],
    [{ groupId: GROUP, from: '2024-01-01' }, 3],
    [{ learnerId: some, minimum: '1' }, 1],
  ])('the pages with %j of %i rows together form the list', async (filters, limit) => {
    expectSame(await readPages(path, filters, limit, COMPANY), await rowsOf(filters, COMPANY));
  });

  test('CSV and JSON lines have the same rows', async () => {
    const rows = await rowsOf({}, COMPANY);
    expectSame(await readLines(path, COMPANY), rows);
    const { columns, text } = await readCsv(path, COMPANY);
    expect(columns).toEqual([
      ...['learnerId', 'sentCount', 'openCount', 'visitCount', 'compromiseCount', 'reportCount', 'lastVisit'],
      ...[
        'learner.id',
        'learner.name',
        'learner.email',
        'learner.externalLearnerId',
        'learner.inactive',
        ...PROFILE_COLUMNS.map((name) => `learner.${name}`),
      ],
    ]);
    const [{ learnerId: id, sentCount, openCount, visitCount }] = rows;
    expect(text.split('\r\n')).toHaveLength(rows.length + 2);
    expect(text.split('\r\n')[1]).toContain(`${id},${sentCount},${openCount},${visitCount},`);
  });
});

describe('GET /reports/repeat-clickers rejects', () => {
  test.each(['', '0', '-1', '1001', '1.5', 'two', '2&minimum=3', '%00', '1e9'])(
    'the minimum "%s", naming the parameter',
    async (minimum) => {
      expectError(await get(`${path}?minimum=${minimum}`), 400, 'invalid_request', ['query/minimum']);
    },
  );

  testUnknownIds(path, [
    ['learnerId', learnerId('other', 1)],
    ['groupId', groupId('other', 1)],
  ]);
  testInvalidPeriods(path);
  testMissingModule(path, 'smphish');
});

describe('GET /reports/repeat-clickers and other companies', () => {
  test.each([
    ['an MSP', 'msp', 'childA'],
    ['a distributor', 'distributor', 'childA'],
    ['a tenant itself', 'other', 'other'],
  ] as const)('%s reads only the named company', async (_case, key, company) => {
    const answer = await get(`${path}?minimum=1&companyId=${companies[company]}`, key);
    expect(answer.body.data).toEqual(await expectedRows(company, { minimum: '1' }));
    expect(answer.body.data).toHaveLength(2);
    await expectNothingForeign(answer.text, company);
  });

  test('clicks in another company with the same learner and simulation ids do not count', async () => {
    const before = await get(`${path}?minimum=1`);
    await copyIdsTo('other');
    await copySimulationsToOther();
    expect((await get(`${path}?minimum=1`)).text).toBe(before.text);
    expect((await expectRows('other', {})).length).toBeGreaterThan(1);
  });
});
