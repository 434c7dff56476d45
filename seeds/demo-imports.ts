import type { Knex } from 'knex';
import { companyId, findCompany, fixedId, numberIn } from './demo-ids.ts';

const CREATED_AT = '2025-02-10T09:00:00.000Z';

/** Stores an import of learners that was checked but not applied, so that the demo can apply it. */
export async function insertLearnerImport(transaction: Knex.Transaction): Promise<void> {
  const company = findCompany('tenant');
  const company_id = companyId(company);
  const import_id = fixedId(Date.parse(CREATED_AT), 'safeguard', numberIn(company, 3));
  await transaction('learner_imports').insert({
    ...{ company_id, id: import_id, name: 'people.csv', status: 'checked' },
    columns: ['E-mail', 'First name', 'Last name', 'Groups'],
    mapping: JSON.stringify([
      { column: 0, field: 'email' },
      { column: 1, field: 'firstName' },
      { column: 2, field: 'lastName' },
      { column: 3, field: 'groups' },
    ]),
    counts: JSON.stringify({ rows: 2, new: 1, changed: 0, unchanged: 0, rejected: 1, skipped: 0 }),
    ...{ actor_type: 'operator', actor_id: 'seed' },
  });
  const address = 'email_provider_not_allowed';
  const message = 'Addresses at free e-mail providers are not accepted; use another address.';
  await transaction('learner_import_rows').insert([
    {
      ...{ company_id, import_id, number: 1, fate: 'new', faults: '[]' },
      cells: JSON.stringify([`new.colleague@${company.domain}`, 'New', 'Colleague', '']),
    },
    {
      ...{ company_id, import_id, number: 2, fate: 'rejected' },
      cells: JSON.stringify(['new.colleague@gmail.com', 'New', 'Colleague', '']),
      faults: JSON.stringify([{ field: 'email', code: address, message }]),
    },
  ]);
}
