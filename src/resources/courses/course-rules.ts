import type { Input, Schemas } from '../../contract.ts';
import { invalidField } from '../../errors.ts';
import { LEARNER_FAILURES } from '../people/pair-rules.ts';
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
    not_enrolled: `The learner is not enrolled in ${course}.`,
    already_finished: `The learner has finished ${course}${note}.`,
  };
}

/** Turns query parameters into a filter. @throws invalid_request when they ask for gap analyses and exclude them */
export function courseFilter(query: Input<'listCourses'>): CourseFilter {
  const { type = 'all', source = 'all', excludeGapAnalysis = false } = query;
  if (excludeGapAnalysis && type === 'gap_analysis') {
    throw invalidField('query/excludeGapAnalysis', 'contradicts type=gap_analysis');
  }
  const only = excludeGapAnalysis ? 'training' : type;
  return { type: only === 'all' ? null : only, source: source === 'all' ? null : source };
}
