/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { noProfile, PROFILE_COLUMNS } from './profile-state.ts';
import { expectError, get, post } from '../../support/client.ts';
import { recipientId, simulationId } from '../../support/world-simulations.ts';
import { companies, type CompanyName, groupId, type KeyName, learnerId } from '../../support/world.ts';
import { copySimulationsToOther, testInvalidPeriods, testMissingModule, testUnknownIds } from './report-cases.ts';
import { addressOf, readCsv, readLines, readPages } from './report-pages.ts';
import { copyIdsTo, emptyOut, expectNothingForeign, expectSame } from './report-state.ts';
import { insertManySimulationResults, type SimulationFilters, simulationReport } from './simulation-result-state.ts';

const path = '/reports/simulation-results';
const COMPANY = 'strangerMsp';
const completed = simulationId('tenant', 1);
const running = simulationId('tenant', 5);

async function rowsOf(filters: SimulationFilters = {}, key: KeyName = 'tenant'): Promise<any[]> {
  const { status, body } = await get(addressOf(path, filters), key);
  expect(status).toBe(200);
  return body.data;
}

/** Expects the rows that the tables imply, and returns them. */
async function expectRows(company: CompanyName, filters: SimulationFilters, key: KeyName = company): Promise<any[]> {
  const rows = await rowsOf(filters, key);
  expectSame(rows, await simulationReport(company, filters));
  return rows;
}

const pairs = (rows: any[]): string[][] => rows.map((row) => [row.learnerId, row.simulationId]);

describe('GET /reports/simulation-results', () => {
  const [one, two] = [learnerId('tenant', 1), learnerId('tenant', 2)];

  test('lists active learners with each simulation that they are recipients of, even before it is sent', async () => {
    const rows = await expectRows('tenant', {});
    expect(pairs(rows)).toEqual([
      ...([1, 2, 4, 5] as const).map((number) => [one, simulationId('tenant', number)]),
      ...([1, 2, 5] as const).map((number) => [two, simulationId('tenant', number)]),
      ...([1, 3] as const).map((number) => [learnerId('tenant', 3), simulationId('tenant', number)]),
    ]);
    expect(rows.filter((row) => row.sent === null)).toHaveLength(5);
    expect(rows[4]).toEqual({
      id: recipientId('tenant', 1, 2),
      learnerId: two,
      simulationId: completed,
      templateId: null,
      scheduled: '2026-02-10T08:00:00.000Z',
      sent: '2026-02-10T08:00:00.000Z',
      mailFailedAt: null,
      bounced: null,
      open: '2026-02-10T09:00:00.000Z',
      visit: '2026-02-10T09:01:00.000Z',
      compromise: '2026-02-11T09:02:00.000Z',
      report: null,
      settledAt: '2026-02-11T09:12:00.000Z',
      withdrawn: null,
      withdrawnBecause: null,
      deliveryMethod: 'email',
      simulation: {
        id: completed,
        name: 'Simulation 1 of tenant',
        status: 'completed',
        startDate: '2026-01-10T07:00:00.000Z',
        endDate: '2026-02-20T17:00:00.000Z',
      },
      learner: {
        id: two,
        name: 'Grace tenant',
        email: 'learner2@tenant.test',
        externalLearnerId: 'HR-2',
        inactive: false,
        ...noProfile,
      },
    });
  });

  test.each(['opened', 'visited', 'compromised', 'reported'])(
    'the rows with the outcome %s are the active recipients of the simulation',
    async (outcome) => {
      const { body } = await get(`/simulations/${completed}?outcome=${outcome}`);
      const rows = await rowsOf({ simulationId: completed, outcome, includeInactive: 'true' });
      const facts = rows.map(({ id, learner: { id: learner }, sent, open, visit, compromise, report }) => {
        return { id, learner, sent, open, visit, compromise, report };
      });
      expect(facts).toEqual(
        body.data.recipients.map(({ id, learner, sent, open, visit, compromise, report }: any) => {
          return { id, learner: learner.id, sent, open, visit, compromise, report };
        }),
      );
      expect(facts.length).toBeGreaterThan(0);
    },
  );

  test('agrees with the results of a learner', async () => {
    const { body } = await get(`/learners/${one}/simulation-results`);
    const sent = (await rowsOf({ learnerId: one })).filter((row) => row.sent !== null);
    expect(sent.map((row) => [row.id, row.visit])).toEqual(body.data.map((result: any) => [result.id, result.visit]));
  });

  test('a period leaves out messages that were not sent', async () => {
    expect(pairs(await expectRows('tenant', { from: '2026-03-02', to: '2026-03-02' }))).toEqual([[one, running]]);
    expect(pairs(await expectRows('tenant', { from: '2026-03-03' }))).toEqual([]);
    expect(await expectRows('tenant', { to: '2026-02-10' })).toHaveLength(3);
  });

  test('leaves out a deactivated learner, unless inactive ones are requested', async () => {
    const learner = learnerId('prospect', 2);
    await post('/learners/deactivate', { learnerIds: [learner] }, 'prospect');
    expect((await expectRows('prospect', {})).map((row) => row.learnerId)).not.toContain(learner);
    expect(await expectRows('prospect', { learnerId: learner })).toHaveLength(3);
    expect(await expectRows('prospect', { includeInactive: 'true' })).toHaveLength(10);
  });

  test('a company without learners has an empty list', async () => {
    await emptyOut('directChild');
    expect((await get(path, 'directChild')).text).toBe('{"data":[]}');
  });
});

describe('GET /reports/simulation-results of 120 learners and 12 simulations', () => {
  const GROUP = groupId(COMPANY, 1);
  const some = '0192b000-0000-7000-8000-000000000006';
  const inactive = '0192b000-0000-7000-8000-000000000007';
  let simulation: string;

  beforeAll(async () => {
    await insertManySimulationResults(COMPANY, 120);
    simulation = (await simulationReport(COMPANY, { learnerId: some }))[0].simulationId as string;
  });

  const selections: SimulationFilters[] = [
    {},
    { groupId: GROUP },
    { learnerId: some },
    { learnerId: inactive },
    { learnerId: some, groupId: GROUP },
  ];
  const periods: SimulationFilters[] = [
    {},
    { from: '2024-02-29', to: '2024-02-29' },
    { to: '2023-12-31' },
    { from: '2024-01-01', to: '2024-12-31' },
    { from: '2026-01-01' },
    { from: '1000-01-01', to: '2999-12-31' },
    { from: '2999-12-31' },
  ];
  const states = [undefined, 'opened', 'compromised', 'reported'];

  test.each(selections.flatMap((selection) => periods.map((period) => ({ ...selection, ...period }))))(
    'the rows with %j are those that the tables imply, with all combinations',
    async (selection) => {
      for (const outcome of states) {
        const filters = { ...selection, ...(outcome && { outcome }) };
        await expectRows(COMPANY, filters);
        await expectRows(COMPANY, { ...filters, simulationId: simulation });
        await expectRows(COMPANY, { ...filters, includeInactive: 'true' });
        await expectRows(COMPANY, { ...filters, simulationId: simulation, includeInactive: 'true' });
      }
    },
  );

  test('each day and each outcome has rows', async () => {
    for (const day of ['2023-12-31', '2024-01-01', '2024-02-28', '2024-02-29', '2024-03-01'])
      expect((await rowsOf({ from: day, to: day }, COMPANY)).length).toBeGreaterThan(50);
    for (const outcome of ['opened', 'visited', 'compromised', 'reported'])
      expect((await rowsOf({ outcome }, COMPANY)).length).toBeGreaterThan(100);
  });

  test.each<[SimulationFilters, number]>([
    [{}, 197],
    [{ groupId: GROUP }, 50],
    [{ outcome: 'visited', includeInactive: 'true', from: '2024-01-01' }, 37],
    [{ learnerId: some }, 2],
  ])('the pages with %j of %i rows together form the list', async (filters, limit) => {
    expectSame(await readPages(path, filters, limit, COMPANY), await rowsOf(filters, COMPANY));
    const ofSimulation = { ...filters, simulationId: simulation };
    expectSame(await readPages(path, ofSimulation, 7, COMPANY), await rowsOf(ofSimulation, COMPANY));
  });

  test('CSV and JSON lines have the same rows', async () => {
    const rows = await rowsOf({ simulationId: simulation }, COMPANY);
    expectSame(await readLines(`${path}?simulationId=${simulation}`, COMPANY), rows);
    const { columns, text } = await readCsv(`${path}?simulationId=${simulation}`, COMPANY);
    expect(columns).toEqual([
      ...[
        'id',
        'learnerId',
        'simulationId',
        'templateId',
        'scheduled',
        'sent',
        'mailFailedAt',
        'bounced',
        'open',
        'visit',
      ],
      ...['compromise', 'report', 'settledAt', 'withdrawn', 'withdrawnBecause', 'deliveryMethod', 'simulation.id'],
      ...['simulation.name', 'simulation.status', 'simulation.startDate', 'simulation.endDate', 'learner.id'],
      ...[
        'learner.name',
        'learner.email',
        'learner.externalLearnerId',
        'learner.inactive',
        ...PROFILE_COLUMNS.map((name) => `learner.${name}`),
      ],
    ]);
    expect(text.split('\r\n')).toHaveLength(rows.length + 2);
    expect(text.split('\r\n')[1]).toContain(`${rows[0].id},${rows[0].learnerId},${simulation}`);
  });
});

describe('GET /reports/simulation-results rejects', () => {
  test.each(['', 'clicked', 'Visited', 'sent', 'opened,visited', 'opened&outcome=visited', '%00'])(
    'the outcome "%s", naming the parameter',
    async (outcome) => {
      expectError(await get(`${path}?outcome=${outcome}`), 400, 'invalid_request', ['query/outcome']);
    },
  );

  testUnknownIds(path, [
    ['learnerId', learnerId('other', 1)],
    ['groupId', groupId('other', 1)],
    ['simulationId', simulationId('other', 1)],
  ]);
  testInvalidPeriods(path);
  testMissingModule(path, 'smphish');
});

describe('GET /reports/simulation-results and other companies', () => {
  test.each([
    ['an MSP', 'msp', 'childA'],
    ['a distributor', 'distributor', 'childA'],
    ['a tenant itself', 'other', 'other'],
  ] as const)('%s reads only the named company', async (_case, key, company) => {
    const answer = await get(`${path}?companyId=${companies[company]}`, key);
    expect(answer.body.data).toEqual(await simulationReport(company, {}));
    expect(answer.body.data.length).toBeGreaterThan(5);
    await expectNothingForeign(answer.text, company);
  });

  test('an MSP filters by ids of the child, not by its own', async () => {
    const ofChild = `${path}?companyId=${companies.childA}`;
    const filters = { simulationId: simulationId('childA', 1) };
    const { body } = await get(`${ofChild}&simulationId=${filters.simulationId}`, 'msp');
    expect(body.data).toEqual(await simulationReport('childA', filters));
    expectError(await get(`${ofChild}&simulationId=${simulationId('msp', 1)}`, 'msp'), 404, 'not_found');
  });

  test('the same learner and simulation ids in another company change nothing', async () => {
    const before = await get(path);
    await copyIdsTo('other');
    await copySimulationsToOther();
    expect((await get(path)).text).toBe(before.text);
    await expectRows('other', {});
    await expectRows('other', { simulationId: completed }, 'other');
  });
});
