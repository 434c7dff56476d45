import type { components } from '../../../generated/api-types.ts';
import { SIGNED_IN_FORCE } from '../../db/expressions.ts';
import type { Rows } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';
import { change, statement } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { learnerMessages } from '../../mail/outbox.ts';
import type { AskedPairs } from '../people/learner-pairs.ts';
import { inOrder } from '../people/learner-locks.ts';
import { IS_LIVE } from './policy-content.ts';
import type { Assignments } from './policy-rules.ts';

type PolicyResult = components['schemas']['PolicyResult'];

// Each of these acts on learners and policies that are locked, so that two calls for the same ones queue.

// Who was assigned once and has signed is asked anew.
const assign = change<AskedPairs>(
  'assignment_insert',
  (p) => sql`
    with added as (
      insert into policy_results as r (company_id, id, policy_id, learner_id, assigned_at, asked_at, sent_version_id)
      select l.company_id, new_id(), p.id, l.id, clock_timestamp(), clock_timestamp(), p.live_version_id
        from learners l join policies p on p.company_id = l.company_id
       where l.company_id = ${p.companyId} and l.id = any(${p.learnerIds}::uuid[]) and not l.inactive
         and p.id = any(${p.targetIds}::uuid[]) and ${IS_LIVE}
      on conflict (company_id, learner_id, policy_id) do update
         set assigned_at = excluded.assigned_at, asked_at = excluded.asked_at, sent_version_id = excluded.sent_version_id
       where r.assigned_at is null
      returning learner_id, policy_id
    ), ${learnerMessages({ kind: 'policy_request', recipients: sql`added`, subject: sql`policy_id` })}`,
);

/** Assigns live policies to active learners where they are not yet, and queues a message for each who is new to one. */
export async function insertAssignments(tenant: TenantWriter, pairs: AskedPairs): Promise<void> {
  await tenant.run(assign, pairs);
}

const remind = change<AskedPairs>(
  'assignment_remind',
  (p) => sql`
    with reminded as (
      update policy_results r set reminded_at = now(), sent_version_id = p.live_version_id
        from learners l, policies p
       where r.company_id = ${p.companyId} and r.learner_id = any(${p.learnerIds}::uuid[])
         and r.policy_id = any(${p.targetIds}::uuid[])
         and l.company_id = r.company_id and l.id = r.learner_id and not l.inactive
         and p.company_id = r.company_id and p.id = r.policy_id and ${IS_LIVE}
         and r.assigned_at is not null and not ${SIGNED_IN_FORCE}
         and (r.reminded_at is null or r.reminded_at < now() - interval '1 hour')
      returning r.learner_id, r.policy_id
    ), ${learnerMessages({ kind: 'policy_reminder', recipients: sql`reminded`, subject: sql`policy_id` })}`,
);

/** Queues a reminder for each active learner of what they have to sign and were not reminded of within the hour. */
export async function remindOfAssignments(tenant: TenantWriter, pairs: AskedPairs): Promise<void> {
  await tenant.run(remind, pairs);
}

const assigned = statement<{ policyIds: string[] }, { learnerId: string }>(
  'assignment_learners',
  (p) => sql`
    select distinct learner_id as "learnerId" from policy_results
     where company_id = ${p.companyId} and policy_id = any(${p.policyIds}::uuid[])`,
);

/** The learners with an assignment or a signature of one of the policies. */
export async function listLearnerIdsOf(tenant: TenantWriter, policyIds: string[]): Promise<string[]> {
  return (await tenant.all(assigned, { policyIds })).map((row) => row.learnerId);
}

// Who is inactive gets no mail, but a signature from before is not in force any more when they come back.
const ask = change<{ policyId: string; learnerIds: string[] }>(
  'assignment_ask',
  (p) => sql`
    with asked as (
      update policy_results r
         set asked_at = clock_timestamp(), reminded_at = null,
             sent_version_id = case when l.inactive then r.sent_version_id else p.live_version_id end
        from learners l, policies p
       where r.company_id = ${p.companyId} and r.policy_id = ${p.policyId} and r.learner_id = any(${p.learnerIds}::uuid[])
         and r.assigned_at is not null
         and l.company_id = r.company_id and l.id = r.learner_id
         and p.company_id = r.company_id and p.id = r.policy_id
         and (r.sent_version_id is distinct from p.live_version_id or r.asked_at < now() - interval '1 hour')
      returning r.learner_id, r.policy_id, l.inactive
    ), mailed as (
      select learner_id, policy_id from asked where not inactive
    ), ${learnerMessages({ kind: 'policy_request', recipients: sql`mailed`, subject: sql`policy_id`, isNewCause: true })}`,
);

/** Asks everyone that a policy is assigned to, to sign it again, unless they were asked for its version within the hour. */
export async function askAssigned(tenant: TenantWriter, policyId: string): Promise<void> {
  const learnerIds = await listLearnerIdsOf(tenant, [policyId]);
  await inOrder(tenant, learnerIds, (part) => tenant.run(ask, { policyId, learnerIds: part }));
}

const lockResults = change<AskedPairs>(
  'assignment_lock',
  (p) => sql`
    select id from policy_results
     where company_id = ${p.companyId} and learner_id = any(${p.learnerIds}::uuid[])
       and policy_id = any(${p.targetIds}::uuid[])
     order by learner_id, policy_id for update`,
);

// What holds a signature stays as its record.
const remove = change<AskedPairs, { learnerId: string; policyIds: string[] }>(
  'assignment_remove',
  (p) => sql`
    with deleted as (
      delete from policy_results
       where company_id = ${p.companyId} and learner_id = any(${p.learnerIds}::uuid[])
         and policy_id = any(${p.targetIds}::uuid[]) and signed is null
      returning learner_id, policy_id
    ), ended as (
      update policy_results set assigned_at = null, asked_at = null, reminded_at = null
       where company_id = ${p.companyId} and learner_id = any(${p.learnerIds}::uuid[])
         and policy_id = any(${p.targetIds}::uuid[]) and signed is not null and assigned_at is not null
      returning learner_id, policy_id
    )
    select learner_id as "learnerId", array_agg(policy_id::text) as "policyIds"
      from (select * from deleted union all select * from ended) as removed group by learner_id`,
);

/** Ends assignments; returns the policies that each learner was freed of. */
export async function removeAssignments(tenant: TenantWriter, pairs: AskedPairs): Promise<Map<string, Set<string>>> {
  // One that is being signed at this moment is waited for, to be kept.
  await tenant.run(lockResults, pairs);
  const rows = await tenant.run(remove, pairs);
  return new Map(rows.map((row) => [row.learnerId, new Set(row.policyIds)]));
}

const existing = statement<AskedPairs, { learnerId: string; open: string[]; signed: string[] }>(
  'assignment_existing',
  (p) => sql`
    select learner_id as "learnerId",
           coalesce(array_agg(policy_id::text) filter (where not ${SIGNED_IN_FORCE}), '{}') as open,
           coalesce(array_agg(policy_id::text) filter (where ${SIGNED_IN_FORCE}), '{}') as signed
      from policy_results r
     where company_id = ${p.companyId} and learner_id = any(${p.learnerIds}::uuid[])
       and policy_id = any(${p.targetIds}::uuid[]) and assigned_at is not null
     group by learner_id`,
);

/** The assignments that there are among the pairs. */
export async function findAssignments(tenant: TenantWriter, pairs: AskedPairs): Promise<Assignments> {
  const rows = await tenant.all(existing, pairs);
  return new Map(rows.map((row) => [row.learnerId, { open: new Set(row.open), signed: new Set(row.signed) }]));
}

const ofLearner = statement<{ learnerId: string; policyId: string | null }, PolicyResult>(
  'policy_result_of_learner',
  (p) => sql`
    select id, learner_id as "learnerId", policy_id as "policyId", asked_at as "askedAt", visit, signed,
           signed_offline as "signedOffline", sent_version_id as "sentVersionId",
           visited_version_id as "visitedVersionId", signed_version_id as "signedVersionId"
      from policy_results
     where company_id = ${p.companyId} and learner_id = ${p.learnerId}
       and (${p.policyId}::uuid is null or policy_id = ${p.policyId})
     order by id`,
);

/** What a learner did with each policy that is assigned or signed, or with one of them. */
export function listPolicyResults(
  tenant: TenantReader,
  learnerId: string,
  policyId: string | undefined,
): Rows<PolicyResult> {
  return tenant.rows(ofLearner, { learnerId, policyId: policyId ?? null });
}
