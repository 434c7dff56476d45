import { sql } from '../../../db/sql.ts';
import { mutation, pointQuery } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { learnerMessages } from '../../../mail/outbox.ts';
import { isOnLeave, learnerZone } from '../../../mail/working-hours.ts';
import { ENROL_DAY, toEnrolDay } from './company-days.ts';
import { splitPairs } from './learner-pairs.ts';

/**
 * Maximum number of courses marked for automatic enrolment. Creating 10,000 learners then enrols at most 200,000 pairs,
 * the limit of a call.
 */
export const MAX_AUTO_ENROLLED = 20;

const marked = pointQuery<object, { courseIds: string[] }>(
  'auto_enrolled_courses',
  (p) => sql`
    select coalesce(array_agg(a.course_id::text), '{}') as "courseIds"
      from companies k join auto_enrolled_courses a on a.company_id = ${p.companyId}
      join courses c on c.owner_id = a.course_owner_id and c.id = a.course_id and c.retired_at is null
     where k.id = ${p.companyId} and k.smlearn`,
);

const enrol = mutation<{ learnerIds: string[]; targetIds: string[] }>(
  'auto_enrol',
  (p) => sql`
    with added as (
      insert into enrollments (company_id, learner_id, course_id, course_owner_id, ${ENROL_DAY})
      select ${p.companyId}, l.id, a.course_id, a.course_owner_id, ${toEnrolDay(p)}
        from learners l cross join auto_enrolled_courses a
       where l.company_id = ${p.companyId} and l.id = any(${p.learnerIds}::uuid[]) and not l.excluded_from_auto_enrol
         and a.company_id = ${p.companyId} and a.course_id = any(${p.targetIds}::uuid[])
      on conflict do nothing
      returning learner_id, course_id
    ), mailed as (
      select a.* from added a join learners l on l.company_id = ${p.companyId} and l.id = a.learner_id
       where not ${isOnLeave(sql`now()`, learnerZone(p))}
    ),
    ${learnerMessages(p, { kind: 'course_enrollment', recipients: sql`mailed`, subject: sql`course_id` })}`,
);

/**
 * Enrols learners who are created in this transaction in the courses that the company marks. Skips excluded learners.
 * Queues one message per learner who is not on leave. Does nothing if the company does not have the module `smlearn`.
 */
export async function enrolNewLearners(tenant: TenantWriter, learnerIds: string[]): Promise<void> {
  const { courseIds: targetIds } = (await tenant.queryOne(marked, {}))!;
  if (targetIds.length === 0) return;
  for (const part of splitPairs({ learnerIds, targetIds })) await tenant.mutate(enrol, part);
}
