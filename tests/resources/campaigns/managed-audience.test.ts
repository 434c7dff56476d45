import pg from 'pg';
import { companies } from '../../support/world.ts';
import { post, put } from '../../support/client.ts';
import { createLearner, uniqueId } from '../reports/past-state.ts';
import { evaluate, listAssignments, runCampaign } from './campaign-state.ts';

test("an audience follows the managers of groups and the managers' status at once", async () => {
  const [manager, member, report] = [await createLearner(), await createLearner(), await createLearner()];
  const group = (await post('/groups', { name: `Team ${uniqueId()}` })).body.data.id as string;
  await post(`/groups/${group}/learners/add`, { learnerIds: [member] });
  await testService.query('update learners set manager_id = $1 where id = $2', [manager, report]);
  const campaignId = await runCampaign({ audience: { include: [{ managerIds: [manager] }] } });
  const readStatuses = async () => {
    await evaluate();
    const assignments = await listAssignments(`campaignId=${campaignId}`);
    return Object.fromEntries(assignments.map(({ learner, status }) => [learner.id, status]));
  };
  expect(await readStatuses()).toEqual({ [report]: 'open' });
  await put(`/groups/${group}/managers`, { managerIds: [manager] });
  expect(await readStatuses()).toEqual({ [report]: 'open', [member]: 'open' });
  await post('/learners/deactivate', { learnerIds: [manager] });
  expect(await readStatuses()).toEqual({ [report]: 'ended', [member]: 'ended' });
  await post('/learners/activate', { learnerIds: [manager] });
  expect(await readStatuses()).toEqual({ [report]: 'open', [member]: 'open' });
  await put(`/groups/${group}/managers`, { managerIds: [] });
  expect(await readStatuses()).toEqual({ [report]: 'open', [member]: 'ended' });
});

test('changes to managers record no learner for evaluation if no audience has a condition on managers', async () => {
  const [manager, member] = [await createLearner(), await createLearner()];
  const group = (await post('/groups', { name: `Team ${uniqueId()}` })).body.data.id as string;
  await post(`/groups/${group}/learners/add`, { learnerIds: [member] });
  await runCampaign();
  await put(`/groups/${group}/managers`, { managerIds: [manager] });
  expect(await testService.query('select learner_id from campaign_changes where learner_id = $1', [member])).toEqual(
    [],
  );
});

test('many learners become inactive quickly in a session that changed one learner before', async () => {
  const one = await createLearner();
  await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name)
     select $1, new_id(), n || '@many-managers.test', 'Ada', 'Many' from generate_series(1, 15000) as n`,
    [companies.tenant],
  );
  await testService.query('analyze learners, group_managers');
  const session = new pg.Client(testService.database.ownerUrl);
  await session.connect();
  try {
    await session.query(`set statement_timeout = '15s'`);
    await session.query('update learners set inactive = true where company_id = $1 and id = $2', [
      companies.tenant,
      one,
    ]);
    const { rowCount } = await session.query(
      `update learners set inactive = true where company_id = $1 and email like '%@many-managers.test'`,
      [companies.tenant],
    );
    expect(rowCount).toBe(15_000);
  } finally {
    await session.end();
  }
}, 60_000);
