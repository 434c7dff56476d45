import { get, patch, post } from '../../support/client.ts';
import { passDays } from '../../support/passing-time.ts';
import { groupId, learnerId } from '../../support/world.ts';
import { createLearner } from '../reports/past-state.ts';
import { finish, only, runCampaign } from './campaign-state.ts';

const NAMES = { firstName: 'Past', lastName: 'Late' };

test('counts learners and assignments by department, group and manager', async () => {
  const [late, done, plain] = [await createLearner(), await createLearner(), await createLearner()];
  const manager = learnerId('tenant', 2);
  for (const [learner, department] of [
    [late, 'Sales'],
    [done, 'SALES'],
  ] as const) {
    await patch(`/learners/${learner}`, { ...NAMES, department, managerId: manager });
  }
  await post(`/groups/${groupId('tenant', 1)}/learners/add`, { learnerIds: [late] });
  const campaignId = await runCampaign({ audience: only(late, done, plain), due: { days: 3 } });
  await finish(done);
  const read = async (by: string) => (await get(`/reports/overdue?by=${by}&campaignId=${campaignId}`)).body.data;
  const counts = (overdue: number) => ({
    ...{ openLearners: 1, openAssignments: 1, overdueLearners: overdue, overdueAssignments: overdue },
  });
  expect(await read('department')).toMatchObject([
    { id: null, name: 'Sales', ...counts(0) },
    { id: null, name: null, ...counts(0) },
  ]);
  await passDays(5);
  expect(await read('department')).toMatchObject([
    { name: 'Sales', ...counts(1) },
    { name: null, ...counts(1) },
  ]);
  expect(await read('group')).toMatchObject([{ id: groupId('tenant', 1), ...counts(1) }, { name: null }]);
  expect(await read('manager')).toMatchObject([
    { id: manager, ...counts(1) },
    { id: null, name: null },
  ]);
});
