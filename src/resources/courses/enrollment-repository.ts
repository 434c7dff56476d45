import { change, statement } from '../../db/knex-statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { queueLearnerMessages } from '../../mail/outbox.ts';
import type { AskedPairs } from '../learners/learner-pairs.ts';
import type { Enrollments } from './course-rules.ts';

// Each of these acts on learners who are locked, so that two calls for the same ones queue.

const enroll = change<AskedPairs, { queued: number }>('enrollment_insert', (sql, param) =>
  sql.raw(
    `with added as (
       insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
       select l.company_id, l.id, c.id, c.owner_id, (now() at time zone 'utc')::date
         from learners l cross join courses c
        where l.company_id = ? and l.id = any(?::uuid[]) and not l.inactive
          and c.owner_id in (managed_catalogue(), l.company_id) and c.id = any(?::uuid[])
       on conflict do nothing
       returning learner_id, course_id
     ), ${queueLearnerMessages('course_enrollment', 'added', 'course_id')}`,
    [param('companyId'), param('learnerIds'), param('targetIds')],
  ),
);

/** Enrols active learners in courses of theirs where they are not yet, and queues a message for each who is new. */
export async function insertEnrollments(tenant: TenantWriter, pairs: AskedPairs): Promise<void> {
  await tenant.run(enroll, pairs);
}

const remind = change<AskedPairs, { queued: number }>('enrollment_remind', (sql, param) =>
  sql.raw(
    `with reminded as (
       update enrollments e set reminded_at = now() from learners l
        where e.company_id = ? and e.learner_id = any(?::uuid[]) and e.course_id = any(?::uuid[])
          and l.company_id = e.company_id and l.id = e.learner_id and not l.inactive
          and e.finish_date is null and (e.reminded_at is null or e.reminded_at < now() - interval '1 hour')
       returning e.learner_id, e.course_id
     ), ${queueLearnerMessages('course_reminder', 'reminded', 'course_id')}`,
    [param('companyId'), param('learnerIds'), param('targetIds')],
  ),
);

/** Queues a reminder for each active learner of what they have not finished nor been reminded of within the hour. */
export async function remindOfEnrollments(tenant: TenantWriter, pairs: AskedPairs): Promise<void> {
  await tenant.run(remind, pairs);
}

const remove = change<AskedPairs, { learner_id: string; course_ids: string[] }>('enrollment_remove', (sql, param) =>
  sql.raw(
    `with removed as (
       delete from enrollments
        where company_id = ? and learner_id = any(?::uuid[]) and course_id = any(?::uuid[]) and finish_date is null
       returning learner_id, course_id
     )
     select learner_id, array_agg(course_id::text) as course_ids from removed group by learner_id`,
    [param('companyId'), param('learnerIds'), param('targetIds')],
  ),
);

/** Removes what is not finished; returns the courses that each learner was removed from. */
export async function removeEnrollments(tenant: TenantWriter, pairs: AskedPairs): Promise<Map<string, Set<string>>> {
  const rows = await tenant.run(remove, pairs);
  return new Map(rows.map((row) => [row.learner_id, new Set(row.course_ids)]));
}

const existing = statement<AskedPairs, { learner_id: string; open: string[]; finished: string[] }>(
  'enrollment_existing',
  (sql, param) =>
    sql.raw(
      `select learner_id,
              coalesce(array_agg(course_id::text) filter (where finish_date is null), '{}') as open,
              coalesce(array_agg(course_id::text) filter (where finish_date is not null), '{}') as finished
         from enrollments
        where company_id = ? and learner_id = any(?::uuid[]) and course_id = any(?::uuid[])
        group by learner_id`,
      [param('companyId'), param('learnerIds'), param('targetIds')],
    ),
);

/** The enrolments that there are among the pairs. */
export async function findEnrollments(tenant: TenantWriter, pairs: AskedPairs): Promise<Enrollments> {
  const rows = await tenant.all(existing, pairs);
  return new Map(rows.map((row) => [row.learner_id, { open: new Set(row.open), finished: new Set(row.finished) }]));
}
