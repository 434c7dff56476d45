import type { components } from '../../../generated/api-types.ts';
import { invalidField } from '../../errors.ts';
import type { Judge } from '../people/learner-pairs.ts';
import type { CourseFilter } from './course-repository.ts';

export type CourseFailureCode = components['schemas']['CourseFailureCode'];

/** Why a pair was left as it is, in words. */
export function failureMessages(course: string, { resultIsKept = false } = {}): Record<CourseFailureCode, string> {
  return {
    learner_not_found: 'There is no such learner.',
    course_not_found: 'There is no such course.',
    learner_inactive: 'The learner is inactive.',
    not_enrolled: `The learner is not enrolled in ${course}.`,
    already_finished: `The learner has finished ${course}${resultIsKept ? '; the result is kept' : ''}.`,
  };
}

/** What is known of the learners and courses of a call. */
export interface PairFacts {
  /** Of each learner that the company has, whether they are inactive. */
  inactive: ReadonlyMap<string, boolean>;
  courseIds: ReadonlySet<string>;
}

/** Of each learner with an enrolment among those asked for, the ids of the courses by how far they are. */
export type Enrollments = ReadonlyMap<string, { open: ReadonlySet<string>; finished: ReadonlySet<string> }>;

function unknown(
  { inactive, courseIds }: PairFacts,
  learnerId: string,
  courseId: string,
): CourseFailureCode | undefined {
  if (!inactive.has(learnerId)) return 'learner_not_found';
  return courseIds.has(courseId) ? undefined : 'course_not_found';
}

/** Every pair of an active learner and a course is enrolled, unless it was before. */
export function judgeEnrollment(facts: PairFacts): Judge<CourseFailureCode> {
  return (learnerId, courseId) =>
    unknown(facts, learnerId, courseId) ?? (facts.inactive.get(learnerId) ? 'learner_inactive' : undefined);
}

/** Who is reminded has begun nothing or not finished, now or within the last hour. */
export function judgeReminder(facts: PairFacts, enrollments: Enrollments): Judge<CourseFailureCode> {
  return (learnerId, courseId) => {
    const enrolled = enrollments.get(learnerId);
    const failure =
      unknown(facts, learnerId, courseId) ?? (facts.inactive.get(learnerId) ? 'learner_inactive' : undefined);
    if (failure || enrolled?.open.has(courseId)) return failure;
    return enrolled?.finished.has(courseId) ? 'already_finished' : 'not_enrolled';
  };
}

/** What was open is removed; what is finished stays. */
export function judgeRemoval(
  facts: PairFacts,
  removed: ReadonlyMap<string, ReadonlySet<string>>,
  enrollments: Enrollments,
): Judge<CourseFailureCode> {
  return (learnerId, courseId) => {
    const failure = unknown(facts, learnerId, courseId);
    if (failure || removed.get(learnerId)?.has(courseId)) return failure;
    return enrollments.get(learnerId)?.finished.has(courseId) ? 'already_finished' : 'not_enrolled';
  };
}

/**
 * The filter that the parameters of a list mean together.
 * @throws invalid_request when they ask for gap analyses and for none.
 */
export function courseFilter(query: {
  type?: 'all' | 'training' | 'gap_analysis';
  source?: 'all' | 'managed' | 'custom';
  excludeGapAnalysis?: boolean;
}): CourseFilter {
  const { type = 'all', source = 'all', excludeGapAnalysis = false } = query;
  if (excludeGapAnalysis && type === 'gap_analysis') {
    throw invalidField('query/excludeGapAnalysis', 'contradicts type=gap_analysis');
  }
  const only = excludeGapAnalysis ? 'training' : type;
  return { type: only === 'all' ? null : only, source: source === 'all' ? null : source };
}
