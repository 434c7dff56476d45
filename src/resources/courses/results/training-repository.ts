import { sql } from '../../../db/sql.ts';
import { query } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { type DueDate, firstDue } from '../../learners/shared/due-dates.ts';
import type { CourseNames } from '../course-names.ts';

/** A learner's course, with the newest attempt. */
export interface Training extends CourseNames, DueDate {
  courseId: string;
  attemptId: string;
  type: 'training' | 'gap_analysis';
  durationMinutes: number | null;
  isRetired: boolean;
  attempt: number;
  enrollDate: string;
  startDate: string | null;
  finishDate: string | null;
  score: number | null;
  passed: boolean | null;
}

const ofLearner = query<{ learnerId: string }, Training>(
  'own_courses',
  (p) => sql`
    select c.id as "courseId", e.attempt_id as "attemptId", c.type, c.display_name as "displayName",
           c.localized_names as "localizedNames", c.duration_minutes as "durationMinutes", c.retired_at is not null as "isRetired", e.attempt,
           e.enroll_date as "enrollDate", e.start_date as "startDate", e.finish_date as "finishDate", e.score, e.passed, due.*
      from enrollments e join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id
      left join lateral ${firstDue(p, sql`e.learner_id`, sql`e.course_id`)} as due on true
     where e.company_id = ${p.companyId} and e.learner_id = ${p.learnerId} and c.removed_at is null
     order by due."dueOn", e.enroll_date, c.id`,
);

/** Lists a learner's courses by due date, then oldest enrolment first. */
export function listTrainings(tenant: TenantReader, learnerId: string): Promise<Training[]> {
  return tenant.queryAll(ofLearner, { learnerId });
}

/** Reports whether a course is still to do. A passed training and a finished gap analysis are done. */
export function isToDo({ type, finishDate, passed, startDate, isRetired }: Training): boolean {
  if (finishDate === null) return startDate !== null || !isRetired;
  return type === 'training' && passed === false && !isRetired;
}
