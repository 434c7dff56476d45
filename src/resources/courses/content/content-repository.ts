import { v7 as uuidv7 } from 'uuid';
import { ApiError } from '../../../contract/errors.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, pointQuery, query } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import type { AuthoredCourse } from '../authored/course.ts';
import { getCourseText } from '../authored/course-library.ts';
import { getBaseLanguage } from '../authored/course.ts';
import type { CourseFile } from '../authored/own-course-files.ts';

export const MAX_CONTENT_BYTES = 50 * 1024 ** 2;

interface OfCourse {
  courseId: string;
}

export type ContentState = 'draft' | 'published';

/** A stored draft or published content, without its files. */
export interface StoredState {
  state: ContentState;
  revision: string;
  savedAt: string;
  version: number | null;
  publishedAt: string | null;
}

const states = query<OfCourse, StoredState>(
  'course_content_states',
  (p) => sql`
    select state, revision, saved_at as "savedAt", version, published_at as "publishedAt"
      from course_contents where company_id = ${p.companyId} and course_id = ${p.courseId}`,
);

/** Returns the states of a course's content: those of a draft, of published content, of both or of neither. */
export async function findStates(
  tenant: TenantReader,
  courseId: string,
): Promise<Partial<Record<ContentState, StoredState>>> {
  const rows = await tenant.queryAll(states, { courseId });
  return Object.fromEntries(rows.map((row) => [row.state, row]));
}

const revision = pointQuery<OfCourse, { revision: string }>(
  'course_content_revision',
  (p) => sql`
    select revision from course_contents
     where company_id = ${p.companyId} and course_id = ${p.courseId} and state = 'published'`,
);

/** Returns the revision of the content that learners see; undefined if there is none. */
export async function findRevision(tenant: TenantReader, courseId: string): Promise<string | undefined> {
  return (await tenant.queryOne(revision, { courseId }))?.revision;
}

const files = pointQuery<OfCourse & { state: ContentState }, { files: Record<string, string> }>(
  'course_content_files',
  (p) => sql`
    select files from course_contents
     where company_id = ${p.companyId} and course_id = ${p.courseId} and state = ${p.state}`,
);

/** Returns the files of a draft or of published content, starting with the manifest; undefined if there are none. */
export async function findFiles(
  tenant: TenantReader,
  courseId: string,
  state: ContentState,
): Promise<CourseFile[] | undefined> {
  const row = await tenant.queryOne(files, { courseId, state });
  return row && toFileList(Object.entries(row.files));
}

/** Sorts files: first the manifest, then the lessons and the questions. */
export function toFileList(entries: readonly (readonly [string, string])[]): CourseFile[] {
  const order = (path: string) => {
    return path === 'course.yaml' ? '0' : path.endsWith('.md') ? `1${path}` : `2${path}`;
  };
  return entries
    .map(([path, text]) => ({ path, text }))
    .toSorted((one, other) => (order(one.path) < order(other.path) ? -1 : 1));
}

// Serialises the saves of a company, so that `MAX_CONTENT_BYTES` holds. The lock is a separate statement, because only
// a later statement sees what the previous save has stored.
const lockContents = mutation(
  'course_content_lock',
  (p) => sql`
    select case when pg_advisory_xact_lock(hashtextextended('course contents of ' || id, 0)) is null then id end
      from companies where id = ${p.companyId}`,
);

const storedBytes = query<OfCourse, { bytes: number }>(
  'course_content_bytes',
  (p) => sql`
    select coalesce(sum(size_bytes), 0)::double precision as bytes from course_contents
     where company_id = ${p.companyId} and not (course_id = ${p.courseId} and state = 'draft')`,
);

const save = mutation<OfCourse & { revision: string; files: string; sizeBytes: number }>(
  'course_content_save',
  (p) => sql`
    insert into course_contents (company_id, course_id, state, revision, files, size_bytes, saved_at)
    values (${p.companyId}, ${p.courseId}, 'draft', ${p.revision}, ${p.files}, ${p.sizeBytes}, now())
    on conflict (company_id, course_id, state) do update
       set revision = excluded.revision, files = excluded.files, size_bytes = excluded.size_bytes,
           saved_at = excluded.saved_at`,
  { files: '{}' },
);

/**
 * Saves a draft. The caller has locked the course.
 * @throws payload_too_large if the company's content would exceed its limit
 */
export async function saveDraft(tenant: TenantWriter, courseId: string, list: readonly CourseFile[]): Promise<void> {
  const text = JSON.stringify(Object.fromEntries(list.map((file) => [file.path, file.text])));
  const sizeBytes = Buffer.byteLength(text);
  await tenant.mutate(lockContents, {});
  const { bytes } = (await tenant.queryOne(storedBytes, { courseId }))!;
  if (bytes + sizeBytes > MAX_CONTENT_BYTES) {
    const message =
      'The contents of the company’s own courses would exceed 50 MiB; delete a course or discard a draft.';
    throw new ApiError('payload_too_large', message);
  }
  await tenant.mutate(save, { courseId, revision: uuidv7(), files: text, sizeBytes });
}

const publish = mutation<OfCourse>(
  'course_content_publish',
  (p) => sql`
    insert into course_contents (company_id, course_id, state, revision, files, size_bytes, saved_at, version,
                                 published_at)
    select t.company_id, t.course_id, 'published', t.revision, t.files, t.size_bytes, t.saved_at, 1, now()
      from course_contents t
     where t.company_id = ${p.companyId} and t.course_id = ${p.courseId} and t.state = 'draft'
    on conflict (company_id, course_id, state) do update
       set revision = excluded.revision, files = excluded.files, size_bytes = excluded.size_bytes,
           saved_at = excluded.saved_at, version = course_contents.version + 1, published_at = excluded.published_at`,
);

const describe = mutation<
  OfCourse & {
    displayName: string;
    localizedNames: string;
    description: string;
    minutes: number;
    passMark: number;
    locales: string[];
  }
>(
  'course_content_describe',
  (p) => sql`
    update courses
       set display_name = ${p.displayName}, localized_names = ${p.localizedNames}, description = ${p.description},
           duration_minutes = ${p.minutes}, pass_mark = ${p.passMark}, locales = ${p.locales}, updated_at = now()
     where owner_id = ${p.companyId} and id = ${p.courseId}`,
  { localizedNames: '{}' },
);

/** Publishes the draft of a locked course, and takes the course's description from the manifest. */
export async function publishDraft(tenant: TenantWriter, courseId: string, course: AuthoredCourse): Promise<void> {
  const { name, summary } = getCourseText(course, getBaseLanguage(course.languages));
  await tenant.mutate(publish, { courseId });
  await tenant.mutate(discard, { courseId, state: 'draft' });
  await tenant.mutate(describe, {
    ...{ courseId, displayName: name, description: summary, minutes: course.minutes, passMark: course.passMark },
    localizedNames: JSON.stringify(Object.fromEntries([...course.texts].map(([one, text]) => [one, text.name]))),
    locales: [...course.languages],
  });
}

const discard = mutation<OfCourse & { state: ContentState }, { revision: string }>(
  'course_content_discard',
  (p, knex) =>
    knex('course_contents')
      .where({ company_id: p.companyId, course_id: p.courseId, state: p.state })
      .delete()
      .returning('revision'),
);

/** Discards a draft. Returns false if the course has none. */
export async function discardDraft(tenant: TenantWriter, courseId: string): Promise<boolean> {
  return (await tenant.mutate(discard, { courseId, state: 'draft' })).length > 0;
}

/** Deletes the draft and the published content of a course without learners. */
export async function deleteContents(tenant: TenantWriter, courseId: string): Promise<void> {
  await tenant.mutate(discard, { courseId, state: 'draft' });
  await tenant.mutate(discard, { courseId, state: 'published' });
}
