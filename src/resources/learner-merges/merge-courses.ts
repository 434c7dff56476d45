import { sql } from '../../db/sql.ts';
import { mutation, query } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { findAttempts, removeAttempts, saveAttempts } from '../courses/results/attempt-repository.ts';
import { findFacts, insertFacts, toNewFact } from '../courses/results/result-event-repository.ts';
import { formatPair } from '../courses/results/result-event-rules.ts';
import { type CourseState, joinCourses } from './join-rules.ts';
import type { Merge } from './move-rows.ts';

/** Lists the courses in which a learner has attempts or facts. */
export const coursesOfMerged = query<{ learnerId: string }, { courseId: string }>(
  'merge_courses',
  (p) => sql`
    select course_id as "courseId" from enrollments where company_id = ${p.companyId} and learner_id = ${p.learnerId}
    union
    select course_id from course_result_events where company_id = ${p.companyId} and learner_id = ${p.learnerId}
    union
    select course_id from enrollment_attempts where company_id = ${p.companyId} and learner_id = ${p.learnerId}`,
);

/** State of both learners in a course before their rows move. */
export interface CourseOfBoth {
  courseId: string;
  stays: CourseState;
  merged: CourseState;
}

/** Returns the courses in which both learners have attempts or facts. */
export async function findCoursesOfBoth(tenant: TenantWriter, merge: Merge): Promise<CourseOfBoth[]> {
  const courseIds = (await tenant.queryAll(coursesOfMerged, merge)).map(({ courseId }) => courseId);
  if (courseIds.length === 0) return [];
  const stays = await findStates(tenant, merge.intoLearnerId, courseIds);
  const merged = await findStates(tenant, merge.learnerId, courseIds);
  return courseIds
    .map((courseId, index) => ({ courseId, stays: stays[index]!, merged: merged[index]! }))
    .filter((course) =>
      [course.stays, course.merged].every(({ attempts, facts }) => attempts.length + facts.length > 0),
    );
}

/** Returns a learner's state in each course. */
export async function findStates(tenant: TenantWriter, learnerId: string, courseIds: string[]): Promise<CourseState[]> {
  const pairs = courseIds.map((courseId) => ({ learnerId, courseId }));
  const [attempts, facts] = [await findAttempts(tenant, pairs), await findFacts(tenant, pairs)];
  return pairs.map((pair) => {
    return { attempts: attempts.get(formatPair(pair)) ?? [], facts: facts.get(formatPair(pair)) ?? [] };
  });
}

// The duplicate's enrolment is deleted with the duplicate. Its finished attempt becomes an earlier attempt of the
// learner who stays, and keeps the times of its emails.
const moveFinished = mutation<Merge>(
  'merge_move_finished',
  (p) => sql`
    insert into enrollment_attempts (company_id, learner_id, course_id, attempt_id, attempt, course_owner_id, enroll_date,
                                     start_date, finish_date, score, passed, reminded_at, asked_at, reminder_sent_at,
                                     mail_failed_at, finish_event_id, recorded_at)
    select e.company_id, ${p.intoLearnerId}, e.course_id, e.attempt_id, e.attempt, e.course_owner_id, e.enroll_date,
           e.start_date, e.finish_date, e.score, e.passed, e.reminded_at, e.asked_at, e.reminder_sent_at,
           e.mail_failed_at, e.finish_event_id, e.recorded_at
      from enrollments e
     where e.company_id = ${p.companyId} and e.learner_id = ${p.learnerId} and e.finish_date is not null
    on conflict do nothing`,
);

/** Joins both learners' attempts at courses, after their rows have moved. */
export async function joinCoursesOfBoth(
  tenant: TenantWriter,
  merge: Merge,
  courses: readonly CourseOfBoth[],
): Promise<void> {
  await tenant.mutate(moveFinished, merge);
  const derived = courses.map(({ courseId, stays, merged }) => {
    const pair = { learnerId: merge.intoLearnerId, courseId };
    const isEnrolled = stays.attempts.length > 0;
    const { attempts, enrolments } = joinCourses(stays, merged);
    // The newest attempt is in the enrolment. If the duplicate's newest attempt is open, it was not stored for the
    // learner who stays.
    const moved = isEnrolled ? merged.attempts.filter(({ finishDate }) => finishDate !== null) : merged.attempts;
    const isStored = isEnrolled || merged.attempts.length > 0;
    return { ...pair, isStored, stored: [...moved, ...stays.attempts], attempts, enrolments };
  });
  const stored = derived.filter(({ isStored }) => isStored);
  await insertFacts(
    tenant,
    stored.flatMap(({ learnerId, courseId, enrolments }) =>
      enrolments.map((enrolment) => toNewFact({ ...enrolment, learnerId, courseId })),
    ),
  );
  await removeAttempts(tenant, stored);
  await saveAttempts(tenant, stored);
}
