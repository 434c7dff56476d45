import type { Schemas } from '../../contract.ts';
import { fullName, SIGNED_IN_FORCE } from '../../db/expressions.ts';
import type { Rows } from '../../db/rows.ts';
import { BY_ID } from '../../db/list-order.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { orderedList, type Parameters } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { signaturesOfResult } from './evidence-repository.ts';

/** Of a policy result `r`. */
const FACTS = sql`
  r.asked_at as "askedAt", r.reminded_at as "remindedAt", r.visit, r.signed, r.signed_offline as "signedOffline",
  r.sent_version_id as "sentVersionId", r.visited_version_id as "visitedVersionId",
  r.signed_version_id as "signedVersionId"`;

const ABOUT_POLICIES = sql`('policy_request', 'policy_reminder')`;

// When a message failed for good, by learner and policy; none where a later one was sent. It starts from those that
// failed, which are few and have an index; what was sent is looked up for each of them (max() is never made a join).
const failures = (p: Parameters<object>, condition: Sql): Sql => sql`
  (select distinct on (m.learner_id, s.policy_id) m.learner_id, s.policy_id, m.settled_at as at
     from messages m cross join lateral unnest(m.subject_ids) as s (policy_id)
    where m.company_id = ${p.companyId} and m.kind in ${ABOUT_POLICIES} and m.status = 'failed' and ${condition}
      and (m.settled_at < (
            select max(sent.settled_at) from messages sent
             where sent.company_id = ${p.companyId} and sent.learner_id = m.learner_id
               and sent.kind in ${ABOUT_POLICIES} and sent.status = 'sent' and s.policy_id = any(sent.subject_ids)
          )) is not true
    order by m.learner_id, s.policy_id, m.settled_at desc)`;

interface LearnerFilter {
  learnerId: string;
  policyId: string | null;
  includeSignatures: boolean;
}

/** What a learner did with each policy that was assigned or signed, or with one of them. */
export const listPolicyResults = orderedList<LearnerFilter, Schemas['PolicyResult']>(
  'policy_result_of_learner',
  BY_ID,
  (p) => sql`
    select r.id, r.learner_id as "learnerId", r.policy_id as "policyId", ${FACTS}, f.at as "mailFailedAt",
           case when ${p.includeSignatures}::boolean then ${signaturesOfResult(p)} end as signatures
      from policy_results r
      left join ${failures(p, sql`m.learner_id = ${p.learnerId}`)} as f on f.policy_id = r.policy_id
     where r.company_id = ${p.companyId} and r.learner_id = ${p.learnerId}
       and (${p.policyId}::uuid is null or r.policy_id = ${p.policyId})`,
);

interface PolicyFilter {
  policyId: string;
  outcome: Schemas['PolicyOutcome'];
}

interface ResultRow extends Omit<Schemas['PolicyRecipient'], 'learner'> {
  learnerId: string;
  name: string;
  email: string;
}

// The learner is flat columns here, nested later: JSON for each row takes Postgres three times as long.
const ofPolicy = orderedList<PolicyFilter, ResultRow>(
  'policy_result_list',
  { learnerId: 'uuid' },
  (p) => sql`
    select r.id, r.learner_id as "learnerId", ${fullName(sql`l`)} as name, l.email, ${FACTS}, f.at as "mailFailedAt"
      from policy_results r
      join learners l on l.company_id = r.company_id and l.id = r.learner_id
      left join ${failures(p, sql`s.policy_id = ${p.policyId}`)} as f on f.learner_id = r.learner_id
     where r.company_id = ${p.companyId} and r.policy_id = ${p.policyId}
       and case ${p.outcome}::text
             when 'signed' then r.assigned_at is not null and not l.inactive and ${SIGNED_IN_FORCE}
             when 'unsigned' then r.assigned_at is not null and not l.inactive and not ${SIGNED_IN_FORCE}
             else true end`,
  { outcome: 'all' },
);

/** The learners whom a policy is assigned to or who have signed it, all of them or those with an outcome. */
export function listResults(tenant: TenantReader, filter: PolicyFilter): Rows<Schemas['PolicyRecipient']> {
  return tenant.rows(ofPolicy, filter).map(({ id, learnerId, name, email, ...facts }) => {
    return { id, learner: { id: learnerId, name, email }, ...facts };
  });
}
