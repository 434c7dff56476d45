import { type Answer, expectError, get, patch, post } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import { groupId, learnerId, managedCourses, unknownId } from '../../support/world.ts';
import { campaignId } from '../../support/world-campaigns.ts';
import { policyId } from '../../support/world-policies.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { dayBefore, waitPastMidnight } from './past-state.ts';
import { noProfile } from './profile-state.ts';
import { addressOf, readCsv } from './report-pages.ts';

const [one, two, three, four] = ([1, 2, 3, 4] as const).map((n) => learnerId('tenant', n)) as [
  string,
  string,
  string,
  string,
];
const REPORTS = ['course-results', 'learning', 'course-participation', 'policy-results', 'simulation-results'];
const FIRST_NAMES = { [one]: 'Ada', [two]: 'Grace', [three]: 'Katherine', [four]: 'Edsger' };

async function change(id: string, fields: object): Promise<void> {
  const answer = await patch(`/learners/${id}`, { firstName: FIRST_NAMES[id], lastName: 'tenant', ...fields });
  expect(answer.status).toBe(200);
}

/** Lists other than reports: the learners, the recipients of a simulation, and who signed a policy. */
const LISTS: Record<string, string> = {
  learners: '/learners',
  recipients: `/simulations/${simulationId('tenant', 1)}`,
  signers: `/policies/${policyId('tenant', 1)}`,
};

interface Row {
  id?: string;
  learnerId?: string;
  learner?: { id: string };
}

/** Returns the rows of a report. */
async function rowsOf(report: string, filters: object): Promise<Row[]> {
  const path = LISTS[report] ?? `/reports/${report}`;
  const { status, body } = await get(addressOf(path, report === 'signers' ? { outcome: 'all', ...filters } : filters));
  expect({ report, filters, status, error: body.error }).toEqual({ report, filters, status: 200 });
  const { rows, learners, recipients, results } = body.data;
  return rows ?? learners ?? recipients ?? results ?? body.data;
}

/** Returns the ids of a report's learners, each once and in order. */
async function idsOf(report: string, filters: object): Promise<string[]> {
  return [...new Set((await rowsOf(report, filters)).map((row) => row.learner?.id ?? row.learnerId ?? row.id!))].sort();
}

beforeEach(async () => {
  await change(one, { department: 'Forschung  und Entwicklung', location: 'Zürich', country: 'CH' });
  await change(two, { department: ' FORSCHUNG UND ENTWICKLUNG', location: 'Genève', country: 'CH', managerId: four });
  await change(three, { department: 'Sales', location: 'ZURICH', country: 'DE' });
});
afterEach(async () => {
  for (const id of [one, two, three, four]) await change(id, noProfile);
});

test.each([...REPORTS, ...Object.keys(LISTS)])(
  '%s is filtered by department, place, country and manager',
  async (report) => {
    const all = await idsOf(report, {});
    const expectIds = async (filters: object, ids: string[]) => {
      expect({ filters, ids: await idsOf(report, filters) }).toEqual({
        filters,
        ids: all.filter((id) => ids.includes(id)),
      });
    };
    expect(all).toEqual(expect.arrayContaining([one, two, three]));
    await expectIds({ department: 'forschung und entwicklung' }, [one, two]);
    await expectIds({ location: 'zurich' }, [one, three]);
    await expectIds({ location: 'GENEVE', department: 'Forschung und Entwicklung' }, [two]);
    await expectIds({ country: 'ch', location: 'Zürich' }, [one]);
    await expectIds({ country: 'DE' }, [three]);
    await expectIds({ managerId: four }, [two]);
    await expectIds({ managerId: four, country: 'DE' }, []);
    await expectIds({ department: 'Sale' }, []);
  },
);

test('profile filters narrow lists of a learner, a group, a policy or a simulation, and totals', async () => {
  const country = 'CH';
  expect(await idsOf('course-results', { groupId: groupId('tenant', 1), country })).toEqual([one, two]);
  expect(await idsOf('policy-results', { learnerId: three, country })).toEqual([]);
  expect(await idsOf('policy-results', { policyId: policyId('tenant', 1), country: 'DE' })).toEqual([three]);
  const ofSimulation = { simulationId: simulationId('tenant', 2) };
  const recipients = await idsOf('simulation-results', ofSimulation);
  expect(recipients).toContain(two);
  expect(await idsOf('simulation-results', { ...ofSimulation, country })).toEqual(
    recipients.filter((id) => id === one || id === two),
  );
  const learning = (await get(addressOf('/reports/learning', { country, attempts: 'best' }))).body.data;
  expect(learning.summary).toMatchObject({ learnerCount: 2, enrollmentCount: learning.rows.length });
});

test('rows and CSV files show the profile', async () => {
  const profile = { department: 'Forschung  und Entwicklung', jobTitle: null, country: 'CH', location: 'Zürich' };
  for (const report of [...REPORTS, 'recipients', 'signers']) {
    const [row] = await rowsOf(report, { country: 'CH', department: profile.department });
    expect({ report, learner: row!.learner ?? row }).toMatchObject({
      report,
      learner: { ...profile, managerId: null },
    });
  }
  const { columns, text } = await readCsv('/reports/learning?country=CH', 'tenant');
  expect(columns.slice(-7)).toEqual(['grade', ...Object.keys(noProfile)]);
  expect(text).toContain('Forschung  und Entwicklung,,CH,Zürich,,');
});

test('a past day has the profiles of that day', async () => {
  await waitPastMidnight();
  await passDay();
  await change(one, { department: 'Sales', country: null });
  const past = { asOf: dayBefore(1) };
  for (const report of REPORTS.filter((name) => name !== 'simulation-results')) {
    expect(await idsOf(report, { department: 'Sales' })).toEqual([one, three]);
    expect(await idsOf(report, { ...past, department: 'sales' })).toEqual([three]);
    expect(await idsOf(report, { ...past, country: 'CH' })).toEqual([one, two]);
    expect(await idsOf(report, { ...past, country: 'CH', groupId: groupId('tenant', 1) })).toEqual([one, two]);
    const [row] = await rowsOf(report, { ...past, location: 'zürich' });
    expect(row!.learner ?? row).toMatchObject({ department: 'Forschung  und Entwicklung', country: 'CH' });
  }
});

test('after a change of department, results no longer appear in a report on the former one', async () => {
  const path = (since: string, department: string) =>
    addressOf('/reports/course-results', { updatedSince: since, department });
  const start = await get(path(new Date().toISOString(), 'Sales'));
  const { syncedUntil } = start.body as unknown as { syncedUntil: string };
  await change(three, { department: 'Marketing' });
  type Changes = Answer & { body: { removed: object[] } };
  const { body } = (await get(path(syncedUntil, 'Sales'))) as Changes;
  expect(body.data).toEqual([]);
  expect(body.removed).toContainEqual({ learnerId: three, courseId: managedCourses.phishing });
  const changed = (await get(path(syncedUntil, 'marketing'))).body.data;
  expect(changed.map(({ learner }: { learner: object }) => learner)).toContainEqual(
    expect.objectContaining({ id: three, department: 'Marketing' }),
  );
});

test.each([
  [{ country: 'Germany' }, 400, 'country'],
  [{ department: '' }, 400, 'department'],
  [{ location: '\0' }, 400, 'location'],
  [{ managerId: one, asOf: dayBefore(0) }, 400, 'managerId'],
  [{ managerId: one, updatedSince: new Date().toISOString() }, 400, 'managerId'],
  [{ campaignId: campaignId('tenant'), knownAt: dayBefore(0) }, 400, 'campaignId'],
  [{ campaignId: campaignId('tenant'), updatedSince: new Date().toISOString() }, 400, 'campaignId'],
  [{ campaignId: 'Basics' }, 400, 'campaignId'],
] as const)('%j returns %i and names %s', async (filters, status, field) => {
  const answer = await get(addressOf('/reports/course-results', filters));
  expectError(answer, status, 'invalid_request');
  expect(JSON.stringify(answer.body.error)).toContain(`query/${field}`);
});

test('Greek words match in capitals', async () => {
  await change(one, { department: 'Πωλήσεις' });
  expect(await idsOf('learners', { department: 'ΠΩΛΗΣΕΙΣ' })).toEqual([one]);
});

test('the manager of another company returns 404 in a report, and no learners in the list', async () => {
  for (const managerId of [learnerId('other', 1), unknownId]) {
    expectError(await get(`/reports/learning?managerId=${managerId}`), 404, 'not_found');
    expect(await idsOf('learners', { managerId })).toEqual([]);
  }
});

test.each([...REPORTS.slice(0, 4), 'gap-analysis-results'])(
  '%s is filtered by campaign, also with other filters and after the assignment',
  async (report) => {
    const campaign = { campaignId: campaignId('tenant') };
    const all = await idsOf(report, {});
    const assigned = async (filters: object = {}) => idsOf(report, { ...campaign, ...filters });
    expect(await assigned()).toEqual(all.filter((id) => id === four));
    await testService.query(
      `update campaign_assignments set ended_at = now(), ended_because = 'left_audience' where campaign_id = $1`,
      [campaign.campaignId],
    );
    await testService.query(
      `insert into campaign_assignments (company_id, campaign_id, item_id, learner_id, round, due_on, due_at, results_from)
       select company_id, campaign_id, item_id, $2, n, due_on, due_at, results_from
         from campaign_assignments, generate_series(1, 2) as n where campaign_id = $1`,
      [campaign.campaignId, one],
    );
    expect(await assigned()).toEqual(all.filter((id) => id === one || id === four));
    expect(await assigned({ country: 'CH' })).toEqual(all.filter((id) => id === one));
    const group = { groupId: groupId('tenant', 1) };
    const members = await idsOf(report, group);
    expect(await assigned(group)).toEqual(members.filter((id) => id === one || id === four));
    await testService.query('delete from campaign_assignments where campaign_id = $1 and learner_id = $2', [
      campaign.campaignId,
      one,
    ]);
  },
);

test('an unknown campaign, or one of another company, returns 404 in a report', async () => {
  for (const id of [campaignId('other'), unknownId])
    for (const report of REPORTS.slice(0, 4))
      expectError(await get(`/reports/${report}?campaignId=${id}`), 404, 'not_found');
});

test('learners are filtered by risk level, also with other filters', async () => {
  const everyone = await idsOf('learners', {});
  const levels = ['low', 'moderate', 'high', 'critical'];
  const byLevel = await Promise.all(levels.map((riskScoreLevel) => idsOf('learners', { riskScoreLevel })));
  expect(byLevel.flat().sort()).toEqual(everyone);
  expect(
    await idsOf('learners', { riskScoreLevel: levels[byLevel.findIndex((ids) => ids.includes(two))], country: 'CH' }),
  ).toContain(two);
  expect((await post('/learners/deactivate', { learnerIds: [two] })).status).toBe(200);
  expect(await idsOf('learners', { country: 'CH', inactive: false })).toEqual([one]);
  expect((await post('/learners/activate', { learnerIds: [two] })).status).toBe(200);
});
