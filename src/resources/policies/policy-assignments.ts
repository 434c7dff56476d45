import { SIGNED_IN_FORCE } from '../../db/expressions.ts';
import { sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import type { RequestedPairs } from '../learners/shared/learner-pairs.ts';
import { matchesRequest, LearnerAssignments } from '../learners/shared/learner-assignments.ts';
import { IS_LIVE } from './policy-content.ts';
import { lockPolicies } from './policy-repository.ts';
import type { PolicyFailureCode } from './policy-rules.ts';

// Waits for concurrent signatures, because a signed result must be kept as the record of its signature.
const lockResults = mutation<RequestedPairs>(
  'assignment_lock',
  (p) => sql`
    select id from policy_results r where ${matchesRequest(p, sql`policy_id`)} order by learner_id, policy_id for update`,
);

/**
 * Assignments of policies to learners. A signed result outlives its assignment. If the policy is assigned again, the
 * learner is asked to sign again.
 */
export const assignments = new LearnerAssignments<'policyId', PolicyFailureCode>({
  name: 'assignment',
  target: 'policyId',
  table: sql`policy_results`,
  column: sql`policy_id`,
  isPair: sql`r.assigned_at is not null`,
  isDone: SIGNED_IN_FORCE,
  codes: { noTarget: 'policy_not_found', noPair: 'not_assigned', done: 'already_signed' },
  messageKinds: { add: 'policy_request', remind: 'policy_reminder' },
  keepsDone: false,
  async findTargets(tenant, policyIds) {
    const policies = await lockPolicies(tenant, policyIds);
    return new Map([...policies].map(([policyId, isLive]) => [policyId, isLive ? undefined : 'policy_not_live']));
  },
  add: (p) => sql`
    insert into policy_results as r (company_id, id, policy_id, learner_id, assigned_at, asked_at, sent_version_id)
    select l.company_id, new_id(), p.id, l.id, statement_timestamp(), statement_timestamp(), p.live_version_id
      from learners l join policies p on p.company_id = l.company_id
     where l.company_id = ${p.companyId} and l.id = any(${p.learnerIds}::uuid[]) and not l.inactive
       and p.id = any(${p.targetIds}::uuid[]) and ${IS_LIVE}
    on conflict (company_id, learner_id, policy_id) do update
       set assigned_at = excluded.assigned_at, asked_at = excluded.asked_at, sent_version_id = excluded.sent_version_id
     where r.assigned_at is null`,
  remind: (isReminderDue) => sql`
    update policy_results r set reminded_at = now(), sent_version_id = p.live_version_id
      from learners l, policies p
     where p.company_id = r.company_id and p.id = r.policy_id and ${IS_LIVE} and ${isReminderDue}`,
  lockToRemove: lockResults,
  remove: (matchesRequest) => sql`
    deleted as (
      delete from policy_results r where ${matchesRequest} and r.signed is null returning learner_id, policy_id
    ), ended as (
      update policy_results r set assigned_at = null, asked_at = null, reminded_at = null
       where ${matchesRequest} and r.signed is not null and r.assigned_at is not null
      returning learner_id, policy_id
    ), removed as (
      select * from deleted union all select * from ended
    )`,
});
