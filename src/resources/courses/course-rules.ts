import type { Input, Schemas } from '../../contract/contract.ts';
import { ApiError, invalidField } from '../../contract/errors.ts';
import { LEARNER_FAILURES } from '../learners/shared/pair-rules.ts';
import type { CourseFilter } from './course-repository.ts';

export type CourseFailureCode = Schemas['CourseFailureCode'];

/**
 * Returns the message of each failure.
 * @param course noun phrase for the course
 * @param note text appended to the message about a finished course
 */
export function failureMessages(course: string, note: string): Record<CourseFailureCode, string> {
  return {
    ...LEARNER_FAILURES,
    course_not_found: 'Course not found.',
    course_retired: 'The course is retired.',
    not_enrolled: `The learner is not enrolled in ${course}.`,
    already_finished: `The learner has already finished ${course}${note}.`,
  };
}

/**
 * Converts query parameters to a filter.
 * @throws invalid_request if the parameters both request and exclude gap analyses
 */
export function courseFilter(query: Input<'listCourses'>): CourseFilter {
  const { type = 'all', source = 'all', excludeGapAnalysis = false, includeRetired = false } = query;
  if (excludeGapAnalysis && type === 'gap_analysis') {
    throw invalidField('query/excludeGapAnalysis', 'cannot be true for the type `gap_analysis`');
  }
  const only = excludeGapAnalysis ? 'training' : type;
  return { type: only === 'all' ? null : only, source: source === 'all' ? null : source, includeRetired };
}

/** @throws forbidden for a course of the managed catalogue, naming the changed fields */
export function requireOwn({ source }: Pick<Schemas['Course'], 'source'>, fields: readonly string[] = []): void {
  if (source === 'custom') return;
  const message = 'Only the operator can change a course of the managed catalogue.';
  throw new ApiError('forbidden', message, {
    details: fields.map((field) => ({ field: `body/${field}`, message })),
  });
}

/** @throws forbidden for a catalogue course, invalid_request if a retired course would enrol new learners */
export function judgeCourseChange(
  course: Pick<Schemas['Course'], 'source' | 'retiredAt'>,
  { autoEnrol = false, ...changes }: Schemas['UpdateCourseInput'],
): void {
  const fields = Object.keys(changes);
  if (fields.length > 0) requireOwn(course, fields);
  if (autoEnrol && (changes.retired ?? course.retiredAt !== null)) {
    throw invalidField('body/autoEnrol', 'must be false for a retired course');
  }
}
