import type { Schemas } from '../../contract.ts';
import { isId } from '../../db/ids.ts';
import { sql } from '../../db/sql.ts';
import { statement } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';

type CourseKey = Schemas['CourseKey'];

// The catalogue has ids of its operator in the same column, which are no company's.
const byKeys = statement<{ courseIds: string[]; externalIds: string[] }, { id: string; externalId: string | null }>(
  'course_by_keys',
  (p) => sql`
    select id, null as "externalId" from courses
     where id = any(${p.courseIds}::uuid[]) and owner_id in (managed_catalogue(), ${p.companyId})
    union all
    select id, external_id from courses
     where owner_id = ${p.companyId} and external_id = any(${p.externalIds}::text[])`,
);

/** Finds the course of a key; undefined when the company has none. */
export type FindCourseId = (key: CourseKey) => string | undefined;

/** Looks up the courses of all keys at once: by id those of the catalogue and of the company, by `externalId` its own. */
export async function findCoursesByKeys(tenant: TenantWriter, keys: readonly CourseKey[]): Promise<FindCourseId> {
  const rows = await tenant.all(byKeys, {
    courseIds: [...new Set(keys.flatMap(({ id }) => (id !== undefined && isId(id) ? [id] : [])))],
    externalIds: [...new Set(keys.flatMap(({ externalId }) => externalId?.trim() ?? []))],
  });
  const ids = new Set(rows.map(({ id }) => id));
  const byExternalId = new Map(rows.map(({ id, externalId }) => [externalId, id]));
  return ({ id, externalId }) => {
    return id === undefined ? byExternalId.get(externalId!.trim()) : ids.has(id) ? id : undefined;
  };
}
