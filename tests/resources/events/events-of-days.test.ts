import { companies } from '../../support/world.ts';
import { here, page, settled } from './event-state.ts';

test('a change that another transaction has held back for days is not jumped over', async () => {
  const after = await here();
  await testService.query(
    `insert into events (company_id, day, type, data) values ($1, current_date - 3, 'group.created', '{"groupId": null}')`,
    [companies.tenant],
  );
  await settled();
  expect((await page({ after })).events).toHaveLength(1);
});
