import { sql } from '../../../db/sql.ts';
import { mutation } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';

const show = mutation<{ learnerIds: string[] }>(
  'directory_users_show',
  (p) => sql`
    update directory_learners set removed_at = null
     where company_id = ${p.companyId} and learner_id = any(${p.learnerIds}::uuid[]) and removed_at is not null`,
);

/** Makes learners visible to directories again, so that those whom a directory has deleted are not purged. */
export async function showToDirectories(tenant: TenantWriter, learnerIds: string[]): Promise<void> {
  await tenant.mutate(show, { learnerIds });
}
