import type { Knex } from 'knex';
import { v7 as uuidv7 } from 'uuid';
import { createPersonToken, hashPersonToken } from '../../identity/person-token.ts';
import { openOwnerDatabase } from '../database.ts';
import { insertCompany } from '../keys/company-commands.ts';
import { recordAsOperator } from '../keys/operator-entries.ts';
import type { FirstCompany } from './first-company-settings.ts';

/** Hours for which the printed link works; long enough for an operator who reads the log the next morning. */
const LINK_HOURS = 24;

/**
 * Creates the first company and its admin in a database without companies, as its owner: the service's role cannot. A
 * table lock admits one process at a time, and also makes `keys create-company` wait.
 * @returns the link that signs the admin in once; undefined if the database has a company
 */
export async function createFirstCompany(url: string, first: FirstCompany): Promise<string | undefined> {
  const database = openOwnerDatabase(url);
  try {
    if (await hasCompany(database)) return undefined;
    return await database.transaction(async (change) => {
      await change.raw('lock table companies in share row exclusive mode');
      return (await hasCompany(change)) ? undefined : insertFirst(change, first);
    });
  } finally {
    await database.destroy();
  }
}

export function describeFirstCompany({ name, admin, publicUrl }: FirstCompany, link: string): string {
  return `created company ${name} with admin ${admin.email}
this link signs the admin in once, within ${LINK_HOURS} hours: ${link}
after that, ${publicUrl}/console mails another one`;
}

async function hasCompany(database: Knex): Promise<boolean> {
  return (await database('companies').first('id')) !== undefined;
}

async function insertFirst(change: Knex.Transaction, { name, admin, publicUrl }: FirstCompany): Promise<string> {
  const [companyId, adminId] = [uuidv7(), uuidv7()];
  await insertCompany(change, { id: companyId, name, account_type: 'tenant' }, { fields: ['name', 'kind'] });
  const { email, firstName, lastName } = admin;
  await change('admins').insert({
    ...{ company_id: companyId, id: adminId, email, first_name: firstName, last_name: lastName },
    ...{ status: 'active', activated_at: change.fn.now() },
  });
  await recordAsOperator(change, [
    {
      ...{ companyId, operation: 'createAdmin', target: { field: 'id', id: adminId } },
      fields: ['email', 'firstName', 'lastName'],
    },
  ]);
  const token = createPersonToken(companyId);
  await change('sign_in_links').insert({
    ...{ company_id: companyId, admin_id: adminId, token_hash: hashPersonToken(token) },
    expires_at: change.raw(`now() + ? * interval '1 hour'`, [LINK_HOURS]),
  });
  return `${publicUrl}/console/sign-in/${token}`;
}
