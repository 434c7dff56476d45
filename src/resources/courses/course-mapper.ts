import type { components } from '../../../generated/api-types.ts';
import type { CourseListRow, CourseRow } from './course-repository.ts';

type Schemas = components['schemas'];

export function toCourseListItem(row: CourseListRow): Schemas['CourseListItem'] {
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    subject: row.subject,
    difficulty: row.difficulty,
    source: row.managed ? 'managed' : 'custom',
    type: row.type,
  };
}

export function toCourse(row: CourseRow): Schemas['Course'] {
  return {
    ...toCourseListItem(row),
    description: row.description,
    durationMinutes: row.duration_minutes,
    passMark: row.pass_mark,
    locales: row.locales,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toLearnerId({ learnerId }: Schemas['LearnerCourse']): string {
  return learnerId;
}

/** A failed pair of the gap analysis, whose course goes without saying. */
export function toGapAnalysisFailure(failure: Schemas['LearnerCourseFailure']): Schemas['GapAnalysisFailure'] {
  return { learnerId: failure.learnerId, code: failure.code, message: failure.message };
}
