import type { Knex } from 'knex';
import { statement } from '../../db/knex-statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader } from '../../db/tenant.ts';

export type CourseType = 'training' | 'gap_analysis';

export interface ResultRow {
  learner_id: string;
  course_id: string;
  enroll_date: string;
  start_date: string | null;
  finish_date: string | null;
  score: number | null;
  passed: boolean | null;
  course_name: string;
  difficulty: number;
}

export interface ResultWithLearnerRow extends ResultRow {
  first_name: string;
  last_name: string;
  email: string;
  external_learner_id: string | null;
}

function selectResults(sql: Knex): Knex.QueryBuilder {
  return sql('enrollments as e')
    .join('courses as c', { 'c.owner_id': 'e.course_owner_id', 'c.id': 'e.course_id' })
    .select('e.learner_id', 'e.course_id', 'e.enroll_date', 'e.start_date', 'e.finish_date', 'e.score', 'e.passed')
    .select('c.name as course_name', 'c.difficulty');
}

const ofLearner = statement<{ learnerId: string; type: CourseType }, ResultRow>('result_of_learner', (sql, param) =>
  selectResults(sql)
    .where({ 'e.company_id': param('companyId'), 'e.learner_id': param('learnerId'), 'c.type': param('type') })
    .orderBy(['e.enroll_date', 'e.course_id']),
);

/** The enrolments of a learner in courses of a type, eldest first. */
export function listResultsOfLearner(tenant: TenantReader, learnerId: string, type: CourseType): Rows<ResultRow> {
  return tenant.rows(ofLearner, { learnerId, type });
}

const ofActive = statement<{ type: CourseType }, ResultWithLearnerRow>('result_of_active', (sql, param) =>
  selectResults(sql)
    .join('learners as l', { 'l.company_id': 'e.company_id', 'l.id': 'e.learner_id' })
    .select('l.first_name', 'l.last_name', 'l.email', 'l.external_learner_id')
    .where({ 'e.company_id': param('companyId'), 'c.type': param('type'), 'l.inactive': sql.raw('false') })
    .orderBy(['e.learner_id', 'e.course_id']),
);

/** The enrolments of all active learners in courses of a type, by learner and course. */
export function listResults(tenant: TenantReader, type: CourseType): Rows<ResultWithLearnerRow> {
  return tenant.rows(ofActive, { type });
}
