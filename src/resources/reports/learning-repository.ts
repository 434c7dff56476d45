import type { Knex } from 'knex';
import type { components } from '../../../generated/api-types.ts';
import { type Parameter, statement } from '../../db/knex-statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { selectRecipientIds } from '../simulations/recipient-repository.ts';

type Schemas = components['schemas'];

export interface LearningFilter {
  learnerId: string | null;
  courseId: string | null;
  status: Schemas['LearningStatusFilter'] | null;
  /** Learners who did one thing in a simulation: both or neither. */
  simulationId: string | null;
  outcome: Schemas['SimulationOutcome'] | null;
}

export interface LearningRow {
  learner_id: string;
  first_name: string;
  last_name: string;
  email: string;
  course_id: string;
  course_name: string;
  enroll_date: string;
  start_date: string | null;
  finish_date: string | null;
  score: number | null;
  passed: boolean | null;
}

export interface LearningSummaryRow {
  learner_count: number;
  enrollment_count: number;
  started_count: number;
  finished_count: number;
  passed_count: number;
  average_score: number | null;
}

const HAS_STATUS = `case ?::text when 'not_started' then e.start_date is null
  when 'in_progress' then e.start_date is not null and e.finish_date is null
  when 'finished' then e.finish_date is not null when 'unfinished' then e.finish_date is null else true end`;

/** Active learners and training courses, unless another learner or course is asked for. */
function enrollmentsOf(sql: Knex, param: Parameter<LearningFilter>, shape: Shape): Knex.QueryBuilder {
  const enrollments = sql('enrollments as e')
    .join('learners as l', { 'l.company_id': 'e.company_id', 'l.id': 'e.learner_id' })
    .join('courses as c', { 'c.owner_id': 'e.course_owner_id', 'c.id': 'e.course_id' })
    .where('e.company_id', param('companyId'))
    .where(sql.raw(HAS_STATUS, [param('status')]));
  if (shape.learner) enrollments.where('e.learner_id', param('learnerId'));
  else enrollments.where(sql.raw('not l.inactive'));
  if (shape.course) enrollments.where('e.course_id', param('courseId'));
  else enrollments.where(sql.raw(`c.type = 'training'`));
  // An array, as a join may be planned as a search of all recipients for each enrolment while little is known of either.
  if (shape.simulation) enrollments.where(sql.raw('e.learner_id = any(array(?))', [selectRecipientIds(sql, param)]));
  return enrollments;
}

/** Which filters with an index are set. Each shape is a statement of its own, so that each can use its index. */
interface Shape {
  learner: boolean;
  course: boolean;
  simulation: boolean;
}

const either = [false, true];
const SHAPES = either.flatMap((learner) =>
  either.flatMap((course) => either.map((simulation): Shape => ({ learner, course, simulation }))),
);

function shapeOf({ learnerId, courseId, simulationId }: LearningFilter): Shape {
  return { learner: learnerId !== null, course: courseId !== null, simulation: simulationId !== null };
}

function nameOf(shape: Shape): string {
  const set = Object.entries(shape).flatMap(([filter, isSet]) => (isSet ? [filter] : []));
  return set.join('_') || 'all';
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
  return tenant.rows(rows[nameOf(shapeOf(filter))]!, filter);
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
  return (await tenant.find(summaries[nameOf(shapeOf(filter))]!, filter))!;
}

function statementsByShape<T>(build: (name: string, shape: Shape) => T): Record<string, T> {
  return Object.fromEntries(SHAPES.map((shape) => [nameOf(shape), build(nameOf(shape), shape)]));
}
