import type { Schemas } from '../../../contract/contract.ts';
import type { Rows } from '../../../db/rows.ts';
import { sql } from '../../../db/sql.ts';
import { pagedQuery } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { type Past, PAST_SAMPLES, selectPastLearners, wasMember, wasRecorded } from '../../learners/shared/past.ts';
import {
  byLeading,
  LEARNER,
  sampleLearners,
  selectLearnerId,
  isNamedOrReported,
} from '../../learners/shared/reported-learners.ts';
import { pastPolicies, pastPolicyResult } from '../../policies/past-policy-results.ts';
import { mailFailures, POLICY_FACTS } from '../../policies/policy-result-repository.ts';
import {
  BY_LEARNER_AND_POLICY,
  OUTCOME,
  type PolicyResultsFilter,
  type PolicyResultRow,
  toPolicyResult,
} from './policy-results-repository.ts';

type PastFilter = PolicyResultsFilter & Past;

const pastPairs = byLeading((leading) =>
  pagedQuery<PastFilter, PolicyResultRow>(
    `policy_report_past_${leading}`,
    BY_LEARNER_AND_POLICY,
    (p, continued) => {
      const isOfPair = sql`m.learner_id = l.id and s.policy_id = p.id`;
      return sql`
        select ${selectLearnerId(leading)} as "learnerId", p.id as "policyId", ${OUTCOME} as outcome, ${POLICY_FACTS}, f.at as "mailFailedAt",
               p.name as "policyName", p.version_id as "liveVersionId", ${LEARNER}
          from ${selectPastLearners(leading, p, continued)}
         cross join ${pastPolicies(p)} as p
         cross join lateral ${pastPolicyResult(p, sql`p.id`)} as r
          left join lateral ${mailFailures(p, isOfPair, sql`${p.asOfEnd}::timestamptz`)} as f on true
         where ${isNamedOrReported(p)}
           and (${wasRecorded(p)} or r.assigned_at is not null or r.signed is not null)
           and (${p.outcome}::text is null or ${OUTCOME} = ${p.outcome})
           and ${leading === 'learner' ? wasMember(p) : sql`true`}`;
    },
    { ...PAST_SAMPLES, ...sampleLearners(leading) },
  ),
);

/** Lists the same results as `listReportedPolicyResults`, but as of a day. */
export function listPastPolicyResults(
  tenant: TenantReader,
  filter: PastFilter,
): Rows<Schemas['PolicyResultWithLearner']> {
  return tenant.stream(pastPairs(filter), filter).map(toPolicyResult);
}
