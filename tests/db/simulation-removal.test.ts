import pg from 'pg';
import { companies, id } from '../support/world.ts';

const SIMULATION = id('d', 0x5000);
const service = new pg.Client(testService.database.serviceUrl);
beforeAll(async () => {
  await service.connect();
  await service.query("select set_config('app.company_id', $1, false)", [companies.tenant]);
});
afterAll(() => service.end());

test('the service can delete only its own drafts, and no recipients', async () => {
  await expect(service.query('delete from simulation_recipients')).rejects.toMatchObject({ code: '42501' });
  await testService.query(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date, is_own, plan)
     values ($1, $2, 'Ours', 'draft', 'email', now(), true, '{}'), ($1, gen_random_uuid(), 'Sent', 'scheduled', 'email', now(), true, '{}')`,
    [companies.tenant, SIMULATION],
  );
  const { rows } = await service.query('delete from simulations returning id');
  expect(rows).toEqual([{ id: SIMULATION }]);
});
