import type { Knex } from 'knex';
import { createBoardSchedule } from './world-board-schedules.ts';
import { createMerge } from './world-merges.ts';
import { companies, type CompanyName, id } from './world.ts';

/** Returns the id of a company's import, which was checked but not applied. */
export function learnerImportId(company: CompanyName): string {
  return id('e', 0x9000 + Object.keys(companies).indexOf(company));
}

/** Inserts the merge, the import and the schedule of the board report of a company. */
export async function createRecords(knex: Knex, company: CompanyName): Promise<void> {
  await createMerge(knex, company);
  await createImport(knex, company);
  await createBoardSchedule(knex, company);
}

/** Inserts the import of a company, with one row that matches nobody. */
async function createImport(knex: Knex, company: CompanyName): Promise<void> {
  const company_id = companies[company];
  const import_id = learnerImportId(company);
  await knex('learner_imports').insert({
    ...{ company_id, id: import_id, name: 'people.csv', status: 'checked', columns: ['E-mail', 'First name'] },
    mapping: JSON.stringify([
      { column: 0, field: 'email' },
      { column: 1, field: 'firstName' },
    ]),
    counts: JSON.stringify({ rows: 1, new: 0, changed: 0, unchanged: 0, rejected: 1, skipped: 0 }),
    ...{ actor_type: 'operator', actor_id: 'the test world' },
  });
  await knex('learner_import_rows').insert({
    ...{
      company_id,
      import_id,
      number: 1,
      cells: JSON.stringify(['nobody', `Nobody of ${company}`]),
      fate: 'rejected',
    },
    faults: JSON.stringify([{ field: 'email', code: 'invalid_request', message: 'The e-mail address is invalid.' }]),
  });
}
