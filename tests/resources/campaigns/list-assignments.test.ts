import { expectError, get, patch, post, put } from '../../support/client.ts';
import { policyId } from '../../support/world-policies.ts';
import { groupId } from '../../support/world.ts';
import { createLearner } from '../reports/past-state.ts';
import { listAssignments, only, phishing, runCampaign } from './campaign-state.ts';

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
