/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { noProfile, PROFILE_COLUMNS } from './profile-state.ts';
import { expectError, get, post } from '../../support/client.ts';
import { policyId, versionId } from '../../support/world-policies.ts';
import { companies, type CompanyName, groupId, type KeyName, learnerId } from '../../support/world.ts';
import { insertManyPolicyResults, type PolicyFilters, policyReport } from './policy-result-state.ts';
import { testMissingModule, testUnknownIds } from './report-cases.ts';
import { addressOf, readCsv, readLines, readPages } from './report-pages.ts';
import { copyIdsTo, emptyOut, expectNothingForeign, expectSame } from './report-state.ts';

const path = '/reports/policy-results';
const COMPANY = 'strangerMsp';
const [one, two] = [policyId('tenant', 1), policyId('tenant', 2)];
const time = '2026-03-02T08:00:00.000Z';

async function rowsOf(filters: PolicyFilters = {}, key: KeyName = 'tenant'): Promise<any[]> {
  const { status, body } = await get(addressOf(path, filters), key);
  expect(status).toBe(200);
  return body.data;
}

const outcomes = (rows: any[]): string[][] => rows.map((row) => [row.learnerId, row.policyId, row.outcome]);

/** Expects the rows computed from the tables, and returns them. */
async function expectRows(company: CompanyName, filters: PolicyFilters, key: KeyName = company): Promise<any[]> {
  const rows = await rowsOf(filters, key);
  expectSame(rows, await policyReport(company, filters));
  return rows;
}

describe('GET /reports/policy-results', () => {
  test('lists active learners with each published policy, also learners who were never asked', async () => {
    const rows = await expectRows('tenant', {});
    const learner = (number: 1 | 2 | 3 | 4) => learnerId('tenant', number);
    expect(outcomes(rows).slice(0, 6)).toEqual([
      [learner(1), one, 'signed'],
      [learner(1), two, 'not_assigned'],
      [learner(2), one, 'unsigned'],
      [learner(2), two, 'unsigned'],
      [learner(3), one, 'not_assigned'],
      [learner(3), two, 'not_assigned'],
    ]);
    expect(rows[0]).toEqual({
      learnerId: learner(1),
      policyId: one,
      outcome: 'signed',
      askedAt: time,
      remindedAt: null,
      mailFailedAt: null,
      visit: '2026-03-03T09:12:45.120Z',
      signed: '2026-03-03T09:15:02.310Z',
      signedOffline: false,
      sentVersionId: versionId('tenant', 1),
      visitedVersionId: versionId('tenant', 1),
      signedVersionId: versionId('tenant', 1),
      policy: { id: one, name: 'Policy 1 of tenant', liveVersionId: versionId('tenant', 1) },
      learner: {
        id: learner(1),
        name: 'Ada tenant',
        email: 'learner1@tenant.test',
        externalLearnerId: 'HR-1',
        inactive: false,
        ...noProfile,
      },
    });
  });

  test('a former signature stays in a row that is not assigned', async () => {
    const [row] = await rowsOf({ learnerId: learnerId('tenant', 3), policyId: one });
    const signature = { signed: '2026-03-03T09:15:02.310Z', signedOffline: true };
    expect(row).toMatchObject({ outcome: 'not_assigned', askedAt: null, ...signature });
  });

  test('agrees with the counts and the lists of each policy', async () => {
    for (const id of [one, two]) {
      const { body } = await get(`/policies/${id}?outcome=unsigned`);
      const found = async (outcome: string) => rowsOf({ policyId: id, outcome });
      expect((await found('signed')).length).toBe(body.data.signedCount);
      expect((await found('unsigned')).map((row) => row.learnerId)).toEqual(
        body.data.results.map((result: any) => result.learner.id),
      );
    }
  });

  test('a learner who must sign again is unsigned, and keeps the earlier signature', async () => {
    const ids = { policyIds: [one], learnerIds: [learnerId('tenant', 1)] };
    const before = await rowsOf({ learnerId: ids.learnerIds[0]!, policyId: one });
    await testService.query('update policy_results set asked_at = now() where company_id = $1 and learner_id = $2', [
      companies.tenant,
      ids.learnerIds[0],
    ]);
    const [after] = await expectRows('tenant', { learnerId: ids.learnerIds[0]!, policyId: one });
    expect(after).toMatchObject({ outcome: 'unsigned', signed: before[0].signed });
  });

  test('shows a failed message only in the row of its policy and learner', async () => {
    await testService.query(
      `insert into messages (company_id, id, kind, learner_id, subject_ids, status, created_at, settled_at)
       values ($1, gen_random_uuid(), 'policy_request', $2, $3, 'failed', now(), '2026-11-01T08:00:00Z')`,
      [companies.tenant, learnerId('tenant', 2), [two]],
    );
    const failed = (await rowsOf()).filter((row) => row.mailFailedAt !== null);
    expect(failed).toMatchObject([
      { learnerId: learnerId('tenant', 2), policyId: two, mailFailedAt: '2026-11-01T08:00:00.000Z' },
    ]);
  });

  test('leaves out a deactivated learner, unless inactive ones are requested', async () => {
    const learner = learnerId('prospect', 2);
    await post('/learners/deactivate', { learnerIds: [learner] }, 'prospect');
    expect((await expectRows('prospect', {})).map((row) => row.learnerId)).not.toContain(learner);
    expect(await expectRows('prospect', { learnerId: learner })).toHaveLength(2);
    const all = await expectRows('prospect', { includeInactive: 'true' });
    expect(all.filter((row) => row.learnerId === learner)).toHaveLength(2);
  });

  test('a draft has no rows until it is published', async () => {
    const draft = policyId('childB', 3);
    expect(await rowsOf({ policyId: draft }, 'childB')).toEqual([]);
    expect((await post(`/policies/${draft}/publish-draft`, {}, 'childB')).status).toBe(200);
    const rows = await expectRows('childB', { policyId: draft });
    expect(rows.length).toBeGreaterThan(2);
    expect(new Set(rows.map((row) => row.outcome))).toEqual(new Set(['not_assigned']));
  });

  test('a company without learners has an empty list', async () => {
    await emptyOut('directChild');
    expect((await get(path, 'directChild')).text).toBe('{"data":[]}');
  });
});

describe('GET /reports/policy-results of 300 learners and 21 policies', () => {
  const GROUP = groupId(COMPANY, 1);
  const some = `0192b000-0000-7000-8000-00000000000${6}`;
  const inactive = '0192b000-0000-7000-8000-000000000007';
  let policy: string;

  beforeAll(async () => {
    await insertManyPolicyResults(COMPANY, 300);
    policy = (await policyReport(COMPANY, {}))[5].policyId as string;
  });

  const selections: PolicyFilters[] = [
    {},
    { groupId: GROUP },
    { learnerId: some },
    { learnerId: inactive },
    { learnerId: some, groupId: GROUP },
    { learnerId: inactive, groupId: GROUP },
  ];
  const states = [undefined, 'signed', 'unsigned', 'not_assigned'];

  test.each(
    selections.flatMap((selection) => states.map((outcome) => ({ ...selection, ...(outcome && { outcome }) }))),
  )('the rows with %j are those that the tables imply, with all combinations', async (filters) => {
    await expectRows(COMPANY, filters);
    await expectRows(COMPANY, { ...filters, policyId: policy });
    await expectRows(COMPANY, { ...filters, includeInactive: 'true' });
    await expectRows(COMPANY, { ...filters, policyId: policy, includeInactive: 'true' });
  });

  test('every outcome has many rows, and the outcomes add up to all rows', async () => {
    const all = await rowsOf({}, COMPANY);
    const counts = await Promise.all(
      ['signed', 'unsigned', 'not_assigned'].map(async (outcome) => (await rowsOf({ outcome }, COMPANY)).length),
    );
    for (const count of counts) expect(count).toBeGreaterThan(200);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all.length);
  });

  test.each([
    [{}, 997],
    [{ groupId: GROUP }, 100],
    [{ outcome: 'unsigned', includeInactive: 'true' }, 37],
    [{ learnerId: some }, 4],
    [{ policyId: undefined as never, groupId: GROUP, outcome: 'signed' }, 13],
  ])('the pages with %j of %i rows together form the list', async (given, limit) => {
    const filters = JSON.parse(JSON.stringify(given)) as PolicyFilters;
    expectSame(await readPages(path, filters, limit, COMPANY), await rowsOf(filters, COMPANY));
  });

  test('a cursor of other filters returns 400 naming it', async () => {
    const { body } = await get(`${path}?limit=3`, COMPANY);
    const { nextCursor } = (body as unknown as { page: { nextCursor: string } }).page;
    const answer = await get(`${path}?limit=3&outcome=signed&cursor=${nextCursor}`, COMPANY);
    expectError(answer, 400, 'invalid_request', ['query/cursor']);
  });

  test('CSV and JSON lines have the same rows', async () => {
    const rows = await rowsOf({ policyId: policy }, COMPANY);
    expectSame(await readLines(`${path}?policyId=${policy}`, COMPANY), rows);
    const { columns, text } = await readCsv(`${path}?policyId=${policy}`, COMPANY);
    expect(columns).toEqual([
      ...['learnerId', 'policyId', 'outcome', 'askedAt', 'remindedAt', 'mailFailedAt', 'visit', 'signed'],
      ...['signedOffline', 'sentVersionId', 'visitedVersionId', 'signedVersionId', 'policy.id', 'policy.name'],
      ...['policy.liveVersionId', 'learner.id', 'learner.name', 'learner.email', 'learner.externalLearnerId'],
      'learner.inactive',
      ...PROFILE_COLUMNS.map((name) => `learner.${name}`),
    ]);
    expect(text.split('\r\n')).toHaveLength(rows.length + 2);
    expect(text.split('\r\n')[1]).toContain(`${rows[0].learnerId},${policy},${rows[0].outcome}`);
  });
});

describe('GET /reports/policy-results rejects', () => {
  test.each(['', 'open', 'Signed', 'all', 'signed,unsigned', 'signed&outcome=unsigned', '%00'])(
    'the outcome "%s", naming the parameter',
    async (outcome) => {
      expectError(await get(`${path}?outcome=${outcome}`), 400, 'invalid_request', ['query/outcome']);
    },
  );

  testUnknownIds(path, [
    ['learnerId', learnerId('other', 1)],
    ['groupId', groupId('other', 1)],
    ['policyId', policyId('other', 1)],
  ]);
  testMissingModule(path, 'smpolicy');
});

describe('GET /reports/policy-results and other companies', () => {
  test.each([
    ['an MSP', 'msp', 'childA'],
    ['a distributor', 'distributor', 'childA'],
    ['a tenant itself', 'other', 'other'],
  ] as const)('%s reads only the named company', async (_case, key, company) => {
    const answer = await get(`${path}?companyId=${companies[company]}`, key);
    expect(answer.body.data).toEqual(await policyReport(company, {}));
    await expectNothingForeign(answer.text, company);
  });

  test('an MSP filters by ids of the child, not by its own', async () => {
    const ofChild = `${path}?companyId=${companies.childA}`;
    const { body } = await get(`${ofChild}&policyId=${policyId('childA', 1)}`, 'msp');
    expect(body.data).toEqual(await policyReport('childA', { policyId: policyId('childA', 1) }));
    expectError(await get(`${ofChild}&policyId=${policyId('msp', 1)}`, 'msp'), 404, 'not_found');
    expectError(await get(`${ofChild}&groupId=${groupId('msp', 1)}`, 'msp'), 404, 'not_found');
  });

  test('the same learner ids in another company change nothing', async () => {
    const before = await get(path);
    await copyIdsTo('other');
    expect((await get(path)).text).toBe(before.text);
    await expectRows('other', {});
  });
});
