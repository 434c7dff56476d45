import { call, del, expectError, get, patch, post, put } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import { companies, groupId } from '../../support/world.ts';
import { correctedSignatures } from '../corrections/signature-correction-state.ts';
import { create, file } from '../policies/policy-state.ts';
import { record } from '../courses/result-state.ts';
import { createLearner, dayBefore, daysAgo, uniqueId, waitPastMidnight } from './past-state.ts';
import { addressOf, readCsv, readLines, readPages } from './report-pages.ts';

const path = '/reports/policy-results';

async function read(filters: object): Promise<any[]> {
  const { status, body } = await get(addressOf(path, filters));
  expect({ filters, status, error: body.error }).toEqual({ filters, status: 200 });
  return body.data;
}

interface Pair {
  learnerId: string;
  policyId: string;
}

/** Creates a policy that is not assigned to anybody, and a learner. */
async function createPair(): Promise<Pair> {
  return { learnerId: await createLearner(), policyId: (await create()).id };
}

async function sign({ learnerId, policyId }: Pair, days: number | Date): Promise<string> {
  const eventId = uniqueId();
  const signedAt = typeof days === 'number' ? daysAgo(days) : days;
  const signature = { learner: { id: learnerId }, policyId, eventId, signedAt, offline: true };
  const { body } = await post('/policy-signatures', { signatures: [signature] });
  expect(body.data.failures).toEqual([]);
  return eventId;
}

const assign = ({ learnerId, policyId }: Pair) =>
  post('/policy-assignments', { learnerIds: [learnerId], policyIds: [policyId] });

const remove = ({ learnerId, policyId }: Pair) =>
  post('/policy-removals', { learnerIds: [learnerId], policyIds: [policyId] });

beforeEach(waitPastMidnight);

test('a signature that is recorded late assigns and signs the policy on its own day', async () => {
  const pair = await createPair();
  for (let days = 0; days < 4; days++) await passDay();
  await sign(pair, 2);
  expect(await read({ ...pair, asOf: dayBefore(2) })).toMatchObject([{ outcome: 'signed', signedOffline: true }]);
  expect(await read({ ...pair, asOf: dayBefore(3) })).toMatchObject([{ outcome: 'not_assigned', signed: null }]);
  expect(await read({ ...pair, knownAt: dayBefore(1) })).toMatchObject([{ outcome: 'not_assigned', signed: null }]);
  const [first] = await read({ ...pair, asOf: dayBefore(2) });
  await sign(pair, 1);
  const [second] = await read({ ...pair, asOf: dayBefore(1) });
  expect(second.askedAt).toBe(second.signed);
  expect(second.signed > first.signed).toBe(true);
  expect(await read({ ...pair, asOf: dayBefore(2) })).toEqual([first]);
});

test('a late signature does not assign the policy after its removal', async () => {
  const pair = await createPair();
  await assign(pair);
  await passDay();
  await passDay();
  await remove(pair);
  await passDay();
  await sign(pair, 2);
  expect(await read({ ...pair, asOf: dayBefore(3) })).toMatchObject([{ outcome: 'unsigned' }]);
  expect(await read({ ...pair, asOf: dayBefore(2) })).toMatchObject([{ outcome: 'signed' }]);
  expect(await read({ ...pair, asOf: dayBefore(0) })).toMatchObject([{ outcome: 'signed' }]);
});

test('a voided signature counts on no day, but was known until it was voided', async () => {
  const [pair, assigned] = [await createPair(), await createPair()];
  await assign(assigned);
  const eventIds = [await sign(pair, 0), await sign(assigned, 0)];
  await passDay();
  await correctedSignatures(...eventIds.map((eventId) => ({ eventId, action: 'void' as const })));
  await passDay();
  expect(await read({ ...pair, asOf: dayBefore(2) })).toMatchObject([{ outcome: 'not_assigned', askedAt: null }]);
  expect(await read({ ...assigned, asOf: dayBefore(2) })).toMatchObject([{ outcome: 'unsigned', signed: null }]);
  for (const { learnerId, policyId } of [pair, assigned]) {
    expect(await read({ learnerId, policyId, knownAt: dayBefore(2) })).toMatchObject([{ outcome: 'signed' }]);
  }
  await correctedSignatures({ eventId: eventIds[0]!, action: 'restore' });
  expect(await read({ ...pair, asOf: dayBefore(2) })).toMatchObject([{ outcome: 'signed' }]);
  expect(await read({ ...pair, knownAt: dayBefore(1) })).toMatchObject([{ outcome: 'not_assigned' }]);
});

test('requests, versions and names are shown as of the day', async () => {
  const pair = await createPair();
  await assign(pair);
  const [before] = await read(pair);
  await passDay();
  await patch(`/policies/${pair.policyId}`, { action: 'live', name: 'Renamed', resend: true });
  await patch(`/learners/${pair.learnerId}`, { lastName: 'Married' });
  const [after] = await read(pair);
  expect([after.policy.name, after.policy.liveVersionId === before.policy.liveVersionId]).toEqual(['Renamed', false]);
  const [row] = await read({ ...pair, asOf: dayBefore(1) });
  expect(row).toMatchObject({ policy: before.policy, learner: before.learner, sentVersionId: before.sentVersionId });
  expect(await read({ ...pair, asOf: dayBefore(0) })).toEqual([after]);
});

test('times after the day are left out of results without stored versions', async () => {
  const pair = await createPair();
  await assign(pair);
  for (let days = 0; days < 3; days++) await passDay();
  await testService.query('alter table policy_results disable trigger policy_results_versioned');
  await testService.query(
    `update policy_results set asked_at = now(), reminded_at = now(), visited_at = now(), visited_version_id = sent_version_id
      where learner_id = $1`,
    [pair.learnerId],
  );
  await testService.query('alter table policy_results enable trigger policy_results_versioned');
  const [row] = await read({ ...pair, asOf: dayBefore(2) });
  expect(row).toMatchObject({ outcome: 'unsigned', remindedAt: null, visit: null, visitedVersionId: null });
  expect(row.askedAt < dayBefore(2)).toBe(true);
});

test('a version that is recorded late is the live one from its publication', async () => {
  const pair = await createPair();
  await passDay();
  const publishedAt = '2021-03-01T08:00:00.000Z';
  const body = { pdfFile: file, name: 'Of 2021', publishedAt, majorVersion: 0, minorVersion: 1 };
  const { status } = await post(`/policies/${pair.policyId}/versions`, body);
  expect(status).toBe(200);
  await sign(pair, new Date('2022-02-01'));
  const [row] = await read({ ...pair, asOf: '2022-12-31' });
  expect(row).toMatchObject({ outcome: 'signed', policy: { name: 'Of 2021' } });
  expect(row.signedVersionId).toBe(row.policy.liveVersionId);
  expect(await read({ ...pair, asOf: '2021-02-28' })).toEqual([]);
  expect(await read({ ...pair, asOf: '2022-12-31', knownAt: dayBefore(1) })).toEqual([]);
});

test('a deleted policy is listed on the days before, and learners who came later only with results', async () => {
  const pair = await createPair();
  await assign(pair);
  await sign(pair, 0);
  const [before] = await read(pair);
  await passDay();
  const newcomer = await createLearner();
  expect(await read({ policyId: pair.policyId, learnerId: newcomer, asOf: dayBefore(1) })).toEqual([]);
  expect(await read({ policyId: pair.policyId, learnerId: newcomer })).toHaveLength(1);
  expect((await del('/policies/bulk', { policyIds: [pair.policyId] })).status).toBe(200);
  expectError(await get(addressOf(path, pair)), 404, 'not_found');
  expect(await read({ ...pair, asOf: dayBefore(1) })).toMatchObject([{ outcome: 'signed', policy: before.policy }]);
  expect(await read({ ...pair, asOf: dayBefore(0) })).toEqual([]);
  expectError(await get(addressOf(path, { policyId: pair.learnerId, asOf: dayBefore(1) })), 404, 'not_found');
});

test('pages together, CSV and JSON lines have the rows of the report', async () => {
  for (const filters of [{ groupId: groupId('tenant', 1) }, {}]) {
    const past = { ...filters, includeInactive: true, asOf: dayBefore(0) };
    const rows = await read(past);
    expect(rows.length).toBeGreaterThan(3);
    expect(await readPages(path, past, 2, 'tenant')).toEqual(rows);
    expect(await readLines(addressOf(path, past), 'tenant')).toEqual(rows);
    const { text } = await readCsv(addressOf(path, past), 'tenant');
    expect(text.trimEnd().split('\r\n')).toHaveLength(rows.length + 1);
  }
});

test('an MSP reads past reports of a company below it, and other companies cannot', async () => {
  const filters = { companyId: companies.childA, asOf: dayBefore(0) };
  const { status, body } = await call('msp', 'GET', addressOf(path, filters));
  const now = await call('msp', 'GET', addressOf(path, { companyId: companies.childA }));
  expect([status, body.data]).toEqual([200, now.body.data]);
  const pair = await createPair();
  expectError(await get(addressOf(path, { ...pair, asOf: dayBefore(0) }), 'other'), 404, 'not_found');
});

test('participation has the groups, members and results of the day', async () => {
  const id = await createLearner();
  const group = (await post('/groups', { name: 'Of the past', managerIds: [] })).body.data.id;
  await put(`/learners/${id}/groups`, { groupIds: [group] });
  const participation = async (filters: object) => {
    const { status, body } = await get(addressOf('/reports/course-participation', filters));
    expect(status).toBe(200);
    return body.data;
  };
  const before = await participation({});
  await passDay();
  await createLearner();
  await patch(`/groups/${group}`, { name: 'Renamed' });
  await put(`/learners/${id}/groups`, { groupIds: [] });
  await passDay();
  await del(`/groups/${group}`);
  const at = (days: number) => ({ startedAt: daysAgo(days), finishedAt: daysAgo(days), score: 90 });
  await record({ eventId: uniqueId(), learner: { id }, ...at(2) });
  const { groupTree, courses, learners } = await participation({ asOf: dayBefore(2) });
  expect({ groupTree, courses }).toEqual({ groupTree: before.groupTree, courses: before.courses });
  expect(learners.find((learner: any) => learner.id === id)).toMatchObject({
    groups: [group],
    courseResults: [{ finishDate: dayBefore(2), grade: 'pass' }],
  });
  const next = await participation({ asOf: dayBefore(1) });
  expect(next.groupTree.learnerCount).toBe(before.groupTree.learnerCount + 1);
  expect(next.groupTree.children).toContainEqual({ id: group, name: 'Renamed', learnerCount: 0, children: [] });
  expect((await participation({ groupId: group, asOf: dayBefore(2) })).learners).toHaveLength(1);
  expectError(await get(`/reports/course-participation?groupId=${group}`), 404, 'not_found');
});
