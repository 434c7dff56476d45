import { sql } from '../../../db/sql.ts';
import { mutation, pointQuery } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { requireExisting, requireFound } from '../../../contract/errors.ts';

const exists = pointQuery<{ groupId: string }, { id: string }>('group_exists', (p, knex) =>
  knex('groups').select('id').where({ company_id: p.companyId, id: p.groupId }),
);

/** @throws not_found */
export async function requireGroup(tenant: TenantReader, groupId: string): Promise<void> {
  requireFound(await tenant.queryOne(exists, { groupId }), 'group');
}

// Locks the rows against deletion, in the order of their ids, so that foreign keys to them cannot fail.
const existing = mutation<{ groupIds: string[] }, { id: string }>(
  'group_existing',
  (p) => sql`
    select id from groups where company_id = ${p.companyId} and id = any(${p.groupIds}::uuid[])
     order by id for key share`,
);

/**
 * Returns the given ids that belong to groups of the company. These groups cannot be deleted until the transaction
 * ends.
 */
export async function findGroupIds(tenant: TenantWriter, groupIds: string[]): Promise<Set<string>> {
  if (groupIds.length === 0) return new Set();
  return new Set((await tenant.mutate(existing, { groupIds })).map((row) => row.id));
}

/** @throws not_found naming the fields with unknown ids, such as `body/groupIds/2` */
export async function requireGroups(tenant: TenantWriter, groupIds: string[], field: string): Promise<void> {
  requireExisting('group', groupIds, await findGroupIds(tenant, groupIds), field);
}
