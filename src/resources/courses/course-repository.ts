import type { Knex } from 'knex';
import { statement } from '../../db/knex-statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { notFound } from '../../errors.ts';

export interface CourseListRow {
  id: string;
  name: string;
  display_name: string;
  subject: string;
  difficulty: number;
  managed: boolean;
  type: 'training' | 'gap_analysis';
}

export interface CourseRow extends CourseListRow {
  description: string | null;
  duration_minutes: number | null;
  pass_mark: number;
  locales: string[];
  created_at: string;
  updated_at: string;
}

export interface CourseFilter {
  type: 'training' | 'gap_analysis' | null;
  source: 'managed' | 'custom' | null;
}

const LIST_COLUMNS = ['id', 'name', 'display_name', 'subject', 'difficulty', 'type'];
const MANAGED = 'owner_id = managed_catalogue()';

/** The courses that there are for a company: those of the catalogue and its own. */
function selectCourses(sql: Knex, companyId: Knex.Value): Knex.QueryBuilder {
  return sql('courses')
    .select(LIST_COLUMNS)
    .select(sql.raw(`${MANAGED} as managed`))
    .where(sql.raw(`(${MANAGED} or owner_id = ?)`, [companyId]));
}

const list = statement<CourseFilter, CourseListRow>('course_list', (sql, param) =>
  selectCourses(sql, param('companyId'))
    .where(sql.raw('(?::text is null or type = ?)', [param('type'), param('type')]))
    .where(sql.raw(`(?::text is null or (${MANAGED}) = (? = 'managed'))`, [param('source'), param('source')]))
    .orderBy('id'),
);

export function listCourses(tenant: TenantReader, filter: CourseFilter): Rows<CourseListRow> {
  return tenant.rows(list, filter);
}

const byId = statement<{ courseId: string }, CourseRow>('course_by_id', (sql, param) =>
  selectCourses(sql, param('companyId'))
    .select('description', 'duration_minutes', 'pass_mark', 'locales', 'created_at', 'updated_at')
    .where('id', param('courseId')),
);

/** @throws not_found */
export async function getCourse(tenant: TenantReader, courseId: string): Promise<CourseRow> {
  const row = await tenant.find(byId, { courseId });
  if (!row) throw notFound('course');
  return row;
}

const existing = statement<{ courseIds: string[] }, { id: string }>('course_existing', (sql, param) =>
  sql('courses')
    .select('id')
    .where(sql.raw(`(${MANAGED} or owner_id = ?)`, [param('companyId')]))
    .where(sql.raw('id = any(?::uuid[])', [param('courseIds')])),
);

/** Those of the ids that are courses for the company. */
export async function findCourseIds(tenant: TenantWriter, courseIds: string[]): Promise<Set<string>> {
  return new Set((await tenant.all(existing, { courseIds })).map((row) => row.id));
}

const gapAnalysis = statement<object, { id: string }>('course_gap_analysis', (sql) =>
  sql('courses')
    .select('id')
    .where(sql.raw(`${MANAGED} and type = 'gap_analysis'`)),
);

/** The id of the one gap analysis. @throws not_found when the catalogue has none. */
export async function getGapAnalysisId(tenant: TenantReader): Promise<string> {
  const row = await tenant.find(gapAnalysis, {});
  if (!row) throw notFound('gap analysis');
  return row.id;
}
