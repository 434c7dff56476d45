import { sql } from '../../../db/sql.ts';
import { mutation, pointQuery } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { requireFound, requireExisting } from '../../../contract/errors.ts';

const exists = pointQuery<{ learnerId: string }, { id: string }>('learner_exists', (p, knex) =>
  knex('learners').select('id').where({ company_id: p.companyId, id: p.learnerId }),
);

/** @throws not_found */
export async function requireLearner(tenant: TenantReader, learnerId: string): Promise<void> {
  requireFound(await tenant.queryOne(exists, { learnerId }), 'learner');
}

// Locks the rows against deletion, in the order of their ids, so that foreign keys to them cannot fail.
const existing = mutation<{ learnerIds: string[] }, { id: string }>(
  'learner_existing',
  (p) => sql`
    select id from learners where company_id = ${p.companyId} and id = any(${p.learnerIds}::uuid[])
     order by id for key share`,
);

/**
 * Returns the given ids that belong to learners of the company. These learners cannot be deleted until the transaction
 * ends.
 */
export async function findLearnerIds(tenant: TenantWriter, learnerIds: string[]): Promise<Set<string>> {
  if (learnerIds.length === 0) return new Set();
  return new Set((await tenant.mutate(existing, { learnerIds })).map((row) => row.id));
}

/** @throws not_found naming the fields with unknown ids, such as `body/managerIds/2` */
export async function requireLearners(tenant: TenantWriter, learnerIds: string[], field: string): Promise<void> {
  requireExisting('learner', learnerIds, await findLearnerIds(tenant, learnerIds), field);
}
