import { companies } from '../../support/world.ts';
import { here, page, settled } from './event-state.ts';

test('an event that another transaction has delayed for days is not skipped', async () => {
  const after = await here();
  await testService.query(
    `insert into events (company_id, day, type, data) values ($1, current_date - 3, 'group.created', '{"groupId": null}')`,
    [companies.tenant],
  );
  await settled();
  expect((await page({ after })).events).toHaveLength(1);
});
