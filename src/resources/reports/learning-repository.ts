import type { Knex } from 'knex';
import { type Parameter, statement } from '../../db/statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader } from '../../db/tenant.ts';
import type { ResultWithLearnerRow } from '../courses/result-repository.ts';

export interface LearningFilter {
  learnerId: string | null;
  courseId: string | null;
}

export type LearningRow = Omit<ResultWithLearnerRow, 'difficulty' | 'external_learner_id'>;

export interface LearningSummaryRow {
  learner_count: number;
  enrollment_count: number;
  started_count: number;
  finished_count: number;
  passed_count: number;
  average_score: number | null;
}

/** Active learners and training courses, unless another learner or course is asked for. */
function enrollmentsOf(sql: Knex, param: Parameter<LearningFilter>, shape: Shape): Knex.QueryBuilder {
  const enrollments = sql('enrollments as e')
    .join('learners as l', { 'l.company_id': 'e.company_id', 'l.id': 'e.learner_id' })
    .join('courses as c', { 'c.owner_id': 'e.course_owner_id', 'c.id': 'e.course_id' })
    .where('e.company_id', param('companyId'));
  if (shape.learner) enrollments.where('e.learner_id', param('learnerId'));
  else enrollments.where(sql.raw('not l.inactive'));
  if (shape.course) enrollments.where('e.course_id', param('courseId'));
  else enrollments.where(sql.raw(`c.type = 'training'`));
  return enrollments;
}

/** Which filters are set. Each shape is a statement of its own, so that each can use its index. */
interface Shape {
  learner: boolean;
  course: boolean;
}
const SHAPES: Record<string, Shape> = {
  all: { learner: false, course: false },
  learner: { learner: true, course: false },
  course: { learner: false, course: true },
  pair: { learner: true, course: true },
};

function shapeOf({ learnerId, courseId }: LearningFilter): string {
  if (learnerId === null) return courseId === null ? 'all' : 'course';
  return courseId === null ? 'learner' : 'pair';
}

const rows = statementsByShape((name, shape) =>
  statement<LearningFilter, LearningRow>(`learning_rows_${name}`, (sql, param) =>
    enrollmentsOf(sql, param, shape)
      .select('e.learner_id', 'l.first_name', 'l.last_name', 'l.email', 'e.course_id', 'c.name as course_name')
      .select('e.enroll_date', 'e.start_date', 'e.finish_date', 'e.score', 'e.passed')
      .orderBy(['e.learner_id', 'e.course_id']),
  ),
);

export function listLearningRows(tenant: TenantReader, filter: LearningFilter): Rows<LearningRow> {
  return tenant.rows(rows[shapeOf(filter)]!, filter);
}

const summaries = statementsByShape((name, shape) =>
  statement<LearningFilter, LearningSummaryRow>(`learning_summary_${name}`, (sql, param) =>
    enrollmentsOf(sql, param, shape).select(
      sql.raw('count(distinct e.learner_id)::integer as learner_count'),
      sql.raw('count(*)::integer as enrollment_count'),
      sql.raw('count(e.start_date)::integer as started_count'),
      sql.raw('count(e.finish_date)::integer as finished_count'),
      sql.raw('(count(*) filter (where e.passed))::integer as passed_count'),
      sql.raw('round(avg(e.score), 2) as average_score'),
    ),
  ),
);

/** Totals over the rows. */
export async function getLearningSummary(tenant: TenantReader, filter: LearningFilter): Promise<LearningSummaryRow> {
  return (await tenant.find(summaries[shapeOf(filter)]!, filter))!;
}

function statementsByShape<T>(build: (name: string, shape: Shape) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(SHAPES).map(([name, shape]) => [name, build(name, shape)]));
}
