import { call, del, expectError, get, patch, post, put } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import { managedCourses } from '../../support/world.ts';
import { correctedSignatures } from '../corrections/signature-correction-state.ts';
import { corrected } from '../corrections/correction-state.ts';
import { record } from '../courses/result-state.ts';
import { ask, makeUser, newUser, patch as patchUser } from '../directory/directory-support.ts';
import { create } from '../policies/policy-state.ts';
import { createLearner, dayBefore, daysAgo, uniqueId, waitPastMidnight } from '../reports/past-state.ts';
import { at, useSimulation } from '../simulations/event-state.ts';
import { merged, undone } from './merge-state.ts';

const simulation = useSimulation();
const phishing = managedCourses.phishing;

async function recordResult(learnerId: string): Promise<string> {
  const eventId = uniqueId();
  await record({ eventId, learner: { id: learnerId }, startedAt: daysAgo(0), finishedAt: daysAgo(0), score: 90 });
  return eventId;
}

async function sign(learnerId: string, policyId: string): Promise<string> {
  const signature = { learner: { id: learnerId }, policyId, eventId: uniqueId(), signedAt: daysAgo(0), offline: true };
  expect((await post('/policy-signatures', { signatures: [signature] })).body.data.failures).toEqual([]);
  return signature.eventId;
}

const scores = async (learnerId: string) =>
  (await get(`/learners/${learnerId}/course-results`)).body.data.map(({ score }: any) => score);
const signatures = async (learnerId: string) =>
  (await get(`/learners/${learnerId}/policy-results`)).body.data.map(({ signed }: any) => signed !== null);
const groupsOf = async (learnerId: string) =>
  (await get(`/learners/${learnerId}`)).body.data.groups.map(({ name }: any) => name);

beforeEach(waitPastMidnight);

test.each(['void', 'restore'] as const)(
  'a merge cannot be undone after the %s of a result of the duplicate',
  async (action) => {
    const [from, into] = [await createLearner(), await createLearner()];
    const eventId = await recordResult(from);
    if (action === 'restore') await corrected({ eventId, action: 'void' });
    const { id } = await merged(from, into);
    await corrected({ eventId, action });
    expectError(await del(`/learner-merges/${id}`), 400, 'merge_not_undoable', ['path/learnerMergeId']);
    await corrected({ eventId, action: action === 'void' ? 'restore' : 'void' });
    await undone(id);
    expect([await scores(from), await scores(into)]).toEqual([action === 'void' ? [90] : [], []]);
  },
);

test('a merge cannot be undone after a signature of the duplicate was voided', async () => {
  const [from, into] = [await createLearner(), await createLearner()];
  const eventId = await sign(from, (await create()).id);
  const { id } = await merged(from, into);
  await correctedSignatures({ eventId, action: 'void' });
  expectError(await del(`/learner-merges/${id}`), 400, 'merge_not_undoable');
  await correctedSignatures({ eventId, action: 'restore' });
  expectError(await del(`/learner-merges/${id}`), 400, 'merge_not_undoable');
});

test('merges into one learner are undone newest first, and lose nothing', async () => {
  const [first, second, into] = [await createLearner(), await createLearner(), await createLearner()];
  const policyId = (await create()).id;
  await post('/policy-assignments', { learnerIds: [first, second, into], policyIds: [policyId] });
  await sign(first, policyId);
  await sign(second, policyId);
  const group = (await post('/groups', { name: uniqueId(), managerIds: [first, second] })).body.data.id;
  await post(`/groups/${group}/learners/add`, { learnerIds: [first, second] });
  const states = async () => [
    ...[await signatures(first), await signatures(second), await signatures(into)],
    (await get(`/groups/${group}`)).body.data,
    await testService.query('select count(*) from signature_events'),
  ];
  const before = await states();
  const [older, newer] = [await merged(first, into), await merged(second, into)];
  expectError(await del(`/learner-merges/${older.id}`), 400, 'merge_not_undoable');
  await undone(newer.id);
  await undone(older.id);
  expect(await states()).toEqual([
    ...before.slice(0, 3),
    { ...(before[3] as object), updatedAt: expect.anything() },
    before[4],
  ]);
});

test("after the merge is undone, the remaining learner's past has none of the duplicate's records", async () => {
  const [from, into] = [await createLearner(), await createLearner()];
  const group = (await post('/groups', { name: uniqueId(), managerIds: [] })).body.data.id;
  await put(`/learners/${from}/groups`, { groupIds: [group] });
  await recordResult(from);
  await post('/course-enrollments', { learnerIds: [into], courseIds: [phishing] });
  await passDay();
  const past = async () => {
    const day = `asOf=${dayBefore(1)}&knownAt=${dayBefore(1)}`;
    const { learners } = (await get(`/reports/course-participation?${day}&attempts=all`)).body.data;
    return learners.filter(({ id }: any) => [from, into].includes(id));
  };
  const before = await past();
  const { id } = await merged(from, into);
  await undone(id);
  expect(await past()).toEqual(before);
  expect(await groupsOf(into)).toEqual([]);
});

test('undoing does not restore an enrolment that was removed after the merge', async () => {
  const [from, into] = [await createLearner(), await createLearner()];
  await post('/course-enrollments', { learnerIds: [from], courseIds: [phishing] });
  const { id } = await merged(from, into);
  await post('/course-unenrollments', { learnerIds: [into], courseIds: [phishing] });
  await undone(id);
  expect([await scores(from), await scores(into)]).toEqual([[], []]);
});

test('a directory does not reach the remaining learner by the id of a removed user', async () => {
  const [from, into] = [await makeUser(uniqueId()), await makeUser(uniqueId())];
  await ask('DELETE', `/Users/${from}`);
  const { id } = await merged(from, into);
  expect((await ask('GET', `/Users/${from}`)).status).toBe(404);
  expect((await patchUser(`/Users/${from}`, { op: 'replace', path: 'active', value: false })).status).toBe(404);
  expect((await ask('PUT', `/Users/${from}`, { body: newUser(uniqueId()) })).status).toBe(404);
  expect((await get(`/learners/${into}`)).body.data.inactive).toBe(false);
  await undone(id);
});

test('a report of the duplicate can be voided as a report after the merge', async () => {
  const [from, into] = [await createLearner(), await createLearner()];
  const event = {
    simulation: { externalId: 'engine-1' },
    learner: { id: from },
    type: 'sent',
    occurredAt: at('08:00:00'),
  };
  await post('/simulation-events', { events: [{ ...event, eventId: uniqueId() }] });
  const [recipient] = await testService.query('select id from simulation_recipients where learner_id = $1', [from]);
  await post('/reported-messages', { token: recipient!.id });
  await merged(from, into);
  const report = { kind: 'reported_message', eventId: `reported-${simulation.id}-${from}`, reason: 'A rule' };
  const { body } = await post('/corrections', { corrections: [{ ...report, action: 'void' }] });
  expect(body.data).toMatchObject({ completed: [{ changed: true }], failures: [] });
});

test('a change that names the duplicate is replayed under its Idempotency-Key', async () => {
  const [from, into] = [await createLearner(), await createLearner()];
  await merged(from, into);
  const change = { body: { firstName: 'Once', lastName: 'Only' }, headers: { 'idempotency-key': uniqueId() } };
  const answers = [
    await call('tenant', 'PATCH', `/learners/${from}`, change),
    await call('tenant', 'PATCH', `/learners/${from}`, change),
  ];
  expect(answers.map(({ status, body }) => [status, body.data.id])).toEqual([
    [200, into],
    [200, into],
  ]);
  expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
});

test('a merge keeps only the ids of the people whose manager was the duplicate', async () => {
  const [from, into, report] = [await createLearner(), await createLearner(), await createLearner()];
  expect((await patch(`/learners/${report}`, { firstName: 'A', lastName: 'B', managerId: from })).status).toBe(200);
  const { id } = await merged(from, into);
  const kept = await testService.query(
    `select rows from learner_merge_records where merge_id = $1 and table_name = 'reports'`,
    [id],
  );
  expect(kept).toEqual([{ rows: [{ id: report }] }]);
  await undone(id);
  expect((await get(`/learners/${report}`)).body.data.managerId).toBe(from);
});
