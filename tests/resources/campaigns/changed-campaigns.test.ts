import { call, expectError, get, patch, post, put } from '../../support/client.ts';
import { passDays } from '../../support/passing-time.ts';
import { policyId } from '../../support/world-policies.ts';
import { managedCourses } from '../../support/world.ts';
import { createLearner, uniqueId } from '../reports/past-state.ts';
import { evaluate, EVERYONE, finish, inDays, listAssignments, only, phishing, runCampaign } from './campaign-state.ts';

const passwords = { type: 'course', id: managedCourses.passwords };
const enrolled = async (learner: string) => (await get(`/learners/${learner}/course-results`)).body.data.length;
const ofCampaign = (id: string) => listAssignments(`campaignId=${id}`);
const setZone = async (id: string, timeZone: string) => {
  const learners = [{ learner: { id }, timeZone }];
  expect((await call('tenant', 'PATCH', '/learners/bulk', { body: { learners } })).body.data.errors).toEqual([]);
  await evaluate();
};

test('PUT of an ended campaign changes nothing, and returns 400 if the contents differ', async () => {
  const declared = { externalId: uniqueId(), name: 'B', items: [phishing], audience: EVERYONE, due: { days: 14 } };
  const { body } = await put('/campaigns', { ...declared, status: 'active' });
  await evaluate();
  const ended = (await patch(`/campaigns/${body.data.id}`, { status: 'ended' })).body.data;
  await evaluate();
  for (const fields of [{}, { status: 'ended' }]) {
    expect((await put('/campaigns', { ...declared, ...fields })).body.data).toEqual(ended);
  }
  for (const fields of [{ name: 'Other' }, { status: 'active' }]) {
    expectError(await put('/campaigns', { ...declared, ...fields }), 400, 'campaign_locked');
  }
});

test('a change of time zone moves the due time of open assignments', async () => {
  const learner = await createLearner();
  const id = await runCampaign({ audience: only(learner) });
  const dueAt = async () => Date.parse((await ofCampaign(id))[0].dueAt) - Date.parse(inDays(15));
  expect(await dueAt()).toBe(0);
  await setZone(learner, 'Pacific/Kiritimati');
  expect(await dueAt()).toBe(-14 * 3_600_000);
  await post('/assignments/extend', { assignmentIds: [(await ofCampaign(id))[0].id], until: inDays(14) });
  expect(await dueAt()).toBe(-14 * 3_600_000);
  const other = await createLearner();
  const ofOther = await runCampaign({ audience: only(other) });
  await patch('/company/settings', { timeZone: 'Asia/Tokyo' });
  await evaluate();
  const [assignment] = await ofCampaign(ofOther);
  await patch('/company/settings', { timeZone: null });
  expect(Date.parse(assignment.dueAt)).toBe(Date.parse(inDays(15)) - 9 * 3_600_000);
});

test.each([
  ['America/Havana', '2036-11-01', '2036-11-02T04:00:00.000Z'],
  ['Asia/Beirut', '2036-10-25', '2036-10-25T22:00:00.000Z'],
  ['Atlantic/Azores', '2036-10-25', '2036-10-26T00:00:00.000Z'],
  ['Africa/Cairo', '2036-04-24', '2036-04-24T22:00:00.000Z'],
  ['Europe/Berlin', '2036-10-26', '2036-10-26T23:00:00.000Z'],
])('in %s, an assignment due on %s is overdue from %s', async (timeZone, date, dueAt) => {
  const learner = await createLearner();
  await setZone(learner, timeZone);
  const id = await runCampaign({ audience: only(learner), due: { date } });
  expect(await ofCampaign(id)).toMatchObject([{ dueOn: date, dueAt }]);
});

test('a campaign that becomes yearly begins a round on the next anniversary', async () => {
  const learner = await createLearner();
  const due = { days: 5 };
  const id = await runCampaign({ audience: only(learner), due, recurrence: { type: 'afterCompletion', months: 1 } });
  for (let round = 1; round <= 3; round += 1) {
    await finish(learner);
    await passDays(32);
    await evaluate();
  }
  await patch(`/campaigns/${id}`, { recurrence: { type: 'yearly' } });
  await passDays(250);
  await evaluate();
  const rounds = async () => (await ofCampaign(id)).map(({ round, status }) => [round, status]);
  expect((await rounds()).at(-1)).toEqual([4, 'open']);
  await passDays(25);
  await evaluate();
  await evaluate();
  expect((await rounds()).slice(-2)).toEqual([
    [4, 'ended'],
    [5, 'open'],
  ]);
});

test('an item that cannot be assigned at the start is later assigned to everyone in the audience', async () => {
  const learner = await createLearner();
  const retire = (at: string) =>
    testService.query(`update courses set retired_at = ${at} where id = $1`, [passwords.id]);
  await retire('now()');
  const audience = only(learner);
  const id = await runCampaign({ audience, items: [passwords], includeNewcomers: false, due: { date: inDays(9) } });
  expect(await ofCampaign(id)).toEqual([]);
  await retire('null');
  await testService.query('update campaigns set evaluate_at = now() where id = $1', [id]);
  await evaluate();
  expect(await ofCampaign(id)).toMatchObject([{ status: 'open', dueOn: inDays(9) }]);
});

test('adding a removed item back opens one round', async () => {
  const learner = await createLearner();
  const items = [phishing, passwords];
  const recurrence = { type: 'afterCompletion', months: 1 };
  const id = await runCampaign({ audience: only(learner), items, due: { days: 5 }, recurrence });
  await patch(`/campaigns/${id}`, { items: [passwords] });
  await evaluate();
  await post('/course-enrollments', { learnerIds: [learner], courseIds: [phishing.id] });
  await finish(learner);
  await passDays(40);
  await patch(`/campaigns/${id}`, { items });
  await evaluate();
  const rounds = async () =>
    (await ofCampaign(id)).filter(({ item }) => item.id === phishing.id).map(({ round, status }) => [round, status]);
  const expected = [
    [1, 'ended'],
    [2, 'open'],
  ];
  expect(await rounds()).toEqual(expected);
  await evaluate();
  expect(await rounds()).toEqual(expected);
});

test('an open assignment has the condition that its learner meets after the conditions are reordered', async () => {
  const learner = await createLearner();
  const other = await createLearner();
  const include = [{ learnerIds: [learner] }, { learnerIds: [other] }];
  const id = await runCampaign({ audience: { include } });
  await patch(`/campaigns/${id}`, { audience: { include: include.toReversed() } });
  await evaluate();
  const conditions = new Map((await ofCampaign(id)).map((one) => [one.learner.id, one.condition]));
  expect([conditions.get(learner), conditions.get(other)]).toEqual([1, 0]);
});

test('an enrolment or request made by hand is kept when the campaign ends', async () => {
  const [before, during, never] = [await createLearner(), await createLearner(), await createLearner()];
  const policy = { type: 'policy', id: policyId('tenant', 1) };
  const byHand = async (learner: string) => {
    await post('/course-enrollments', { learnerIds: [learner], courseIds: [phishing.id] });
    await post('/policy-assignments', { learnerIds: [learner], policyIds: [policy.id] });
  };
  await byHand(before);
  const id = await runCampaign({ audience: only(before, during, never), items: [phishing, policy] });
  await byHand(during);
  await evaluate();
  await patch(`/campaigns/${id}`, { status: 'ended' });
  await evaluate();
  const left = [];
  for (const learner of [before, during, never]) {
    left.push([await enrolled(learner), (await get(`/learners/${learner}/policy-results`)).body.data.length]);
  }
  expect(left).toEqual([
    [1, 1],
    [1, 1],
    [0, 0],
  ]);
});

test('extending with until null after a learner returns restores the due date that the return set', async () => {
  const learner = await createLearner();
  const id = await runCampaign({ audience: only(learner), due: { days: 20 } });
  const [{ id: assignmentId }] = (await ofCampaign(id)) as [{ id: string }];
  await post('/assignments/extend', { assignmentIds: [assignmentId], until: inDays(40) });
  for (const status of ['deactivate', 'activate']) {
    await post(`/learners/${status}`, { learnerIds: [learner] });
    await evaluate();
  }
  expect(await ofCampaign(id)).toMatchObject([{ status: 'open', dueOn: inDays(40), extendedUntil: inDays(40) }]);
  await post('/assignments/extend', { assignmentIds: [assignmentId], until: null });
  expect(await ofCampaign(id)).toMatchObject([{ dueOn: inDays(20), extendedUntil: null }]);
});

test('round 1 stays completed if its result is voided after round 2 has started', async () => {
  const learner = await createLearner();
  const recurrence = { type: 'afterCompletion', months: 1 };
  const id = await runCampaign({ audience: only(learner), due: { days: 5 }, recurrence });
  const eventId = await finish(learner);
  await passDays(40);
  await evaluate();
  await post('/corrections', { corrections: [{ kind: 'course_result', eventId, action: 'void', reason: 'Wrong' }] });
  await evaluate();
  expect((await ofCampaign(id)).map(({ round, status }) => [round, status])).toEqual([
    [1, 'completed'],
    [2, 'open'],
  ]);
});

test('an assignment that is kept after leaving the audience follows the time zone', async () => {
  const learner = await createLearner();
  const change = async (fields: object) => {
    await patch(`/learners/${learner}`, { firstName: 'Past', lastName: 'Away', ...fields });
    await evaluate();
  };
  await change({ department: 'Kept' });
  const audience = { include: [{ departments: ['Kept'] }] };
  const campaignId = await runCampaign({ audience, keepOpenAfterLeaving: true });
  await change({ department: 'Left' });
  await change({ timeZone: 'Pacific/Kiritimati' });
  const [{ dueOn, dueAt }] = (await listAssignments(`campaignId=${campaignId}`)) as [{ dueOn: string; dueAt: string }];
  expect(dueAt).toBe(`${dueOn}T10:00:00.000Z`);
});
