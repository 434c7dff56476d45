import type { Input, Schemas } from '../../contract.ts';
import { invalidField } from '../../errors.ts';
import { LEARNER_FAILURES } from '../people/pair-rules.ts';
import type { CourseFilter } from './course-repository.ts';

export type CourseFailureCode = Schemas['CourseFailureCode'];

/**
 * Why a pair was left as it is, in words.
 * @param course how the answer calls the course
 * @param note stands after the sentence about a finished course
 */
export function failureMessages(course: string, note: string): Record<CourseFailureCode, string> {
  return {
    ...LEARNER_FAILURES,
    course_not_found: 'There is no such course.',
    not_enrolled: `The learner is not enrolled in ${course}.`,
    already_finished: `The learner has finished ${course}${note}.`,
  };
}

/**
 * The filter that the parameters of a list mean together.
 * @throws invalid_request when they ask for gap analyses and for none.
 */
export function courseFilter(query: Input<'listCourses'>): CourseFilter {
  const { type = 'all', source = 'all', excludeGapAnalysis = false } = query;
  if (excludeGapAnalysis && type === 'gap_analysis') {
    throw invalidField('query/excludeGapAnalysis', 'contradicts type=gap_analysis');
  }
  const only = excludeGapAnalysis ? 'training' : type;
  return { type: only === 'all' ? null : only, source: source === 'all' ? null : source };
}
