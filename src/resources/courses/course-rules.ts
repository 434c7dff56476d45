import type { Input, Schemas } from '../../contract/contract.ts';
import { ApiError, invalidField } from '../../contract/errors.ts';
import { LEARNER_FAILURES } from '../learners/shared/pair-rules.ts';
import type { CourseFilter } from './course-repository.ts';

export type CourseFailureCode = Schemas['CourseFailureCode'];

/**
 * The message of each failure.
 * @param course what messages call the course
 * @param note is added to the message about a finished course
 */
export function failureMessages(course: string, note: string): Record<CourseFailureCode, string> {
  return {
    ...LEARNER_FAILURES,
    course_not_found: 'There is no such course.',
    course_retired: 'The course is retired.',
    not_enrolled: `The learner is not enrolled in ${course}.`,
    already_finished: `The learner has finished ${course}${note}.`,
  };
}

/** Turns query parameters into a filter. @throws invalid_request when they ask for gap analyses and exclude them */
export function courseFilter(query: Input<'listCourses'>): CourseFilter {
  const { type = 'all', source = 'all', excludeGapAnalysis = false, includeRetired = false } = query;
  if (excludeGapAnalysis && type === 'gap_analysis') {
    throw invalidField('query/excludeGapAnalysis', 'contradicts type=gap_analysis');
  }
  const only = excludeGapAnalysis ? 'training' : type;
  return { type: only === 'all' ? null : only, source: source === 'all' ? null : source, includeRetired };
}

/** @throws forbidden when the course is of the managed catalogue, naming the fields that would change */
export function requireOwn({ source }: Pick<Schemas['Course'], 'source'>, fields: readonly string[] = []): void {
  if (source === 'custom') return;
  const message = 'A course of the managed catalogue is changed by its operator alone.';
  throw new ApiError('forbidden', message, {
    details: fields.map((field) => ({ field: `body/${field}`, message })),
  });
}

/** Judges a change of a course. @throws forbidden when it is the operator's, invalid_request when it marks a retired one */
export function judgeCourseChange(
  course: Pick<Schemas['Course'], 'source' | 'retiredAt'>,
  { autoEnrol = false, ...changes }: Schemas['UpdateCourseInput'],
): void {
  const fields = Object.keys(changes);
  if (fields.length > 0) requireOwn(course, fields);
  if (autoEnrol && (changes.retired ?? course.retiredAt !== null)) {
    throw invalidField('body/autoEnrol', 'may not be true for a retired course');
  }
}
