import type { Schemas } from '../../../contract/contract.ts';
import { SIGNED_IN_FORCE } from '../../../db/expressions.ts';
import type { Rows } from '../../../db/rows.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { pagedQuery, type Parameters } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { mailFailures, POLICY_FACTS } from '../../policies/policy-result-repository.ts';
import {
  byLeading,
  findLeading,
  isReported,
  LEARNER,
  type ReportLearnerRow,
  type Leading,
  selectLearnerId,
  type LearnersFilter,
  sampleLearners,
  selectLearners,
  splitReportLearner,
} from '../../learners/shared/reported-learners.ts';

export interface PolicyResultsFilter extends LearnersFilter {
  policyId: string | null;
  outcome: Schemas['PolicyResultOutcomeFilter'] | null;
}

export interface PolicyResultRow
  extends Omit<Schemas['PolicyResultWithLearner'], 'policy' | 'learner'>, ReportLearnerRow {
  policyName: string;
  liveVersionId: string;
}

/** Outcome of a policy result `r`; the row can be missing. */
export const OUTCOME = sql`
  case when r.assigned_at is null then 'not_assigned' when ${SIGNED_IN_FORCE} then 'signed' else 'unsigned' end`;

/** Selects the published policies; Postgres reads them once for all learners. */
const selectLivePolicies = (p: Parameters<PolicyResultsFilter>): Sql => sql`
  (select p.id, p.name, v.id as version_id
     from policies p join policy_versions v on v.company_id = ${p.companyId} and v.id = p.live_version_id
    where p.company_id = ${p.companyId} and (${p.policyId}::uuid is null or p.id = ${p.policyId})
   offset 0) as p`;

/** Joins the policy of a result `r`, if the policy is published. */
const selectLivePolicyOfResult = (p: Parameters<object>): Sql => sql`
  (select p.id, p.name, v.id as version_id
     from policies p join policy_versions v on v.company_id = ${p.companyId} and v.id = p.live_version_id
    where p.company_id = ${p.companyId} and p.id = r.policy_id
   offset 0)`;

export const BY_LEARNER_AND_POLICY = { learnerId: 'uuid', policyId: 'uuid' } as const;

interface Pairs {
  /** Column with the id of the learner, from the table that determines the order of the pairs. */
  learnerId: Sql;
  policyId: Sql;
  from: Sql;
}

const selectRows = (p: Parameters<PolicyResultsFilter>, { learnerId, policyId, from }: Pairs): Sql => sql`
  select ${learnerId} as "learnerId", ${policyId} as "policyId", ${OUTCOME} as outcome, ${POLICY_FACTS},
         f.at as "mailFailedAt", p.name as "policyName", p.version_id as "liveVersionId", ${LEARNER}
    from ${from}
    left join lateral ${mailFailures(p, sql`r.id is not null and m.learner_id = l.id and s.policy_id = p.id`)} as f
      on true
   where ${p.outcome}::text is null or ${OUTCOME} = ${p.outcome}`;

const getIds = (leading: Leading) => ({ learnerId: selectLearnerId(leading), policyId: sql`p.id` });

/**
 * Lists pairs of all learners and policies. Looks up the results, because a join might read the results of all learners
 * for each page.
 */
const pairsOfAll = byLeading((leading) =>
  pagedQuery<PolicyResultsFilter, PolicyResultRow>(
    `policy_report_${leading}`,
    BY_LEARNER_AND_POLICY,
    (p, continued) =>
      selectRows(p, {
        ...getIds(leading),
        from: sql`
          ${selectLearners(leading, p, continued)}
          cross join ${selectLivePolicies(p)}
          left join lateral (
            select r.* from policy_results r
             where r.company_id = ${p.companyId} and r.learner_id = l.id and r.policy_id = p.id offset 0) as r on true`,
      }),
    sampleLearners(leading),
  ),
);

/**
 * Lists pairs of learners and assigned policies, for the outcomes that only such pairs can have. If few pairs have the
 * outcome, a page reads on to the end of the list. Looking up all pairs of 20,000 learners and 20 policies took 5.7 s
 * (2026-11-28, two busy cores).
 */
const assignedPairs = byLeading((leading) =>
  pagedQuery<PolicyResultsFilter, PolicyResultRow>(
    `policy_report_assigned_${leading}`,
    BY_LEARNER_AND_POLICY,
    (p, continued) =>
      selectRows(p, {
        ...getIds(leading),
        from: sql`
          ${selectLearners(leading, p, continued)}
          cross join lateral (
            select r.* from policy_results r
             where r.company_id = ${p.companyId} and r.learner_id = l.id and r.assigned_at is not null
               and (${p.policyId}::uuid is null or r.policy_id = ${p.policyId}) offset 0) as r
          cross join lateral ${selectLivePolicyOfResult(p)} as p`,
      }),
    sampleLearners(leading),
  ),
);

// NOTE: the index policy_results_unsigned contains only the rows that meet this condition, so Postgres reads neither
// learners without a policy nor signed pairs. If it started from the learners, a page took 0.3 s for 100,000 learners,
// few of whom had a policy (2026-11-30, two cores).
const unsignedPairs = pagedQuery<PolicyResultsFilter, PolicyResultRow>(
  'policy_report_unsigned_all',
  BY_LEARNER_AND_POLICY,
  (p, continued) =>
    selectRows(p, {
      learnerId: sql`r.learner_id`,
      policyId: sql`r.policy_id`,
      from: sql`
        (select r.* from policy_results r
          where r.company_id = ${p.companyId} and r.assigned_at is not null and not ${SIGNED_IN_FORCE}
            and (${p.policyId}::uuid is null or r.policy_id = ${p.policyId}) and ${continued(sql`r.learner_id`)}) as r
        cross join lateral (
          select * from learners l
           where l.company_id = ${p.companyId} and l.id = r.learner_id and ${isReported(p)} offset 0) as l
        cross join lateral ${selectLivePolicyOfResult(p)} as p`,
    }),
  sampleLearners('all'),
);

/** Lists the reported learners with each published policy, ordered by learner and policy. */
export function listReportedPolicyResults(
  tenant: TenantReader,
  filter: PolicyResultsFilter,
): Rows<Schemas['PolicyResultWithLearner']> {
  return tenant.stream(findPairs(filter), filter).map(toPolicyResult);
}

function findPairs(filter: PolicyResultsFilter) {
  if (filter.outcome !== 'signed' && filter.outcome !== 'unsigned') return pairsOfAll(filter);
  return filter.outcome === 'unsigned' && findLeading(filter) === 'all' ? unsignedPairs : assignedPairs(filter);
}

export function toPolicyResult(row: PolicyResultRow): Schemas['PolicyResultWithLearner'] {
  const { learner, others } = splitReportLearner(row);
  const { policyName, liveVersionId, ...facts } = others;
  return { ...facts, policy: { id: row.policyId, name: policyName, liveVersionId }, learner };
}
