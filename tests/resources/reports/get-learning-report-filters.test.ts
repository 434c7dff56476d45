/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { expectError, get } from '../../support/client.ts';
import { simulationId } from '../../support/world-simulations.ts';
import {
  companies,
  type CompanyName,
  type KeyName,
  learnerId,
  managedCourses,
  ownCourseId,
  unknownId,
} from '../../support/world.ts';
import { copyIdsTo, enrolledIn, expectNothingForeign, expectSame, insertManyResults } from './report-state.ts';
import { type LearningFilters, narrowedReport } from './learning-filters.ts';

const path = '/reports/learning';
const { phishing, passwords, gapAnalysis } = managedCourses;
const own = ownCourseId('tenant');
const one = learnerId('tenant', 1);
const two = learnerId('tenant', 2);
const three = learnerId('tenant', 3);
const five = learnerId('tenant', 5);
const completed = simulationId('tenant', 1);
const running = simulationId('tenant', 5);

async function report(filters: LearningFilters, key: KeyName = 'tenant'): Promise<{ summary: any; rows: any[] }> {
  const { status, body } = await get(`${path}?${new URLSearchParams({ ...filters }).toString()}`, key);
  expect(status).toBe(200);
  return { summary: body.data.summary, rows: body.data.rows };
}

const pairs = (rows: any[]): string[][] => rows.map((row) => [row.learnerId, row.courseId]);

/** Expects the report that the rows in the database imply, and returns the rows of the report. */
async function expectReport(company: CompanyName, filters: LearningFilters, key: KeyName = company): Promise<any[]> {
  const [found, expected] = [await report(filters, key), await narrowedReport(company, filters)];
  expectSame(found.rows, expected.rows);
  expect(found.summary).toEqual(expected.summary);
  return found.rows;
}

describe('GET /reports/learning with a status', () => {
  test.each<[string, string[][]]>([
    ['not_started', [[three, phishing]]],
    [
      'in_progress',
      [
        [one, passwords],
        [three, own],
      ],
    ],
    [
      'unfinished',
      [
        [one, passwords],
        [three, phishing],
        [three, own],
      ],
    ],
    [
      'finished',
      [
        [one, phishing],
        [two, phishing],
      ],
    ],
  ])('%s returns only rows of that status, with their totals', async (status, wanted) => {
    expect(pairs(await expectReport('tenant', { status }))).toEqual(wanted);
  });

  test('the totals of unfinished enrolments count the started ones', async () => {
    const { summary } = await report({ status: 'unfinished' });
    expect(summary).toEqual({
      learnerCount: 2,
      enrollmentCount: 3,
      startedCount: 2,
      finishedCount: 0,
      passedCount: 0,
      averageScore: null,
    });
  });

  test.each<[string, LearningFilters, string[][]]>([
    ['a learner', { learnerId: one, status: 'unfinished' }, [[one, passwords]]],
    ['a course', { courseId: phishing, status: 'unfinished' }, [[three, phishing]]],
    ['both', { learnerId: three, courseId: own, status: 'in_progress' }, [[three, own]]],
    ['both with another status', { learnerId: three, courseId: own, status: 'finished' }, []],
    ['an inactive learner', { learnerId: five, status: 'finished' }, [[five, phishing]]],
    ['the gap analysis', { courseId: gapAnalysis, status: 'finished' }, [[two, gapAnalysis]]],
  ])('combines with %s', async (_case, filters, wanted) => {
    expect(pairs(await expectReport('tenant', filters))).toEqual(wanted);
  });
});

describe('GET /reports/learning of a simulation', () => {
  test.each<[string, LearningFilters, string[][]]>([
    [
      'active recipients who opened it',
      { simulationId: completed, outcome: 'opened' },
      [
        [one, phishing],
        [one, passwords],
        [two, phishing],
      ],
    ],
    ['recipients who clicked', { simulationId: completed, outcome: 'visited' }, [[two, phishing]]],
    ['recipients who were compromised', { simulationId: completed, outcome: 'compromised' }, [[two, phishing]]],
    [
      'recipients who reported it',
      { simulationId: completed, outcome: 'reported' },
      [
        [one, phishing],
        [one, passwords],
      ],
    ],
    [
      'unfinished training of recipients who clicked',
      { simulationId: running, outcome: 'visited', status: 'unfinished' },
      [[one, passwords]],
    ],
    [
      'nothing unfinished of recipients who clicked and finished the course',
      { simulationId: running, outcome: 'visited', status: 'unfinished', courseId: phishing },
      [],
    ],
    [
      'the finished course of recipients who clicked',
      { simulationId: running, outcome: 'visited', status: 'finished', courseId: phishing },
      [[one, phishing]],
    ],
    [
      'the gap analysis of recipients who clicked',
      { simulationId: completed, outcome: 'visited', courseId: gapAnalysis },
      [[two, gapAnalysis]],
    ],
    [
      'an inactive recipient who is named',
      { simulationId: completed, outcome: 'opened', learnerId: five },
      [[five, phishing]],
    ],
    ['nothing of a learner without the outcome', { simulationId: completed, outcome: 'visited', learnerId: one }, []],
    ['nothing of a learner who is not a recipient', { simulationId: running, outcome: 'opened', learnerId: three }, []],
    ['nothing of a draft', { simulationId: simulationId('tenant', 3), outcome: 'opened' }, []],
  ])('returns %s', async (_case, filters, wanted) => {
    expect(pairs(await expectReport('tenant', filters))).toEqual(wanted);
  });
});

describe('GET /reports/learning of a company with thousands of enrolments', () => {
  const simulation = simulationId('strangerMsp', 1);

  beforeAll(async () => {
    await insertManyResults('strangerMsp', 800, 6, 600);
    await testService.query(
      `insert into simulation_recipients (company_id, simulation_id, learner_id, sent_at, opened_at, visited_at,
                                          compromised_at, reported_at)
       select company_id, $2, id, '2026-02-10Z', case when n % 10 < 7 then timestamptz '2026-02-11Z' end,
              case when n % 10 < 3 then timestamptz '2026-02-12Z' end,
              case when n % 10 < 1 then timestamptz '2026-02-13Z' end,
              case when n % 3 = 0 then timestamptz '2026-02-14Z' end
         from learners, lateral (select abs(hashtext(id::text) % 1000) as n) as hash
        where company_id = $1 and email like 'many%' and n < 900`,
      [companies.strangerMsp, simulation],
    );
  });

  const outcomes = ['opened', 'visited', 'compromised', 'reported'];
  const statuses = [undefined, 'not_started', 'in_progress', 'unfinished', 'finished'];
  test.each(outcomes.flatMap((outcome) => statuses.map((status) => [outcome, status] as const)))(
    'rows and totals of outcome %s and status %s are exact',
    async (outcome, status) => {
      const filters = { simulationId: simulation, outcome, ...(status && { status }) };
      expect((await expectReport('strangerMsp', filters)).length).toBeGreaterThan(20);
      expect((await expectReport('strangerMsp', { ...filters, courseId: passwords })).length).toBeGreaterThan(2);
    },
  );

  test('outcome visited matches the simulation, without inactive or unenrolled recipients', async () => {
    const { body } = await get(`/simulations/${simulation}?outcome=visited`, 'strangerMsp');
    const clicked = body.data.recipients.map(({ learner }: { learner: { id: string } }) => learner.id) as string[];
    const { rows, summary } = await report({ simulationId: simulation, outcome: 'visited' }, 'strangerMsp');
    const found = [...new Set(rows.map((row) => row.learnerId as string))];
    const active = (await enrolledIn('strangerMsp')).filter(({ learner }) => !learner.inactive);
    const enrolled = new Set(active.map(({ learner }) => learner.id));
    expect(found).toEqual(clicked.filter((id) => enrolled.has(id)));
    expect(summary.learnerCount).toBe(found.length);
    expect(found.length).toBeGreaterThan(50);
    expect(found.length).toBeLessThan(clicked.length);
  });
});

describe('GET /reports/learning without simulations', () => {
  beforeAll(() => setSimulations(false));
  afterAll(() => setSimulations(true));

  test('simulationId needs the module smphish for any id, unlike the rest of the report', async () => {
    for (const id of [simulationId('prospect', 1), unknownId]) {
      const answer = await get(`${path}?simulationId=${id}&outcome=visited`, 'prospect');
      expectError(answer, 403, 'module_not_enabled');
      expect(answer.body.error!.message).toContain('smphish');
    }
    await expectReport('prospect', { status: 'unfinished' });
  });

  test('the module of the child counts, not the module of its MSP', async () => {
    const ofChild = { companyId: companies.childA };
    const answer = await get(
      `${path}?companyId=${companies.childA}&outcome=opened&simulationId=${simulationId('childA', 1)}`,
      'msp',
    );
    expectError(answer, 403, 'module_not_enabled');
    await expectReport('childA', { ...ofChild, status: 'unfinished' }, 'msp');
    await expectReport('msp', { simulationId: simulationId('msp', 1), outcome: 'opened' });
  });
});

async function setSimulations(enabled: boolean): Promise<void> {
  const values = [enabled, [companies.prospect, companies.childA]];
  await testService.query('update companies set smphish = $1 where id = any($2)', values);
  // Waits until cached keys expire (KEY_CACHE_MS is 200).
  await new Promise((resolve) => setTimeout(resolve, 250));
}

describe('GET /reports/learning of a simulation, and other companies', () => {
  test("an MSP reads a child's report by a simulation of the child, not by its own", async () => {
    const ofChild = { companyId: companies.childB };
    const clicked = { outcome: 'visited', status: 'finished' };
    const query = { ...ofChild, ...clicked, simulationId: simulationId('childB', 1) };
    expect(pairs(await expectReport('childB', query, 'msp'))).toEqual([[learnerId('childB', 2), phishing]]);
    const { text } = await get(`${path}?${new URLSearchParams(query).toString()}`, 'msp');
    await expectNothingForeign(text, 'childB');
    const foreign = new URLSearchParams({ ...query, simulationId: simulationId('msp', 1) }).toString();
    expectError(await get(`${path}?${foreign}`, 'msp'), 404, 'not_found');
    expectError(
      await get(`${path}?outcome=visited&simulationId=${simulationId('childB', 1)}`, 'msp'),
      404,
      'not_found',
    );
  });

  test('the same simulation and learner ids in another company change nothing', async () => {
    const filters = { simulationId: completed, outcome: 'visited' };
    const before = await report(filters);
    await copyIdsTo('other');
    await testService.query(
      `insert into simulations (company_id, id, name, status, delivery_method, start_date)
       select $1, id, name, status, delivery_method, start_date from simulations where company_id = $2 and id = $3`,
      [companies.other, companies.tenant, completed],
    );
    await testService.query(
      `insert into simulation_recipients (company_id, simulation_id, learner_id, sent_at, visited_at)
       select $1, $2, id, '2026-02-10Z', '2026-02-11Z' from learners where company_id = $1 and id = any($3)`,
      [companies.other, completed, [one, three]],
    );
    expect(await report(filters)).toEqual(before);
    const copied = await expectReport('other', filters);
    expect(new Set(copied.map((row) => row.learnerId))).toEqual(new Set([one, three]));
  });
});
