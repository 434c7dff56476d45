import type { Schemas } from '../../contract/contract.ts';
import { BY_ID } from '../../db/keyset.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { pointQuery, pagedQuery, type Parameters, query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';
import { selectInactiveEnrollments, SUMS } from '../../db/running-totals.ts';
import type { CourseNames } from './course-names.ts';

export interface CourseFilter {
  type: Schemas['CourseType'] | null;
  source: Schemas['CourseSource'] | null;
  includeRetired: boolean;
}

const IS_MANAGED = sql`owner_id = managed_catalogue()`;
const listItem = (p: Parameters<object>): Sql => sql`
  id, case when not (${IS_MANAGED}) then external_id end as "externalId", name, display_name as "displayName", array(
    select json_build_object('locale', l.key, 'name', l.value) from jsonb_each_text(localized_names) as l order by l.key
  ) as "localizedNames", subject, difficulty,
  case when ${IS_MANAGED} then 'managed' else 'custom' end as source, type,
  retired_at is null and exists (
    select from auto_enrolled_courses a
     where a.company_id = ${p.companyId} and a.course_id = courses.id) as "autoEnrol", retired_at as "retiredAt"`;

/** Builds the condition that a course belongs to the catalogue or to the company, and has not been removed. */
export function isOfCompany(p: Parameters<object>): Sql {
  return sql`(${IS_MANAGED} or owner_id = ${p.companyId}) and removed_at is null`;
}

export const listCourses = pagedQuery<CourseFilter, Schemas['CourseListItem']>(
  'course_list',
  BY_ID,
  (p) => sql`
    select ${listItem(p)} from courses
     where ${isOfCompany(p)} and (${p.type}::text is null or type = ${p.type})
       and (${p.source}::text is null or (${IS_MANAGED}) = (${p.source} = 'managed'))
       and (${p.includeRetired} or retired_at is null)`,
);

interface ReportFilter extends Pick<CourseFilter, 'source' | 'includeRetired'> {
  courseId: string | null;
  nameContains: string | null;
}

// The list has the order of the key of `courses`, so that Postgres sums up only the courses of the page.
export const courseFigures = pagedQuery<ReportFilter, Schemas['CourseFigures']>(
  'course_figures',
  { courseId: 'uuid desc' },
  (p) => sql`
    select c.id as "courseId", c.display_name as name, c.subject,
           case when c.owner_id = managed_catalogue() then 'managed' else 'custom' end as source, c.type,
           c.retired_at as "retiredAt",
           (f.assigned - coalesce(i.assigned, 0))::integer as "enrollmentCount",
           (f.started - coalesce(i.started, 0))::integer as "startedCount",
           (f.completed - coalesce(i.completed, 0))::integer as "finishedCount",
           (f.passed - coalesce(i.passed, 0))::integer as "passedCount"
      from courses c
     cross join lateral (
       select ${SUMS} from running_totals k where k.company_id = ${p.companyId} and k.subject_id = c.id) as f
      left join ${selectInactiveEnrollments(p)} as i on i.course_id = c.id
     where (c.owner_id = managed_catalogue() or c.owner_id = ${p.companyId}) and c.removed_at is null
       and (${p.courseId}::uuid is null or c.id = ${p.courseId})
       and (${p.source}::text is null or (c.owner_id = managed_catalogue()) = (${p.source} = 'managed'))
       and (${p.includeRetired} or c.retired_at is null)
       and (${p.nameContains}::text is null or position(profile_key(${p.nameContains}) in profile_key(c.display_name)) > 0)`,
  { courseId: null, source: null, nameContains: null },
);

const byId = pointQuery<{ courseId: string }, Schemas['Course']>(
  'course_by_id',
  (p) => sql`
    select ${listItem(p)}, description, duration_minutes as "durationMinutes", pass_mark as "passMark",
           valid_for_months as "validForMonths", locales,
           created_at as "createdAt", updated_at as "updatedAt"
      from courses where ${isOfCompany(p)} and id = ${p.courseId}`,
);

/** @throws not_found */
export async function getCourse(tenant: TenantReader, courseId: string): Promise<Schemas['Course']> {
  return requireFound(await tenant.queryOne(byId, { courseId }), 'course');
}

const names = query<{ courseIds: string[] }, CourseNames & { id: string }>(
  'course_names',
  (p) => sql`
    select id, display_name as "displayName", localized_names as "localizedNames"
      from courses where ${isOfCompany(p)} and id = any(${p.courseIds}::uuid[])`,
);

/** Returns the names of courses by id. Leaves out courses that the company does not have. */
export async function findCourseNames(tenant: TenantReader, courseIds: string[]): Promise<Map<string, CourseNames>> {
  return new Map((await tenant.queryAll(names, { courseIds })).map((course) => [course.id, course]));
}

const gapAnalysis = pointQuery<object, { id: string }>(
  'course_gap_analysis',
  () => sql`select id from courses where ${IS_MANAGED} and type = 'gap_analysis'`,
);

/** Returns the id of the catalogue's only gap analysis. @throws not_found if the catalogue has none */
export async function getGapAnalysisId(tenant: TenantReader): Promise<string> {
  return requireFound(await tenant.queryOne(gapAnalysis, {}), 'gap analysis').id;
}
