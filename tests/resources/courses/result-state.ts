import { get, post } from '../../support/client.ts';
import { managedCourses } from '../../support/world.ts';
import { learner } from './enrollment-state.ts';

export const enrolledInNothing = learner(4);

/** Returns a time in April 2026. */
export const at = (day: number, hour = 8) =>
  `2026-04-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;
export const on = (day: number) => at(day).slice(0, 10);

export interface Result {
  eventId: string;
  startedAt?: string;
  finishedAt?: string;
  score?: number | null;
  passed?: boolean | null;
  passMark?: number | null;
  learner?: object;
  course?: object;
}

/** Builds a request body, by default for the phishing course and the learner without enrolments. */
export const bodyOf = (results: Result[]) => ({
  results: results.map((result) => ({
    learner: { id: enrolledInNothing },
    course: { id: managedCourses.phishing },
    ...result,
  })),
});
export const record = (...results: Result[]) => post('/course-results', bodyOf(results));

/** Returns a learner's attempts at a course, in order. */
export async function attemptsOf(
  id: string = enrolledInNothing,
  courseId: string = managedCourses.phishing,
): Promise<any[]> {
  const { body } = await get(`/learners/${id}/course-results?attempts=all`);
  return body.data.filter((result: { courseId: string }) => result.courseId === courseId);
}
