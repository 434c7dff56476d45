import type { components } from '../../../generated/api-types.ts';
import type { RiskHistoryRow } from '../learners/risk-repository.ts';
import { riskScoreLevel } from '../learners/risk-rules.ts';
import type { LearningRow, LearningSummaryRow } from './learning-repository.ts';

type Schemas = components['schemas'];

export function toLearningSummary(row: LearningSummaryRow): Schemas['LearningReportSummary'] {
  return {
    learnerCount: row.learner_count,
    enrollmentCount: row.enrollment_count,
    startedCount: row.started_count,
    finishedCount: row.finished_count,
    passedCount: row.passed_count,
    averageScore: row.average_score,
  };
}

export function toLearningRow(row: LearningRow): Schemas['LearningReportRow'] {
  return {
    learnerId: row.learner_id,
    learnerName: `${row.first_name} ${row.last_name}`,
    learnerEmail: row.email,
    courseId: row.course_id,
    courseName: row.course_name,
    status: toStatus(row),
    enrollDate: row.enroll_date,
    startDate: row.start_date,
    finishDate: row.finish_date,
    score: row.score,
    grade: row.passed === null ? null : row.passed ? 'pass' : 'fail',
  };
}

function toStatus(row: LearningRow): Schemas['LearningStatus'] {
  if (row.finish_date !== null) return 'finished';
  return row.start_date === null ? 'not_started' : 'in_progress';
}

export function toRiskHistoryRow(row: RiskHistoryRow): Schemas['RiskScoreHistoryRow'] {
  return {
    date: row.date,
    averageScore: row.average_score,
    level: riskScoreLevel(row.average_score),
    learnerCount: row.low_count + row.moderate_count + row.high_count + row.critical_count,
    lowCount: row.low_count,
    moderateCount: row.moderate_count,
    highCount: row.high_count,
    criticalCount: row.critical_count,
  };
}
