import { get } from '../../support/client.ts';
import { evaluate, listAssignments, runCampaign } from './campaign-state.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

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
