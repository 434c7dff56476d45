import type { Schemas } from '../../contract/contract.ts';
import { SIGNED_IN_FORCE } from '../../db/expressions.ts';
import type { Rows } from '../../db/rows.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { pagedQuery, type Parameters } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { mailFailures, POLICY_FACTS } from '../policies/policy-result-repository.ts';
import {
  byLeading,
  LEARNER,
  type LearnerColumns,
  selectLearnerId,
  type LearnersFilter,
  sampleLearners,
  selectLearners,
  toReportLearner,
} from './reported-learners.ts';

interface Filter extends LearnersFilter {
  policyId: string | null;
  outcome: Schemas['PolicyResultOutcomeFilter'] | null;
}

interface Row extends Omit<Schemas['PolicyResultWithLearner'], 'policy' | 'learner'>, LearnerColumns {
  policyName: string;
  liveVersionId: string;
}

const OUTCOME = sql`
  case when r.assigned_at is null then 'not_assigned' when ${SIGNED_IN_FORCE} then 'signed' else 'unsigned' end`;

/** Published policies, which Postgres reads once for all learners. */
const livePolicies = (p: Parameters<Filter>): Sql => sql`
  (select p.id, p.name, v.id as version_id
     from policies p join policy_versions v on v.company_id = ${p.companyId} and v.id = p.live_version_id
    where p.company_id = ${p.companyId} and (${p.policyId}::uuid is null or p.id = ${p.policyId})
   offset 0) as p`;

// The results are looked up by learner and policy: with a join, Postgres might read those of all learners for a page.
const policyResults = byLeading((leading) =>
  pagedQuery<Filter, Row>(
    `policy_report_${leading}`,
    { learnerId: 'uuid', policyId: 'uuid' },
    (p, continued) => sql`
      select ${selectLearnerId(leading)} as "learnerId", p.id as "policyId", ${OUTCOME} as outcome, ${POLICY_FACTS},
             f.at as "mailFailedAt", p.name as "policyName", p.version_id as "liveVersionId", ${LEARNER}
        from ${selectLearners(leading, p, continued)}
       cross join ${livePolicies(p)}
        left join lateral (
          select r.* from policy_results r
           where r.company_id = ${p.companyId} and r.learner_id = l.id and r.policy_id = p.id offset 0) as r on true
        left join lateral ${mailFailures(p, sql`r.id is not null and m.learner_id = l.id and s.policy_id = p.id`)} as f
          on true
       where ${p.outcome}::text is null or ${OUTCOME} = ${p.outcome}`,
    sampleLearners(leading),
  ),
);

/** Lists the reported learners with each published policy, by learner and policy. */
export function listReportedPolicyResults(
  tenant: TenantReader,
  filter: Filter,
): Rows<Schemas['PolicyResultWithLearner']> {
  return tenant.stream(policyResults(filter), filter).map(toResult);
}

function toResult({ policyName, liveVersionId, name, email, externalLearnerId, inactive, ...row }: Row) {
  return {
    ...row,
    policy: { id: row.policyId, name: policyName, liveVersionId },
    learner: toReportLearner(row.learnerId, { name, email, externalLearnerId, inactive }),
  };
}
