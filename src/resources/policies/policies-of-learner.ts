import { SIGNED_IN_FORCE } from '../../db/expressions.ts';
import { sql } from '../../db/sql.ts';
import { query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';

/** A live policy that a learner may read. */
export interface ReadablePolicy {
  policyId: string;
  name: string;
  isAssigned: boolean;
  isSigned: boolean;
}

const ofLearner = query<{ learnerId: string }, ReadablePolicy>(
  'own_policies',
  (p) => sql`
    select p.id as "policyId", v.name, r.assigned_at is not null as "isAssigned",
           coalesce(${SIGNED_IN_FORCE}, false) as "isSigned"
      from policies p
      join policy_versions v on v.company_id = ${p.companyId} and v.id = p.live_version_id
      left join policy_results r
             on r.company_id = ${p.companyId} and r.policy_id = p.id and r.learner_id = ${p.learnerId}
     where p.company_id = ${p.companyId} and (p.is_public or r.assigned_at is not null)
     order by v.name, p.id`,
);

/** What is public, and what the learner is asked to sign, by name. */
export function listPoliciesOfLearner(tenant: TenantReader, learnerId: string): Promise<ReadablePolicy[]> {
  return tenant.queryAll(ofLearner, { learnerId });
}
