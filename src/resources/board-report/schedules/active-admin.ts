import { fullName } from '../../../db/expressions.ts';
import { sql } from '../../../db/sql.ts';
import { query } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';

interface ActiveAdmin {
  name: string;
  email: string;
}

const active = query<{ adminId: string }, ActiveAdmin>(
  'board_active_admin',
  (p) => sql`
    select ${fullName(sql`a`)} as name, a.email from admins a
     where a.company_id = ${p.companyId} and a.id = ${p.adminId} and a.status = 'active'`,
);

/** Returns the name and the e-mail address of an active admin; undefined for any other id and for null. */
export async function findActiveAdmin(tenant: TenantReader, adminId: string | null): Promise<ActiveAdmin | undefined> {
  return adminId === null ? undefined : tenant.queryOne(active, { adminId });
}
