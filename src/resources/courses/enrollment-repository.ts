import { sql } from '../../db/sql.ts';
import { change, statement } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { learnerMessages } from '../../mail/outbox.ts';
import type { AskedPairs } from '../people/learner-pairs.ts';
import type { Enrollments } from './course-rules.ts';

// Each of these acts on learners who are locked, so that two calls for the same ones queue.

const enroll = change<AskedPairs>(
  'enrollment_insert',
  (p) => sql`
    with added as (
      insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
      select l.company_id, l.id, c.id, c.owner_id, (now() at time zone 'utc')::date
        from learners l cross join courses c
       where l.company_id = ${p.companyId} and l.id = any(${p.learnerIds}::uuid[]) and not l.inactive
         and c.owner_id in (managed_catalogue(), l.company_id) and c.id = any(${p.targetIds}::uuid[])
      on conflict do nothing
      returning learner_id, course_id
    ), ${learnerMessages({ kind: 'course_enrollment', recipients: sql`added`, subject: sql`course_id` })}`,
);

/** Enrols active learners in courses of theirs where they are not yet, and queues a message for each who is new. */
export async function insertEnrollments(tenant: TenantWriter, pairs: AskedPairs): Promise<void> {
  await tenant.run(enroll, pairs);
}

const remind = change<AskedPairs>(
  'enrollment_remind',
  (p) => sql`
    with reminded as (
      update enrollments e set reminded_at = now() from learners l
       where e.company_id = ${p.companyId} and e.learner_id = any(${p.learnerIds}::uuid[])
         and e.course_id = any(${p.targetIds}::uuid[])
         and l.company_id = e.company_id and l.id = e.learner_id and not l.inactive
         and e.finish_date is null and (e.reminded_at is null or e.reminded_at < now() - interval '1 hour')
      returning e.learner_id, e.course_id
    ), ${learnerMessages({ kind: 'course_reminder', recipients: sql`reminded`, subject: sql`course_id` })}`,
);

/** Queues a reminder for each active learner of what they have not finished nor been reminded of within the hour. */
export async function remindOfEnrollments(tenant: TenantWriter, pairs: AskedPairs): Promise<void> {
  await tenant.run(remind, pairs);
}

const remove = change<AskedPairs, { learnerId: string; courseIds: string[] }>(
  'enrollment_remove',
  (p) => sql`
    with removed as (
      delete from enrollments
       where company_id = ${p.companyId} and learner_id = any(${p.learnerIds}::uuid[])
         and course_id = any(${p.targetIds}::uuid[]) and finish_date is null
      returning learner_id, course_id
    )
    select learner_id as "learnerId", array_agg(course_id::text) as "courseIds" from removed group by learner_id`,
);

/** Removes what is not finished; returns the courses that each learner was removed from. */
export async function removeEnrollments(tenant: TenantWriter, pairs: AskedPairs): Promise<Map<string, Set<string>>> {
  const rows = await tenant.run(remove, pairs);
  return new Map(rows.map((row) => [row.learnerId, new Set(row.courseIds)]));
}

const existing = statement<AskedPairs, { learnerId: string; open: string[]; finished: string[] }>(
  'enrollment_existing',
  (p) => sql`
    select learner_id as "learnerId",
           coalesce(array_agg(course_id::text) filter (where finish_date is null), '{}') as open,
           coalesce(array_agg(course_id::text) filter (where finish_date is not null), '{}') as finished
      from enrollments
     where company_id = ${p.companyId} and learner_id = any(${p.learnerIds}::uuid[])
       and course_id = any(${p.targetIds}::uuid[])
     group by learner_id`,
);

/** The enrolments that there are among the pairs. */
export async function findEnrollments(tenant: TenantWriter, pairs: AskedPairs): Promise<Enrollments> {
  const rows = await tenant.all(existing, pairs);
  return new Map(rows.map((row) => [row.learnerId, { open: new Set(row.open), finished: new Set(row.finished) }]));
}
