import { change, statement } from '../../db/knex-statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { queueLearnerMessages } from '../../mail/outbox.ts';
import type { AskedPairs } from '../learners/learner-pairs.ts';
import { inOrder } from '../learners/learner-repository.ts';
import { SIGNED_IN_FORCE } from './policy-repository.ts';
import type { Assignments } from './policy-rules.ts';

// Each of these acts on learners and policies that are locked, so that two calls for the same ones queue.

// Who was assigned once and has signed is asked anew.
const assign = change<AskedPairs, { queued: number }>('assignment_insert', (sql, param) =>
  sql.raw(
    `with added as (
       insert into policy_results as r (company_id, id, policy_id, learner_id, assigned_at, asked_at, sent_version_id)
       select l.company_id, new_id(), p.id, l.id, clock_timestamp(), clock_timestamp(), p.live_version_id
         from learners l join policies p on p.company_id = l.company_id
        where l.company_id = ? and l.id = any(?::uuid[]) and not l.inactive
          and p.id = any(?::uuid[]) and p.live_version_id is not null
       on conflict (company_id, learner_id, policy_id) do update
          set assigned_at = excluded.assigned_at, asked_at = excluded.asked_at, sent_version_id = excluded.sent_version_id
        where r.assigned_at is null
       returning learner_id, policy_id
     ), ${queueLearnerMessages('policy_request', 'added', 'policy_id')}`,
    [param('companyId'), param('learnerIds'), param('targetIds')],
  ),
);

/** Assigns live policies to active learners where they are not yet, and queues a message for each who is new to one. */
export async function insertAssignments(tenant: TenantWriter, pairs: AskedPairs): Promise<void> {
  await tenant.run(assign, pairs);
}

const remind = change<AskedPairs, { queued: number }>('assignment_remind', (sql, param) =>
  sql.raw(
    `with reminded as (
       update policy_results r set reminded_at = now(), sent_version_id = p.live_version_id
         from learners l, policies p
        where r.company_id = ? and r.learner_id = any(?::uuid[]) and r.policy_id = any(?::uuid[])
          and l.company_id = r.company_id and l.id = r.learner_id and not l.inactive
          and p.company_id = r.company_id and p.id = r.policy_id and p.live_version_id is not null
          and r.assigned_at is not null and not ${SIGNED_IN_FORCE}
          and (r.reminded_at is null or r.reminded_at < now() - interval '1 hour')
       returning r.learner_id, r.policy_id
     ), ${queueLearnerMessages('policy_reminder', 'reminded', 'policy_id')}`,
    [param('companyId'), param('learnerIds'), param('targetIds')],
  ),
);

/** Queues a reminder for each active learner of what they have to sign and were not reminded of within the hour. */
export async function remindOfAssignments(tenant: TenantWriter, pairs: AskedPairs): Promise<void> {
  await tenant.run(remind, pairs);
}

const assigned = statement<{ policyIds: string[] }, { learner_id: string }>('assignment_learners', (sql, param) =>
  sql.raw('select distinct learner_id from policy_results where company_id = ? and policy_id = any(?::uuid[])', [
    param('companyId'),
    param('policyIds'),
  ]),
);

/** The learners with an assignment or a signature of one of the policies. */
export async function listLearnerIdsOf(tenant: TenantWriter, policyIds: string[]): Promise<string[]> {
  return (await tenant.all(assigned, { policyIds })).map((row) => row.learner_id);
}

// Who is inactive gets no mail, but a signature from before is not in force any more when they come back.
const ask = change<{ policyId: string; learnerIds: string[] }, { queued: number }>('assignment_ask', (sql, param) =>
  sql.raw(
    `with asked as (
       update policy_results r
          set asked_at = clock_timestamp(), reminded_at = null,
              sent_version_id = case when l.inactive then r.sent_version_id else p.live_version_id end
         from learners l, policies p
        where r.company_id = ? and r.policy_id = ? and r.learner_id = any(?::uuid[]) and r.assigned_at is not null
          and l.company_id = r.company_id and l.id = r.learner_id
          and p.company_id = r.company_id and p.id = r.policy_id
          and (r.sent_version_id is distinct from p.live_version_id or r.asked_at < now() - interval '1 hour')
       returning r.learner_id, r.policy_id, l.inactive
     ), mailed as (
       select learner_id, policy_id from asked where not inactive
     ), ${queueLearnerMessages('policy_request', 'mailed', 'policy_id', { isNewCause: true })}`,
    [param('companyId'), param('policyId'), param('learnerIds')],
  ),
);

/** Asks everyone that a policy is assigned to, to sign it again, unless they were asked for its version within the hour. */
export async function askAssigned(tenant: TenantWriter, policyId: string): Promise<void> {
  const learnerIds = await listLearnerIdsOf(tenant, [policyId]);
  await inOrder(tenant, learnerIds, (part) => tenant.run(ask, { policyId, learnerIds: part }));
}

const lockResults = change<AskedPairs, object>('assignment_lock', (sql, param) =>
  sql('policy_results')
    .select('id')
    .where('company_id', param('companyId'))
    .where(sql.raw('learner_id = any(?::uuid[])', [param('learnerIds')]))
    .where(sql.raw('policy_id = any(?::uuid[])', [param('targetIds')]))
    .orderBy(['learner_id', 'policy_id'])
    .forUpdate(),
);

// What holds a signature stays as its record.
const remove = change<AskedPairs, { learner_id: string; policy_ids: string[] }>('assignment_remove', (sql, param) =>
  sql.raw(
    `with deleted as (
       delete from policy_results
        where company_id = ? and learner_id = any(?::uuid[]) and policy_id = any(?::uuid[]) and signed is null
       returning learner_id, policy_id
     ), ended as (
       update policy_results set assigned_at = null, asked_at = null, reminded_at = null
        where company_id = ? and learner_id = any(?::uuid[]) and policy_id = any(?::uuid[])
          and signed is not null and assigned_at is not null
       returning learner_id, policy_id
     )
     select learner_id, array_agg(policy_id::text) as policy_ids
       from (select * from deleted union all select * from ended) as removed group by learner_id`,
    [
      param('companyId'),
      param('learnerIds'),
      param('targetIds'),
      param('companyId'),
      param('learnerIds'),
      param('targetIds'),
    ],
  ),
);

/** Ends assignments; returns the policies that each learner was freed of. */
export async function removeAssignments(tenant: TenantWriter, pairs: AskedPairs): Promise<Map<string, Set<string>>> {
  // One that is being signed at this moment is waited for, to be kept.
  await tenant.run(lockResults, pairs);
  const rows = await tenant.run(remove, pairs);
  return new Map(rows.map((row) => [row.learner_id, new Set(row.policy_ids)]));
}

const existing = statement<AskedPairs, { learner_id: string; open: string[]; signed: string[] }>(
  'assignment_existing',
  (sql, param) =>
    sql.raw(
      `select learner_id,
              coalesce(array_agg(policy_id::text) filter (where not ${SIGNED_IN_FORCE}), '{}') as open,
              coalesce(array_agg(policy_id::text) filter (where ${SIGNED_IN_FORCE}), '{}') as signed
         from policy_results r
        where company_id = ? and learner_id = any(?::uuid[]) and policy_id = any(?::uuid[])
          and assigned_at is not null
        group by learner_id`,
      [param('companyId'), param('learnerIds'), param('targetIds')],
    ),
);

/** The assignments that there are among the pairs. */
export async function findAssignments(tenant: TenantWriter, pairs: AskedPairs): Promise<Assignments> {
  const rows = await tenant.all(existing, pairs);
  return new Map(rows.map((row) => [row.learner_id, { open: new Set(row.open), signed: new Set(row.signed) }]));
}

export interface PolicyResultRow {
  id: string;
  learner_id: string;
  policy_id: string;
  asked_at: string | null;
  visit: string | null;
  signed: string | null;
  signed_offline: boolean;
  sent_version_id: string | null;
  visited_version_id: string | null;
  signed_version_id: string | null;
}

const ofLearner = statement<{ learnerId: string; policyId: string | null }, PolicyResultRow>(
  'policy_result_of_learner',
  (sql, param) =>
    sql('policy_results')
      .select('id', 'learner_id', 'policy_id', 'asked_at', 'visit', 'signed', 'signed_offline')
      .select('sent_version_id', 'visited_version_id', 'signed_version_id')
      .where({ company_id: param('companyId'), learner_id: param('learnerId') })
      .where(sql.raw('(?::uuid is null or policy_id = ?)', [param('policyId'), param('policyId')]))
      .orderBy('id'),
);

/** What a learner did with each policy that is assigned or signed, or with one of them. */
export function listPolicyResults(
  tenant: TenantReader,
  learnerId: string,
  policyId: string | undefined,
): Rows<PolicyResultRow> {
  return tenant.rows(ofLearner, { learnerId, policyId: policyId ?? null });
}
