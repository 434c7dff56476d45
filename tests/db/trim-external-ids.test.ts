import { up } from '../../migrations/20261126215041_trim_external_learner_ids.ts';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import { patch } from '../support/client.ts';
import { learnerId } from '../support/world.ts';

test('learners whose id of HR was stored with white space are found by it, but for ids that two would have', async () => {
  const numbers = [1, 2, 3, 4] as const;
  const stored = [' HR-1 ', '\tHR-2', 'HR-2\u00a0', '\u2003HR 4\ufeff'];
  for (const n of numbers)
    await testService.query('update learners set external_learner_id = $1 where id = $2', [
      stored[n - 1],
      learnerId('tenant', n),
    ]);
  await testService.query('update learners set external_learner_id = $1 where id = $2', [
    'HR-1',
    learnerId('other', 1),
  ]);
  const knex = openOwnerDatabase(testService.database.ownerUrl);
  await up(knex).finally(() => knex.destroy());
  const rows = await testService.query('select id, external_learner_id as value from learners');
  const values = new Map(rows.map(({ id, value }) => [id, value]));
  expect(numbers.map((n) => values.get(learnerId('tenant', n)))).toEqual(['HR-1', stored[1], stored[2], 'HR 4']);
  const learners = [{ learner: { externalLearnerId: ' HR-1 ' }, firstName: 'Found' }];
  const { body } = await patch('/learners/bulk', { learners });
  expect(body.data.updated).toEqual([{ index: 0, learnerId: learnerId('tenant', 1), changed: true }]);
});
