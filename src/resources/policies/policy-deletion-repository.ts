import { fullName } from '../../db/expressions.ts';
import { sql } from '../../db/sql.ts';
import { change } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { inOrder } from '../people/learner-locks.ts';
import { listLearnerIdsOf } from './assignment-repository.ts';

interface Results {
  policyIds: string[];
  learnerIds: string[];
}

const record = change<Results>(
  'policy_record_signatures',
  (p) => sql`
    insert into signature_records (company_id, id, policy_id, policy_name, version_id, major_version, minor_version,
                                   file_sha256, learner_id, learner_email, learner_name, signed, signed_offline)
    select r.company_id, r.id, r.policy_id, v.name, v.id, v.major_version, v.minor_version, f.sha256, l.id, l.email,
           ${fullName(sql`l`)}, r.signed, r.signed_offline
      from policy_results r
      join policy_versions v on v.company_id = r.company_id and v.id = r.signed_version_id
      join policy_files f on f.company_id = v.company_id and f.id = v.file_id
      join learners l on l.company_id = r.company_id and l.id = r.learner_id
     where r.company_id = ${p.companyId} and r.policy_id = any(${p.policyIds}::uuid[])
       and r.learner_id = any(${p.learnerIds}::uuid[])`,
);

// Runs before the versions are removed, which these rows refer to.
const removeResults = change<Results>(
  'policy_remove_results',
  (p) => sql`
    delete from policy_results
     where company_id = ${p.companyId} and policy_id = any(${p.policyIds}::uuid[])
       and learner_id = any(${p.learnerIds}::uuid[])`,
);

const remove = change<{ policyIds: string[] }>(
  'policy_remove',
  (p) => sql`delete from policies where company_id = ${p.companyId} and id = any(${p.policyIds}::uuid[])`,
);

/** Removes policies and all that belongs to them. Keeps a record of who had signed them. */
export async function removePolicies(tenant: TenantWriter, policyIds: string[]): Promise<void> {
  const learnerIds = await listLearnerIdsOf(tenant, policyIds);
  await inOrder(tenant, learnerIds, async (part) => {
    await tenant.run(record, { policyIds, learnerIds: part });
    await tenant.run(removeResults, { policyIds, learnerIds: part });
  });
  await tenant.run(remove, { policyIds });
}
