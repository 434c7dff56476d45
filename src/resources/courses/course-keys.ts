import type { Schemas } from '../../contract/contract.ts';
import { isId } from '../../db/ids.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { mutation, type Parameters, query } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { isOfCompany } from './course-repository.ts';

type CourseKey = Schemas['CourseKey'];

interface CourseKeys {
  courseIds: string[];
  externalIds: string[];
}

// Uses advisory locks instead of row locks: on Citus, two calls that lock rows of a reference table can deadlock.
const courseLockSql = (p: Parameters<object>): Sql => sql`hashtextextended('courses of ' || ${p.companyId}::text, 0)`;
const keep = mutation<object>('course_keep', (p) => sql`select from pg_advisory_xact_lock_shared(${courseLockSql(p)})`);
const beginRemoval = mutation<object>(
  'course_begin_removal',
  (p) => sql`select from pg_advisory_xact_lock(${courseLockSql(p)})`,
);

/** Waits for calls that refer to courses of the company, and blocks new ones until the transaction ends. */
export async function lockForRemoval(tenant: TenantWriter): Promise<void> {
  await tenant.mutate(beginRemoval, {});
}

// Catalogue courses have external ids of the operator, so they match no key of a company.
const byKeys = query<CourseKeys, { id: string; externalId: string | null; isRetired: boolean }>(
  'course_by_keys',
  (p) => sql`
    select id, case when owner_id = ${p.companyId} then external_id end as "externalId",
           retired_at is not null as "isRetired"
      from courses
     where ${isOfCompany(p)}
       and (id = any(${p.courseIds}::uuid[])
            or (owner_id = ${p.companyId} and external_id = any(${p.externalIds}::text[])))`,
);

/** Finds courses of the company. No course of the company can be removed until the transaction ends. */
async function find(tenant: TenantWriter, keys: CourseKeys) {
  await tenant.mutate(keep, {});
  return tenant.queryAll(byKeys, keys);
}

/** Returns the given ids that belong to courses of the company, and whether each course is retired. */
export async function findCourses(tenant: TenantWriter, courseIds: string[]): Promise<Map<string, boolean>> {
  const rows = await find(tenant, { courseIds, externalIds: [] });
  return new Map(rows.map(({ id, isRetired }) => [id, isRetired]));
}

/** Returns the id of a key's course; undefined if the company does not have the course. */
export type FindCourseId = (key: CourseKey) => string | undefined;

/**
 * Looks up all keys at once: ids in the catalogue and the company's courses, external ids only in the company's
 * courses.
 */
export async function findCoursesByKeys(tenant: TenantWriter, keys: readonly CourseKey[]): Promise<FindCourseId> {
  const requestedIds = new Set(keys.flatMap(({ id }) => (id !== undefined && isId(id) ? [id] : [])));
  const rows = await find(tenant, {
    courseIds: [...requestedIds],
    externalIds: [...new Set(keys.flatMap(({ externalId }) => externalId?.trim() ?? []))],
  });
  const ids = new Set(rows.map(({ id }) => id));
  tenant.addTargets(
    'courseId',
    [...ids].filter((id) => !requestedIds.has(id)),
  );
  const byExternalId = new Map(rows.map(({ id, externalId }) => [externalId, id]));
  return ({ id, externalId }) => {
    return id === undefined ? byExternalId.get(externalId!.trim()) : ids.has(id) ? id : undefined;
  };
}
