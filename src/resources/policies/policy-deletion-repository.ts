import { sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { inOrder } from '../learners/shared/learner-locks.ts';
import { listAffectedLearnerIds } from './assignment-repository.ts';

interface Results {
  policyIds: string[];
  learnerIds: string[];
}

// Runs before the versions are removed, because results refer to versions.
const removeResults = mutation<Results>(
  'policy_remove_results',
  (p) => sql`
    delete from policy_results
     where company_id = ${p.companyId} and policy_id = any(${p.policyIds}::uuid[])
       and learner_id = any(${p.learnerIds}::uuid[])`,
);

const remove = mutation<{ policyIds: string[] }>(
  'policy_remove',
  (p) => sql`delete from policies where company_id = ${p.companyId} and id = any(${p.policyIds}::uuid[])`,
);

/** Removes policies with their versions, drafts and results. Their signatures are kept in `signatures`. */
export async function removePolicies(tenant: TenantWriter, policyIds: string[]): Promise<void> {
  const learnerIds = await listAffectedLearnerIds(tenant, policyIds);
  await inOrder(tenant, learnerIds, (part) => tenant.mutate(removeResults, { policyIds, learnerIds: part }));
  await tenant.mutate(remove, { policyIds });
}
