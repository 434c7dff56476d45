import { expectError, get } from '../../support/client.ts';
import { managedCourses } from '../../support/world.ts';
import { createLearner } from '../reports/past-state.ts';
import { finish, only, runCampaign } from './campaign-state.ts';
import { passDays } from '../../support/passing-time.ts';

test('counts the learners with open assignments by last day, without finished and overdue ones', async () => {
  const [one, two, done] = [await createLearner(), await createLearner(), await createLearner()];
  const campaignId = await runCampaign({ audience: only(one, two, done), due: { days: 3 } });
  await finish(done);
  const { status, body } = await get(`/reports/due?campaignId=${campaignId}`);
  expect(status).toBe(200);
  const [row] = body.data;
  expect(body.data).toHaveLength(1);
  expect(row).toMatchObject({ campaignId, item: { type: 'course' }, learnerCount: 2 });
  expect(Object.values(managedCourses)).toContain(row.item.id);
  expect(row.itemName).toEqual(expect.any(String));
  const days = `from=${row.dueOn}&to=${row.dueOn}`;
  expect((await get(`/reports/due?campaignId=${campaignId}&${days}`)).body.data).toHaveLength(1);
  expect((await get(`/reports/due?campaignId=${campaignId}&to=2026-01-01`)).body.data).toEqual([]);
  await passDays(5);
  expect((await get(`/reports/due?campaignId=${campaignId}`)).body.data).toEqual([]);
});

test('a period that ends before it begins returns 400', async () => {
  expectError(await get('/reports/due?from=2026-02-02&to=2026-02-01'), 400, 'invalid_request');
});
