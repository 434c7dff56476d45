import { type Sql, sql } from '../../db/sql.ts';
import { mutation, type Parameters, query } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { learnerMessages } from '../../mail/outbox/outbox.ts';
import { inOrder } from '../learners/shared/learner-locks.ts';

const ofPolicies = query<{ policyIds: string[] }, { learnerId: string }>(
  'assignment_learners',
  (p) => sql`
    select distinct learner_id as "learnerId" from policy_results
     where company_id = ${p.companyId} and policy_id = any(${p.policyIds}::uuid[])`,
);

/** Returns the ids of the learners who have an assignment or a signature of any of the policies. */
export async function listAffectedLearnerIds(tenant: TenantWriter, policyIds: string[]): Promise<string[]> {
  return (await tenant.queryAll(ofPolicies, { policyIds })).map((row) => row.learnerId);
}

interface RequestedSignatures {
  policyId: string;
  learnerIds: string[];
}

// Inactive learners get no email, but are still asked to sign: an old signature must not count once they are active
// again.
const requestAgain = (p: Parameters<RequestedSignatures>): Sql => sql`
    asked as (
      update policy_results r
         set asked_at = statement_timestamp(), reminded_at = null,
             sent_version_id = case when l.inactive then r.sent_version_id else p.live_version_id end
        from learners l, policies p
       where r.company_id = ${p.companyId} and r.policy_id = ${p.policyId} and r.learner_id = any(${p.learnerIds}::uuid[])
         and r.assigned_at is not null
         and l.company_id = r.company_id and l.id = r.learner_id
         and p.company_id = r.company_id and p.id = r.policy_id
         and (r.sent_version_id is distinct from p.live_version_id or r.asked_at < now() - interval '1 hour')
      returning r.learner_id, r.policy_id, l.inactive
    )`;

const requestSignatures = mutation<RequestedSignatures>(
  'assignment_ask',
  (p) => sql`
    with ${requestAgain(p)}, mailed as (
      select learner_id, policy_id from asked where not inactive
    ), ${learnerMessages(p, { kind: 'policy_request', recipients: sql`mailed`, subject: sql`policy_id`, isNewCause: true })}`,
);

/**
 * Asks all assigned learners to sign the policy again, except those who were asked to sign this version in the last
 * hour.
 */
export async function askAssigned(tenant: TenantWriter, policyId: string): Promise<void> {
  const learnerIds = await listAffectedLearnerIds(tenant, [policyId]);
  await inOrder(tenant, learnerIds, (part) => tenant.mutate(requestSignatures, { policyId, learnerIds: part }));
}

const askAgain = mutation<RequestedSignatures>(
  'assignment_ask_again',
  (p) => sql`with ${requestAgain(p)} select count(*)::integer as asked from asked`,
);

/**
 * Asks assigned learners to sign the policy again, like `askAssigned`, but without a message. The caller has locked the
 * learners.
 */
export async function askQuietly(tenant: TenantWriter, request: RequestedSignatures): Promise<void> {
  await tenant.mutate(askAgain, request);
}
