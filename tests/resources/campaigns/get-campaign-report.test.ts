import { expectError, get, patch, post } from '../../support/client.ts';
import { passDays } from '../../support/passing-time.ts';
import { groupId, learnerId, unknownId } from '../../support/world.ts';
import { createLearner } from '../reports/past-state.ts';
import { finish, inDays, listAssignments, only, runCampaign } from './campaign-state.ts';

const report = async (query = '') => (await get(`/reports/campaigns?${query}`)).body.data;
const progress = async (id: string, by: string) => (await get(`/campaigns/${id}/progress?by=${by}`)).body.data;
const NONE = { learners: 0, assigned: 0, started: 0, completed: 0, waived: 0, overdue: 0, overdueLearners: 0 };

test('counts the started, completed, waived and overdue assignments of each campaign', async () => {
  const [late, done, begun, waived] = [
    ...[await createLearner(), await createLearner(), await createLearner(), await createLearner()],
  ] as [string, string, string, string];
  const id = await runCampaign({ audience: only(late, done, begun, waived), due: { days: 3 } });
  expect((await report())[0]).toMatchObject({
    ...NONE,
    campaignId: id,
    nextDueOn: inDays(3),
    learners: 4,
    assigned: 4,
  });
  await finish(done);
  await testService.query('update enrollments set start_date = current_date where learner_id = $1', [begun]);
  const [{ id: assignmentId }] = (await listAssignments(`campaignId=${id}&learnerId=${waived}`)) as [{ id: string }];
  await post('/assignments/waive', { assignmentIds: [assignmentId], reason: 'On leave' });
  await passDays(5);
  expect(await report(`campaignId=${id}`)).toEqual([
    {
      ...{ campaignId: id, name: 'Basics', status: 'running', startAt: expect.any(String) as string },
      ...{ due: { days: 3, date: null }, nextDueOn: null },
      ...{ learners: 4, assigned: 4, started: 2, completed: 1, waived: 1, overdue: 2, overdueLearners: 2 },
    },
  ]);
});

test('finds campaigns by status and by a part of the name', async () => {
  const id = await runCampaign({ name: 'Année scolaire', audience: only(await createLearner()) });
  const ids = async (query: string) => (await report(query)).map((row: any) => row.campaignId);
  expect(await ids('nameContains=annee%20SCOL&campaignStatus=running')).toEqual([id]);
  expect(await ids('campaignStatus=paused')).not.toContain(id);
  expect(await ids('nameContains=%25')).toEqual([]);
});

test('leaves out learners who left, and earlier rounds of a campaign that repeats', async () => {
  const [left, repeated] = [await createLearner(), await createLearner()];
  const id = await runCampaign({ audience: only(left, repeated), recurrence: { type: 'yearly' } });
  await finish(repeated);
  await patch(`/campaigns/${id}`, { audience: only(repeated) });
  await testService.query(
    `insert into campaign_assignments (company_id, campaign_id, item_id, learner_id, round, due_on, due_at, results_from)
     select company_id, campaign_id, item_id, learner_id, 2, current_date + 9, now() + interval '9 days', current_date + 1
       from campaign_assignments where campaign_id = $1 and learner_id = $2`,
    [id, repeated],
  );
  await testService.query(
    `update campaign_assignments set ended_at = now(), ended_because = 'left_audience' where learner_id = $1`,
    [left],
  );
  expect(await report(`campaignId=${id}`)).toMatchObject([{ ...NONE, learners: 1, assigned: 1 }]);
});

test('counts by department, group and manager', async () => {
  const [sales, other] = [await createLearner(), await createLearner()];
  const names = { firstName: 'Past', lastName: 'Late' };
  await patch(`/learners/${sales}`, { ...names, department: 'Sales', managerId: learnerId('tenant', 2) });
  await post(`/groups/${groupId('tenant', 1)}/learners/add`, { learnerIds: [sales] });
  const id = await runCampaign({ audience: only(sales, other), due: { days: 3 } });
  await finish(other);
  const [open, done] = [
    { ...NONE, learners: 1, assigned: 1 },
    { ...NONE, learners: 1, assigned: 1, started: 1, completed: 1 },
  ];
  expect(await progress(id, 'department')).toEqual([
    { id: null, name: 'Sales', ...open },
    { id: null, name: null, ...done },
  ]);
  expect(await progress(id, 'group')).toMatchObject([
    { id: groupId('tenant', 1), ...open },
    { name: null, ...done },
  ]);
  expect(await progress(id, 'manager')).toMatchObject([
    { id: learnerId('tenant', 2), ...open },
    { id: null, ...done },
  ]);
  expectError(await get(`/campaigns/${id}/progress`, 'other'), 404, 'not_found');
  expectError(await get(`/campaigns/${unknownId}/progress`), 404, 'not_found');
});
