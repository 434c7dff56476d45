import type { PersonResult } from '../../../operations/operations.ts';

/** A course as its learner sees it. */
export type OwnCourse = PersonResult<'getOwnCourse'>;

/** A learner's view of an authored course, in one language. */
export interface Visit {
  course: OwnCourse;
  written: NonNullable<OwnCourse['written']>;
  /** Path prefix of the learner's courses. */
  home: string;
  /** Query that keeps the language in the course's URLs; empty for the learner's own language. */
  query: string;
}

export function coursePath({ course, home, query }: Pick<Visit, 'course' | 'home' | 'query'>, place?: number): string {
  return `${home}/courses/${course.courseId}${place === undefined ? '' : `/${place + 1}`}${query}`;
}

/** Returns the path at which a scenario can be played again. @param path ids of the choices made so far */
export function replayPath(visit: Visit, place: number, path: readonly string[]): string {
  const address = coursePath(visit, place);
  return `${address}${address.includes('?') ? '&' : '?'}replay=${path.join('.')}`;
}
