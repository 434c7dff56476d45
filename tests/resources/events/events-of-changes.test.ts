import { del, post, put, patch } from '../../support/client.ts';
import { groupId, learnerId, managedCourses } from '../../support/world.ts';
import { policyId } from '../../support/world-policies.ts';
import { eventsOf, here, requireShapes } from './event-state.ts';

const { phishing, passwords } = managedCourses;
const [one, two, four, five] = [1, 2, 4, 5].map((number) => learnerId('tenant', number as 1)) as [
  string,
  string,
  string,
  string,
];
const first = groupId('tenant', 1);
const anyId = expect.stringMatching(/^[0-9a-f-]{36}$/);
const anyDay = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);

let start: string;
beforeAll(async () => (start = await here()));

test('a learner emits events when created, changed, deactivated, activated and deleted', async () => {
  let ada = '';
  const address = { email: 'new@tenant.test', firstName: 'New', lastName: 'Learner' };
  expect(await eventsOf(async () => (ada = (await post('/learners', address)).body.data.id))).toEqual([
    ['learner.created', { learnerId: ada }],
  ]);
  const data = { learnerId: ada };
  const names = { firstName: 'Newer', lastName: 'Learner' };
  expect(await eventsOf(() => patch(`/learners/${ada}`, names))).toEqual([['learner.updated', data]]);
  expect(await eventsOf(() => patch(`/learners/${ada}`, names))).toEqual([]);
  expect(await eventsOf(() => post('/learners/deactivate', { learnerIds: [ada, five] }))).toEqual([
    ['learner.deactivated', data],
  ]);
  expect(await eventsOf(() => post('/learners/activate', { learnerIds: [ada] }))).toEqual([
    ['learner.activated', data],
  ]);
  await post(`/groups/${first}/learners/add`, { learnerIds: [ada] });
  await post('/course-enrollments', { learnerIds: [ada], courseIds: [phishing] });
  expect(await eventsOf(() => del(`/learners/${ada}`))).toEqual([['learner.deleted', data]]);
});

test('bulk creation emits one event for each created learner', async () => {
  const learners = [1, 2, 3].map((n) => ({ email: `many${n}@tenant.test`, firstName: 'A', lastName: 'B' }));
  const events = await eventsOf(() => post('/learners/bulk', { learners: [...learners, learners[0]] }));
  expect(events).toEqual([1, 2, 3].map(() => ['learner.created', { learnerId: anyId }]));
});

test('a bulk change emits one event for each changed learner and each membership', async () => {
  const learners = [
    { learner: { id: one }, locale: 'it', addGroupIds: [groupId('tenant', 2)] },
    { learner: { id: two }, locale: 'it' },
    { learner: { id: four }, email: 'learner4@tenant.test' },
  ];
  expect(await eventsOf(() => patch('/learners/bulk', { learners }))).toEqual([
    ['learner.updated', { learnerId: one }],
    ['learner.updated', { learnerId: two }],
    ['group.member.added', { groupId: groupId('tenant', 2), learnerId: one }],
  ]);
  const leaving = { learner: { email: 'learner1@tenant.test' }, removeGroupIds: [groupId('tenant', 2)] };
  expect(await eventsOf(() => patch('/learners/bulk', { learners: [leaving] }))).toEqual([
    ['group.member.removed', { groupId: groupId('tenant', 2), learnerId: one }],
  ]);
});

test('a group emits events for its name, members and managers', async () => {
  let id = '';
  expect(await eventsOf(async () => (id = (await post('/groups', { name: 'Events' })).body.data.id))).toEqual([
    ['group.created', { groupId: id }],
  ]);
  const of = (learner: string) => ({ groupId: id, learnerId: learner });
  expect(await eventsOf(() => patch(`/groups/${id}`, { name: 'Events again' }))).toEqual([
    ['group.updated', { groupId: id }],
  ]);
  expect(await eventsOf(() => post(`/groups/${id}/learners/add`, { learnerIds: [one] }))).toEqual([
    ['group.member.added', of(one)],
  ]);
  expect(await eventsOf(() => put(`/learners/${one}/groups`, { groupIds: [id, first] }))).toEqual([]);
  expect(await eventsOf(() => post(`/groups/${id}/learners/remove`, { learnerIds: [one, two] }))).toEqual([
    ['group.member.removed', of(one)],
  ]);
  expect(await eventsOf(() => put(`/groups/${id}/managers`, { managerIds: [one] }))).toEqual([
    ['group.manager.added', of(one)],
  ]);
  expect(await eventsOf(() => put(`/groups/${id}/managers`, { managerIds: [] }))).toEqual([
    ['group.manager.removed', of(one)],
  ]);
  await post(`/groups/${id}/learners/add`, { learnerIds: [one] });
  expect(await eventsOf(() => del(`/groups/${id}`))).toEqual([['group.deleted', { groupId: id }]]);
});

test('an enrolment emits events when created, started, finished, retaken and removed', async () => {
  const pair = { learnerId: four, courseId: passwords };
  const enrolled = () => post('/course-enrollments', { learnerIds: [four], courseIds: [passwords] });
  const created = await eventsOf(enrolled);
  expect(created).toEqual([['enrollment.created', { ...pair, attemptId: anyId, enrollDate: anyDay }]]);
  const { attemptId } = created[0]![1] as { attemptId: string };
  expect(await eventsOf(enrolled)).toEqual([]);
  const result = { learner: { id: four }, course: { id: passwords }, eventId: 'events-1' };
  const finishedAt = new Date().toISOString();
  expect(await eventsOf(() => post('/course-results', { results: [{ ...result, finishedAt, score: 90 }] }))).toEqual([
    ['enrollment.started', { ...pair, attemptId, startDate: anyDay }],
    ['enrollment.completed', { ...pair, attemptId, finishDate: anyDay, passed: true }],
  ]);
  const again = await eventsOf(enrolled);
  expect(again).toEqual([['enrollment.created', { ...pair, attemptId: anyId, enrollDate: anyDay }]]);
  const next = (again[0]![1] as { attemptId: string }).attemptId;
  expect(next).not.toBe(attemptId);
  const removed = () => post('/course-unenrollments', { learnerIds: [four], courseIds: [passwords] });
  expect(await eventsOf(removed)).toEqual([['enrollment.removed', { ...pair, attemptId: next }]]);
});

test.each([
  ['newest', one],
  ['earlier', four],
])('a grade reported after the finish of the %s attempt emits enrollment.completed again', async (_attempt, id) => {
  const result = { learner: { id }, course: { id: passwords } };
  const report = (more: object) => eventsOf(() => post('/course-results', { results: [{ ...result, ...more }] }));
  const completed = (passed: boolean | null) => [
    'enrollment.completed',
    { learnerId: id, courseId: passwords, attemptId: anyId, finishDate: '2026-08-01', passed },
  ];
  const finished = await report({ finishedAt: '2026-08-01T08:00:00Z', eventId: `ungraded-${id}` });
  expect(finished.at(-1)).toEqual(completed(null));
  const grade = { finishedAt: '2026-08-01T08:00:01Z', passed: true, eventId: `graded-${id}` };
  expect(await report(grade)).toEqual([completed(true)]);
  expect(await report(grade)).toEqual([]);
});

test('late results emit the events of each new attempt once', async () => {
  const pair = { learnerId: two, courseId: passwords };
  const result = (day: string) => ({
    ...{ learner: { id: two }, course: { id: passwords }, eventId: `events-${day}` },
    ...{ finishedAt: `${day}T08:00:00Z`, score: 50 },
  });
  const tell = (...days: string[]) => eventsOf(() => post('/course-results', { results: days.map(result) }));
  const attempt = (finishDate: string) => [
    ['enrollment.created', { ...pair, attemptId: anyId, enrollDate: anyDay }],
    ['enrollment.started', { ...pair, attemptId: anyId, startDate: anyDay }],
    ['enrollment.completed', { ...pair, attemptId: anyId, finishDate, passed: false }],
  ];
  expect(await tell('2026-06-01')).toEqual(attempt('2026-06-01'));
  expect(await tell('2026-05-01')).toEqual(attempt('2026-05-01'));
  expect(await tell('2026-05-01')).toEqual([]);
  expect(await tell('2026-07-01')).toEqual(attempt('2026-07-01'));
});

test('a policy emits events when assigned, unassigned and signed', async () => {
  const policy = policyId('tenant', 1);
  const pair = { policyIds: [policy], learnerIds: [four] };
  const data = { policyId: policy, learnerId: four };
  await post('/policy-removals', pair);
  expect(await eventsOf(() => post('/policy-assignments', pair))).toEqual([['policy.assigned', data]]);
  expect(await eventsOf(() => post('/policy-removals', pair))).toEqual([['policy.unassigned', data]]);
  const signed = new Date().toISOString();
  const signature = { learner: { id: four }, policyId: policy, signedAt: signed, offline: true, eventId: 'events-2' };
  const version = { ...data, versionId: anyId, offline: true, signedAt: signed };
  expect(await eventsOf(() => post('/policy-signatures', { signatures: [signature] }))).toEqual(
    expect.arrayContaining([
      ['policy.signed', version],
      ['policy.assigned', data],
    ]),
  );
});

test('a rejected call emits no events', async () => {
  const twice = { email: 'learner1@tenant.test', firstName: 'A', lastName: 'B' };
  expect(await eventsOf(() => post('/learners', twice))).toEqual([]);
});

test('each event matches the schema of its webhook', async () => {
  expect((await requireShapes(start)).size).toBeGreaterThan(17);
});
