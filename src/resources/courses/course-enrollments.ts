import { sql } from '../../db/sql.ts';
import { PairKind } from '../people/pair-kind.ts';
import { findCourseIds } from './course-repository.ts';
import type { CourseFailureCode } from './course-rules.ts';

/** Which learner is enrolled in which course. Finished enrolments are never removed: they hold the result. */
export const enrollments = new PairKind<'courseId', CourseFailureCode>({
  name: 'enrollment',
  target: 'courseId',
  table: sql`enrollments`,
  column: sql`course_id`,
  isPair: sql`true`,
  isDone: sql`r.finish_date is not null`,
  codes: { noTarget: 'course_not_found', noPair: 'not_enrolled', done: 'already_finished' },
  messageKinds: { add: 'course_enrollment', remind: 'course_reminder' },
  keepsDone: true,
  findTargets: async (tenant, courseIds) =>
    new Map((await findCourseIds(tenant, courseIds)).map((courseId) => [courseId, undefined])),
  add: (p) => sql`
    insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
    select ${p.companyId}, l.id, c.id, c.owner_id, (now() at time zone 'utc')::date
      from learners l cross join courses c
     where l.company_id = ${p.companyId} and l.id = any(${p.learnerIds}::uuid[]) and not l.inactive
       and c.owner_id in (managed_catalogue(), l.company_id) and c.id = any(${p.targetIds}::uuid[])
    on conflict do nothing`,
  remind: (areDue) => sql`update enrollments r set reminded_at = now() from learners l where ${areDue}`,
  remove: (areAsked) => sql`
    removed as (
      delete from enrollments r where ${areAsked} and r.finish_date is null returning learner_id, course_id
    )`,
});
