// Newcomers: newly created learners are enrolled in the courses that have `autoEnrol` in the company. They are also
// asked to sign the live policies whose signature settings in force have the type `newUsers`. Both happen once, in the
// transaction that creates the learner. The learner gets one message about all courses and one about all policies,
// unless they are on leave. Due dates come only from campaigns (src/resources/campaigns/evaluate-campaigns.ts), which
// neither enrol nor ask a second time.
import { invalidField } from '../../../contract/errors.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { mutation, type Parameters, pointQuery } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { learnerMessages } from '../../../mail/outbox/outbox.ts';
import { isOnLeave, learnerZone } from '../../../mail/messages/working-hours.ts';
import { ENROL_DAY, toEnrolDay } from './company-days.ts';
import { MAX_PAIRS, type RequestedPairs, splitPairs } from './learner-pairs.ts';

/**
 * Maximum number of courses with automatic enrolment. Creating 10,000 learners then creates at most 200,000 enrolments,
 * the limit of a call.
 */
export const MAX_AUTO_ENROLLED = 20;

/**
 * Type of the signature settings in force for a policy `p`. The company's default `d` is joined if the policy follows
 * it. While there is no default, the policy's own settings apply.
 */
export const SIGNATURE_TYPE_IN_FORCE = sql`case when d.type is null then p.signature_type else d.type end`;

interface Targets {
  targetIds: string[];
}

const courses = pointQuery<object, Targets>(
  'newcomers_courses',
  (p) => sql`
    select coalesce(array_agg(a.course_id::text), '{}') as "targetIds"
      from companies k join auto_enrolled_courses a on a.company_id = ${p.companyId}
      join courses c on c.owner_id = a.course_owner_id and c.id = a.course_id and c.retired_at is null
     where k.id = ${p.companyId} and k.smlearn`,
);

// Locks the policies, so that none is deleted or published in the meantime.
const policies = mutation<object, Targets>(
  'newcomers_policies',
  (p) => sql`
    with locked as (
      select p.id from policies p left join signature_defaults d on d.company_id = ${p.companyId} and p.signature_use_default
       where p.company_id = ${p.companyId} and p.live_version_id is not null and ${SIGNATURE_TYPE_IN_FORCE} = 'newUsers'
         and exists (select from companies k where k.id = ${p.companyId} and k.smpolicy)
       order by p.id for key share of p
    )
    select coalesce(array_agg(id::text), '{}') as "targetIds" from locked`,
);

/** Builds the CTE `mailed`: the added rows of learners who are not on leave. */
const withoutLeave = (p: Parameters<object>): Sql => sql`
  mailed as (
    select a.* from added a join learners l on l.company_id = ${p.companyId} and l.id = a.learner_id
     where not ${isOnLeave(sql`now()`, learnerZone(p))}
  )`;

const enrol = mutation<RequestedPairs>(
  'newcomers_enrol',
  (p) => sql`
    with added as (
      insert into enrollments (company_id, learner_id, course_id, course_owner_id, ${ENROL_DAY})
      select ${p.companyId}, l.id, a.course_id, a.course_owner_id, ${toEnrolDay(p)}
        from learners l cross join auto_enrolled_courses a
       where l.company_id = ${p.companyId} and l.id = any(${p.learnerIds}::uuid[])
         and a.company_id = ${p.companyId} and a.course_id = any(${p.targetIds}::uuid[])
      on conflict do nothing
      returning learner_id, course_id
    ), ${withoutLeave(p)},
    ${learnerMessages(p, { kind: 'course_enrollment', recipients: sql`mailed`, subject: sql`course_id` })}`,
);

const ask = mutation<RequestedPairs>(
  'newcomers_ask',
  (p) => sql`
    with added as (
      insert into policy_results (company_id, id, policy_id, learner_id, assigned_at, asked_at, sent_version_id)
      select ${p.companyId}, new_id(), o.id, l.id, statement_timestamp(), statement_timestamp(), o.live_version_id
        from learners l cross join policies o
       where l.company_id = ${p.companyId} and l.id = any(${p.learnerIds}::uuid[])
         and o.company_id = ${p.companyId} and o.id = any(${p.targetIds}::uuid[])
      on conflict do nothing
      returning learner_id, policy_id
    ), ${withoutLeave(p)},
    ${learnerMessages(p, { kind: 'policy_request', recipients: sql`mailed`, subject: sql`policy_id` })}`,
);

/**
 * Enrols learners who were created in this transaction and are not excluded, and asks them to sign policies. Skips
 * courses or policies if the company does not have the module.
 * @throws invalid_request if the call would request more than 200,000 signatures
 */
export async function enrolNewLearners(tenant: TenantWriter, learnerIds: string[]): Promise<void> {
  if (learnerIds.length === 0) return;
  const marked = (await tenant.queryOne(courses, {}))!;
  const asked = (await tenant.mutate(policies, {}))[0]!;
  requireFewSignatures(learnerIds.length, asked.targetIds.length);
  for (const [statement, { targetIds }] of [[enrol, marked] as const, [ask, asked] as const]) {
    if (targetIds.length === 0) continue;
    for (const part of splitPairs({ learnerIds, targetIds })) await tenant.mutate(statement, part);
  }
}

function requireFewSignatures(learners: number, signatures: number): void {
  if (learners * signatures <= MAX_PAIRS) return;
  const most = Math.floor(MAX_PAIRS / signatures);
  throw invalidField(
    'body/learners',
    `must have at most ${most} learners, because ${signatures} policies ask new users to sign`,
  );
}
