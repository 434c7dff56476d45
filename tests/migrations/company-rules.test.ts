import type { Knex } from 'knex';
import * as managers from '../../migrations/20261123112725_derive_managers.ts';
import * as trials from '../../migrations/20261123112726_limit_trials.ts';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import { companies } from '../support/world.ts';

const { tenant, other, msp, childA, childB, distributor, strangerMsp } = companies;
let knex: Knex;
beforeAll(() => (knex = openOwnerDatabase(testService.database.ownerUrl)));
afterAll(() => knex.destroy());

async function columnOf(name: string, ids: string[]): Promise<unknown[]> {
  const rows = await testService.query(`select id, ${name} as value from companies`);
  return ids.map((id) => rows.find((row) => row.id === id)!.value);
}

test('who manages a company is derived from the parents that are there, whatever was written', async () => {
  await managers.down(knex);
  await testService.query('update companies set managed_by = array[$2::uuid] where id = $1', [tenant, strangerMsp]);
  await testService.query(`update companies set managed_by = '{}' where id = $1`, [childA]);
  await managers.up(knex);
  expect(await columnOf('managed_by', [tenant, childA, msp])).toEqual([[], [msp, distributor], [distributor]]);
});

test('companies in a circle stop the migration, which names one of them', async () => {
  await managers.down(knex);
  await testService.query('update companies set parent_id = $2 where id = $1', [distributor, msp]);
  await expect(managers.up(knex)).rejects.toThrow(/the company [0-9a-f-]{36} would be below itself/);
  await testService.query('update companies set parent_id = null where id = $1', [distributor]);
  await managers.up(knex);
});

test('a trial without a limit gets that of new trials, or the learners that it has', async () => {
  await trials.down(knex);
  await testService.query('update companies set learner_limit = null where id = any($1)', [[other, childB]]);
  await testService.query('update company_seats set active = 31 where company_id = $1', [childB]);
  await trials.up(knex);
  expect(await columnOf('learner_limit', [other, childB, tenant])).toEqual([25, 31, null]);
});
