import { sql } from '../../db/sql.ts';
import { change } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { requireKnown } from '../../errors.ts';

// Locked in the order of their ids against deletion, so that what is about to refer to them does not fail half-way.
const existing = change<{ groupIds: string[] }, { id: string }>(
  'group_existing',
  (p) => sql`
    select id from groups where company_id = ${p.companyId} and id = any(${p.groupIds}::uuid[])
     order by id for key share`,
);

/** Those of the ids that the company has; they stay until the transaction ends. */
export async function findGroupIds(tenant: TenantWriter, groupIds: string[]): Promise<Set<string>> {
  if (groupIds.length === 0) return new Set();
  return new Set((await tenant.run(existing, { groupIds })).map((row) => row.id));
}

/** @throws not_found naming the places of the ids that the company does not have, such as `body/groupIds/2`. */
export async function requireGroups(tenant: TenantWriter, groupIds: string[], field: string): Promise<void> {
  requireKnown('group', groupIds, await findGroupIds(tenant, groupIds), field);
}
