import type { Knex } from 'knex';
import { CommandError } from '../command.ts';
import { type Command, required } from './command.ts';
import { findCompany } from './company-commands.ts';
import { recordAsOperator } from './operator-entries.ts';

export const removePasskeys: Command = {
  summary: 'remove the passkeys of an admin who has lost them',
  help: `Removes all passkeys of an admin and ends the admin's sessions, for a company whose last
owner has lost the passkey. The admin then signs in with a mailed link; if the company
requires passkeys, the admin adds another one first. Anybody who can read the admin's email
can also do that, so verify who is asking. If the company has another owner, let that owner
remove the passkeys in the console instead.

Usage: keys remove-passkeys --company <id> --admin <address>

  --company <id>     the company, as companies lists it
  --admin <address>  the e-mail address of the admin`,
  options: { company: { type: 'string' }, admin: { type: 'string' } },
  prepare(values) {
    const [companyId, email] = [required(values, 'company'), required(values, 'admin')];
    return async (database) => {
      const company = await findCompany(database, companyId);
      const removed = await database.transaction((change) => removeOfAdmin(change, company.id, email));
      console.log(`Passkeys removed: ${removed}. The sessions of ${email} have ended.`);
    };
  },
};

/**
 * Returns the number of removed passkeys. Locks the admin's row, so that no sign-in with one of the passkeys is in
 * progress.
 */
async function removeOfAdmin(change: Knex.Transaction, companyId: string, email: string): Promise<number> {
  const admin = await change('admins')
    .where({ company_id: companyId })
    .whereRaw('lower(email) = lower(?)', [email])
    .forNoKeyUpdate()
    .first<{ id: string } | undefined>('id');
  if (!admin) throw new CommandError(`The company has no admin with the e-mail address ${email}.`);
  const ofAdmin = { company_id: companyId, admin_id: admin.id };
  const removed = await change('passkeys').where(ofAdmin).delete();
  await change('person_sessions').where(ofAdmin).delete();
  const target = { field: 'adminId', id: admin.id };
  const operations = ['deleteAdminPasskey', 'endAdminSessions'] as const;
  await recordAsOperator(
    change,
    operations.map((operation) => ({ companyId, operation, target, fields: [] })),
  );
  return removed;
}
