import { expectError, get, patch, post, put } from '../../support/client.ts';
import { policyId } from '../../support/world-policies.ts';
import { groupId } from '../../support/world.ts';
import { createLearner } from '../reports/past-state.ts';
import { finish, inDays, listAssignments, only, phishing, runCampaign } from './campaign-state.ts';

const policy = { type: 'policy', id: policyId('tenant', 1) };

test('GET /assignments selects by course, policy, group, manager and profile, combined with the other filters', async () => {
  const [ada, bob] = [await createLearner(), await createLearner()];
  const group = (await post('/groups', { name: 'Filtered' })).body.data.id as string;
  const manager = await createLearner();
  await post(`/groups/${group}/learners/add`, { learnerIds: [ada] });
  const names = { firstName: 'Bob', lastName: 'Martin' };
  await patch(`/learners/${bob}`, { ...names, department: 'Dépôt', country: 'FR', managerId: manager });
  const campaignId = await runCampaign({ items: [phishing, policy], audience: only(ada, bob) });
  const found = async (query: string) =>
    (await listAssignments(query)).map(({ learner, item }) => [learner.id === ada ? 'ada' : 'bob', item.type]);
  const [adas, bobs] = ['ada', 'bob'].map((name) => [
    [name, 'course'],
    [name, 'policy'],
  ]);
  const sorted = async (query: string) => (await found(query)).toSorted();
  expect(await sorted(`campaignId=${campaignId}`)).toEqual([...adas!, ...bobs!]);
  expect(await sorted(`groupId=${group}`)).toEqual(adas);
  expect(await sorted('department=depot')).toEqual(bobs);
  expect(await sorted(`managerId=${manager}&country=FR`)).toEqual(bobs);
  expect(await found(`managerId=${manager}&country=GB`)).toEqual([]);
  expect(await sorted(`groupId=${group}&policyId=${policy.id}&campaignId=${campaignId}`)).toEqual([['ada', 'policy']]);
  expect(await sorted(`campaignId=${campaignId}&courseId=${phishing.id}`)).toEqual([
    ['ada', 'course'],
    ['bob', 'course'],
  ]);
  expect(await found(`campaignId=${campaignId}&courseId=${policy.id}`)).toEqual([]);
  expect(await found(`groupId=${group}&assignmentStatus=overdue`)).toEqual([]);
  expect(await sorted(`groupId=${group}&learnerId=${bob}`)).toEqual([]);
  expect(await found(`groupId=${groupId('other', 1)}`)).toEqual([]);
  expectError(await get(`/assignments?department=`), 400, 'invalid_request', ['query/department']);
  const first = await get('/assignments?department=depot&limit=1');
  const [, cursor] = /[?&](cursor=[^&>]+)/.exec(first.headers.get('link')!)!;
  const [second] = await listAssignments(`department=depot&limit=1&${cursor}`);
  expect([...first.body.data, second].map(({ item }) => item.type).toSorted()).toEqual(['course', 'policy']);
  await put(`/groups/${group}/managers`, { managerIds: [manager] });
  expect(await sorted(`managerId=${manager}`)).toEqual([...adas!, ...bobs!]);
});

test("a learner's results have the campaign's assignment: the open one that is due first", async () => {
  const ada = await createLearner();
  const read = async () => {
    const [course] = (await get(`/learners/${ada}/course-results`)).body.data;
    const [signing] = (await get(`/learners/${ada}/policy-results`)).body.data;
    return [course.assignment, signing.assignment];
  };
  await post('/course-enrollments', { courseIds: [phishing.id], learnerIds: [ada] });
  await post('/policy-assignments', { policyIds: [policy.id], learnerIds: [ada] });
  expect(await read()).toEqual([null, null]);
  await runCampaign({ items: [phishing, policy], audience: only(ada), due: { days: 20 } });
  const urgent = await runCampaign({ items: [phishing], audience: only(ada), due: { days: 5 } });
  const [course, signing] = await read();
  expect([course.dueOn, signing.dueOn]).toEqual([inDays(5), inDays(20)]);
  expect(course).toMatchObject({ campaignId: urgent, overdue: false, completedAt: null, waived: null });
  const { id, dueAt } = (await listAssignments(`campaignId=${urgent}`))[0];
  expect(course).toMatchObject({ id, dueAt });
  await post('/assignments/waive', { assignmentIds: [id], reason: 'On leave' });
  expect((await read())[0].dueOn).toBe(inDays(20));
  await finish(ada);
  expect((await read())[0].completedAt).not.toBeNull();
  await post('/course-enrollments', { courseIds: [phishing.id], learnerIds: [ada] });
  const { body } = await get(`/learners/${ada}/course-results?attempts=all`);
  expect(body.data.map(({ attempt, assignment }: any) => [attempt, assignment !== null])).toEqual([
    [1, false],
    [2, true],
  ]);
});
