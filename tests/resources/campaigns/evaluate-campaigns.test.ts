import { get, patch, post, put } from '../../support/client.ts';
import { passDays } from '../../support/passing-time.ts';
import { groupId, managedCourses } from '../../support/world.ts';
import { createLearner, uniqueId } from '../reports/past-state.ts';
import { policyId } from '../../support/world-policies.ts';
import {
  evaluate,
  EVERYONE,
  finish,
  inDays,
  listAssignments,
  only,
  phishing,
  runCampaign,
  sign,
} from './campaign-state.ts';

const policy = { type: 'policy', id: policyId('tenant', 1) };

test('a campaign assigns its items to everyone who is active, once', async () => {
  const campaignId = await runCampaign();
  const active = (await get('/learners?inactive=false')).body.data.map(({ id }: any) => id);
  const assigned = await listAssignments(`campaignId=${campaignId}`);
  expect(assigned.map(({ learner }: any) => learner.id).toSorted()).toEqual(active.toSorted());
  for (const one of assigned) {
    expect(one).toMatchObject({ round: 1, condition: null, dueOn: inDays(14), overdue: false, endedAt: null });
  }
  await evaluate();
  expect(await listAssignments(`campaignId=${campaignId}`)).toEqual(assigned);
});

test('an assignment enrols the learner or requests a signature, and the result or signature completes it', async () => {
  const learner = await createLearner();
  const campaignId = await runCampaign({ audience: only(learner), items: [phishing, policy] });
  const results = (await get(`/learners/${learner}/course-results`)).body.data;
  expect(results).toMatchObject([{ course: { id: phishing.id }, finishDate: null }]);
  const signatures = (await get(`/learners/${learner}/policy-results`)).body.data;
  expect(signatures).toMatchObject([{ policyId: policy.id, signed: null }]);
  await finish(learner);
  await sign(learner);
  const [course, signed] = await listAssignments(`campaignId=${campaignId}`);
  expect([course, signed]).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
  expect((await get(`/assignments?campaignId=${campaignId}&assignmentStatus=open`)).body.data).toEqual([]);
});

test('earlier completions and signatures count, and cause no enrolment', async () => {
  const learner = await createLearner();
  await post('/course-enrollments', { learnerIds: [learner], courseIds: [phishing.id] });
  await post('/policy-assignments', { learnerIds: [learner], policyIds: [policy.id] });
  await finish(learner);
  await sign(learner);
  const campaignId = await runCampaign({ audience: only(learner), items: [phishing, policy] });
  expect(await listAssignments(`campaignId=${campaignId}`)).toMatchObject([
    { status: 'completed' },
    { status: 'completed' },
  ]);
  expect((await get(`/learners/${learner}/course-results`)).body.data).toMatchObject([{ grade: 'pass' }]);
});

test('an assignment is open again when its result or signature is voided', async () => {
  const learner = await createLearner();
  const campaignId = await runCampaign({ audience: only(learner), items: [phishing, policy] });
  const facts = [
    { kind: 'course_result', eventId: await finish(learner) },
    { kind: 'policy_signature', eventId: await sign(learner) },
  ];
  const statuses = async () => (await listAssignments(`campaignId=${campaignId}`)).map(({ status }) => status);
  expect(await statuses()).toEqual(['completed', 'completed']);
  for (const fact of facts) await post('/corrections', { corrections: [{ action: 'void', reason: 'Wrong', ...fact }] });
  expect(await statuses()).toEqual(['open', 'open']);
});

test('an audience follows groups: leavers lose their open assignments, and get them again after a return', async () => {
  const group = groupId('tenant', 1);
  const [leaver, stayer] = [await createLearner(), await createLearner()];
  await post(`/groups/${group}/learners/add`, { learnerIds: [leaver, stayer] });
  const campaignId = await runCampaign({
    audience: { include: [{ groupIds: [group] }], exclude: [{ learnerIds: [stayer] }] },
  });
  const ofLeaver = () => listAssignments(`campaignId=${campaignId}&learnerId=${leaver}`);
  expect(await ofLeaver()).toMatchObject([{ status: 'open', condition: 0 }]);
  expect(await listAssignments(`campaignId=${campaignId}&learnerId=${stayer}`)).toEqual([]);

  await post(`/groups/${group}/learners/remove`, { learnerIds: [leaver] });
  await evaluate();
  expect(await ofLeaver()).toMatchObject([{ status: 'ended', endedBecause: 'left_audience' }]);
  expect((await get(`/learners/${leaver}/course-results`)).body.data).toEqual([]);

  await post(`/groups/${group}/learners/add`, { learnerIds: [leaver] });
  await evaluate();
  expect(await ofLeaver()).toMatchObject([{ status: 'open', endedBecause: null, round: 1 }]);
  expect((await get(`/learners/${leaver}/course-results`)).body.data).toHaveLength(1);
});

test('newcomers are assigned the items with a fair due date, unless the campaign leaves them out', async () => {
  const due = { date: inDays(3) };
  const open = await runCampaign({ due });
  const closed = await runCampaign({ due, includeNewcomers: false });
  const newcomer = await createLearner();
  await evaluate();
  expect(await listAssignments(`campaignId=${open}&learnerId=${newcomer}`)).toMatchObject([{ dueOn: inDays(14) }]);
  expect(await listAssignments(`campaignId=${closed}&learnerId=${newcomer}`)).toEqual([]);
  const [first] = await listAssignments(`campaignId=${closed}`);
  expect(first).toMatchObject({ dueOn: inDays(3) });
});

test('a campaign repeats some months after the completion', async () => {
  const learner = await createLearner();
  const recurrence = { type: 'afterCompletion', months: 6 };
  const campaignId = await runCampaign({ audience: only(learner), items: [phishing, policy], recurrence });
  await finish(learner);
  await sign(learner);
  await passDays(170);
  await evaluate();
  expect(await listAssignments(`campaignId=${campaignId}`)).toHaveLength(2);
  await passDays(20);
  await evaluate();
  const rounds = await listAssignments(`campaignId=${campaignId}`);
  expect(rounds.map(({ round, status }) => ({ round, status }))).toEqual([
    ...[
      { round: 1, status: 'completed' },
      { round: 1, status: 'completed' },
    ],
    ...[
      { round: 2, status: 'open' },
      { round: 2, status: 'open' },
    ],
  ]);
  await finish(learner);
  await sign(learner);
  expect((await listAssignments(`campaignId=${campaignId}`)).map(({ status }) => status)).toEqual(
    Array(4).fill('completed'),
  );
});

test('a yearly campaign begins its next round on the anniversary, and ends open assignments', async () => {
  const learner = await createLearner();
  const campaignId = await runCampaign({ audience: only(learner), recurrence: { type: 'yearly' } });
  await passDays(366);
  await evaluate();
  expect(await listAssignments(`campaignId=${campaignId}`)).toMatchObject([
    { round: 1, status: 'ended', endedBecause: 'next_round' },
    { round: 2, status: 'open', dueOn: inDays(14) },
  ]);
});

test('a paused campaign assigns nothing, and an ended one ends open assignments', async () => {
  const campaignId = await runCampaign();
  await patch(`/campaigns/${campaignId}`, { status: 'paused' });
  const newcomer = await createLearner();
  await evaluate();
  expect(await listAssignments(`campaignId=${campaignId}&learnerId=${newcomer}`)).toEqual([]);
  await patch(`/campaigns/${campaignId}`, { status: 'active' });
  await evaluate();
  const ofNewcomer = () => listAssignments(`campaignId=${campaignId}&learnerId=${newcomer}`);
  expect(await ofNewcomer()).toMatchObject([{ status: 'open' }]);
  await patch(`/campaigns/${campaignId}`, { status: 'ended' });
  await evaluate();
  expect(await ofNewcomer()).toMatchObject([{ status: 'ended', endedBecause: 'campaign_ended' }]);
  expect(await listAssignments(`campaignId=${campaignId}&assignmentStatus=open`)).toEqual([]);
});

test('removing an item ends its assignments, and adding an item opens assignments', async () => {
  const learner = await createLearner();
  const campaignId = await runCampaign({ audience: only(learner) });
  const passwords = { type: 'course', id: managedCourses.passwords };
  await patch(`/campaigns/${campaignId}`, { items: [passwords] });
  await evaluate();
  expect(await listAssignments(`campaignId=${campaignId}`)).toMatchObject([
    { item: phishing, status: 'ended', endedBecause: 'item_removed' },
    { item: passwords, status: 'open' },
  ]);
  const results = (await get(`/learners/${learner}/course-results`)).body.data;
  expect(results.map(({ course }: any) => course.id)).toEqual([passwords.id]);
});

test('a second campaign with the same course keeps the enrolment when the first one ends', async () => {
  const learner = await createLearner();
  const [first, second] = [
    await runCampaign({ audience: only(learner) }),
    await runCampaign({ audience: only(learner) }),
  ];
  await patch(`/campaigns/${first}`, { status: 'ended' });
  await evaluate();
  expect((await get(`/learners/${learner}/course-results`)).body.data).toHaveLength(1);
  await finish(learner);
  expect(await listAssignments(`campaignId=${second}`)).toMatchObject([{ status: 'completed' }]);
});

test('a campaign begins on its start date, and PUT by external id can be repeated', async () => {
  const externalId = uniqueId();
  const later = { startAt: new Date(Date.now() + 3_600_000).toISOString() };
  const declared = {
    externalId,
    name: 'Later',
    items: [phishing],
    audience: EVERYONE,
    due: { days: 30 },
    status: 'active',
  };
  const { body } = await put('/campaigns', { ...declared, ...later });
  expect(body).toMatchObject({ data: { status: 'scheduled', startedOn: null } });
  await evaluate();
  expect(await listAssignments(`campaignId=${body.data.id}`)).toEqual([]);
  await passDays(1);
  await evaluate();
  const running = (await get(`/campaigns/${body.data.id}`)).body.data;
  expect(running).toMatchObject({ status: 'running' });
  expect((await put('/campaigns', declared)).body.data).toEqual(running);
});
