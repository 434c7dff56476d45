import { list, sql } from '../../db/sql.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { ENROL_DAY, toEnrolDay } from '../learners/shared/company-days.ts';
import { LearnerAssignments } from '../learners/shared/learner-assignments.ts';
import { findCourses } from './course-keys.ts';
import { type CourseFailureCode, failureMessages } from './course-rules.ts';

/** Columns of an attempt in `enrollments` and `enrollment_attempts`. */
const ATTEMPT = [
  ...[sql`attempt`, sql`attempt_id`, sql`enroll_date`, sql`start_date`, sql`finish_date`, sql`score`, sql`passed`],
  ...[sql`reminded_at`, sql`asked_at`, sql`reminder_sent_at`, sql`mail_failed_at`],
  sql`finish_event_id`,
];

/**
 * Enrolments of learners in courses: each learner's newest attempt at each course. Finished attempts hold results and
 * are never removed. The statement that begins the next attempt moves the finished attempt to `enrollment_attempts`.
 */
export const enrollments = new LearnerAssignments<'courseId', CourseFailureCode>({
  name: 'enrollment',
  target: 'courseId',
  table: sql`enrollments`,
  column: sql`course_id`,
  isPair: sql`true`,
  isDone: sql`r.finish_date is not null`,
  codes: { noTarget: 'course_not_found', noPair: 'not_enrolled', done: 'already_finished' },
  messageKinds: { add: 'course_enrollment', remind: 'course_reminder' },
  keepsDone: true,
  findTargets: async (tenant, courseIds) => {
    const courses = await findCourses(tenant, courseIds);
    return new Map([...courses].map(([id, isRetired]) => [id, isRetired ? 'course_retired' : undefined]));
  },
  add: (p) => sql`
    insert into enrollments (company_id, learner_id, course_id, course_owner_id, ${ENROL_DAY})
    select ${p.companyId}, l.id, c.id, c.owner_id, ${toEnrolDay(p)}
      from learners l cross join courses c
     where l.company_id = ${p.companyId} and l.id = any(${p.learnerIds}::uuid[]) and not l.inactive
       and c.owner_id in (managed_catalogue(), l.company_id) and c.id = any(${p.targetIds}::uuid[])
    on conflict do nothing`,
  // Locks finished attempts, then copies them. An attempt that is finished after the lock is still the newest. The
  // insert into `enrollments` only serves to find the rows by key: every row conflicts.
  reassign: (matchesRequest, p) => sql`
    finished as (
      select r.learner_id, r.course_id, r.course_owner_id, ${list(ATTEMPT.map((name) => sql`r.${name}`))},
             new_id() as next_id
        from enrollments r join learners l on l.company_id = ${p.companyId} and l.id = r.learner_id
       where ${matchesRequest} and r.finish_date is not null and not l.inactive
       order by r.learner_id, r.course_id for no key update of r
    ), kept as (
      insert into enrollment_attempts (company_id, learner_id, course_id, course_owner_id, ${list(ATTEMPT)})
      select ${p.companyId}, learner_id, course_id, course_owner_id, ${list(ATTEMPT)} from finished
      on conflict do nothing
    ), again as (
      insert into enrollments as r (company_id, learner_id, course_id, course_owner_id, attempt, attempt_id, ${ENROL_DAY})
      select ${p.companyId}, learner_id, course_id, course_owner_id, attempt + 1, next_id, ${toEnrolDay(p)}
        from finished
      on conflict (company_id, learner_id, course_id) do update
         set attempt = excluded.attempt, attempt_id = excluded.attempt_id, enroll_date = excluded.enroll_date,
             enrolled_from = excluded.enrolled_from, start_date = null, finish_date = null, score = null, passed = null, reminded_at = null, asked_at = null,
             reminder_sent_at = null, mail_failed_at = null, finish_event_id = null, derived_at = null
      returning r.learner_id, r.course_id
    )`,
  remind: (isReminderDue) => sql`update enrollments r set reminded_at = now() from learners l where ${isReminderDue}`,
  remove: (matchesRequest, p) => sql`
    deleted as (
      delete from enrollments r where ${matchesRequest} and r.finish_date is null and r.attempt = 1
      returning learner_id, course_id
    ), taken_back as (
      update enrollments r set ${list(ATTEMPT.map((name) => sql`${name} = a.${name}`))}
        from enrollment_attempts a
       where ${matchesRequest} and r.finish_date is null and a.company_id = ${p.companyId}
         and a.learner_id = r.learner_id and a.course_id = r.course_id and a.attempt = r.attempt - 1
      returning r.learner_id, r.course_id
    ), removed as (
      select * from deleted union all select * from taken_back
    )`,
});

/** Enrols learners in a course. Skips learners who cannot be enrolled. */
export function enrolInCourse(
  tenant: TenantWriter,
  { courseId, learnerIds }: { courseId: string; learnerIds: string[] },
) {
  const targetIds = [courseId];
  return enrollments.add(tenant, { learnerIds, targetIds, failureMessages: failureMessages('the course', '') });
}
