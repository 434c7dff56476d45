import type { components } from '../../../generated/api-types.ts';
import type { ResultRow, ResultWithLearnerRow } from './result-repository.ts';

type Schemas = components['schemas'];
type Progress = Pick<ResultRow, 'enroll_date' | 'start_date' | 'finish_date' | 'score' | 'passed'>;

export function toProgress(row: Progress): Omit<Schemas['ParticipationCourseResult'], 'courseId'> {
  return {
    enrollDate: row.enroll_date,
    startDate: row.start_date,
    finishDate: row.finish_date,
    score: row.score,
    grade: toGrade(row.passed),
  };
}

function toGrade(passed: boolean | null): Schemas['ParticipationCourseResult']['grade'] {
  if (passed === null) return null;
  return passed ? 'pass' : 'fail';
}

/** A result in a training course or in the gap analysis: they have one shape. */
export function toResult(row: ResultRow): Schemas['CourseResult'] & Schemas['GapAnalysisResult'] {
  return {
    learnerId: row.learner_id,
    courseId: row.course_id,
    ...toProgress(row),
    course: { id: row.course_id, name: row.course_name, difficulty: row.difficulty },
  };
}

export function toResultWithLearner(
  row: ResultWithLearnerRow,
): Schemas['CourseResultWithLearner'] & Schemas['GapAnalysisResultWithLearner'] {
  return {
    ...toResult(row),
    learner: {
      id: row.learner_id,
      name: `${row.first_name} ${row.last_name}`,
      email: row.email,
      externalLearnerId: row.external_learner_id,
    },
  };
}
