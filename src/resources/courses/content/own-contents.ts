import { hash } from 'node:crypto';
import type { TenantReader } from '../../../db/tenant.ts';
import { runInThread } from '../../../limits/run-in-thread.ts';
import type { AuthoredCourse } from '../authored/course.ts';
import type { CourseFile, ReadOwnCourse } from '../authored/own-course-files.ts';
import { type ContentState, findFiles, findRevision } from './content-repository.ts';

/** Number of companies' own courses that a process keeps in memory. Each can take a few MiB. */
const MAX_COURSES = 30;
const PROGRAM = new URL('../authored/own-course-thread.ts', import.meta.url);
/**
 * Maximum total length, in characters, of files that are read on the event loop. Longer files can be crafted to take
 * seconds, and are read in a thread.
 */
const MAX_INLINE = 8_000;

/** Courses by the content or revision that they were read from. The least recently used course is evicted first. */
const courses = new Map<string, Promise<ReadOwnCourse>>();

/** Reads files with the checks for authored courses. Reads the same files only once. */
export function readOwnContent(courseId: string, files: readonly CourseFile[]): Promise<ReadOwnCourse> {
  return cached(hash('sha256', JSON.stringify([courseId, files]), 'base64url'), () => read(courseId, files));
}

async function read(courseId: string, files: readonly CourseFile[]): Promise<ReadOwnCourse> {
  const length = files.reduce((sum, { text }) => sum + text.length, 0);
  if (length > MAX_INLINE) return runInThread<ReadOwnCourse>(PROGRAM, { courseId, files });
  // Loaded lazily, because the module renders Markdown, which most processes never do.
  const { readOwnCourse } = await import('../authored/own-course-files.ts');
  return readOwnCourse(courseId, files);
}

async function cached(key: string, readNow: () => Promise<ReadOwnCourse>): Promise<ReadOwnCourse> {
  const result = courses.get(key) ?? readNow();
  courses.delete(key);
  courses.set(key, result);
  if (courses.size > MAX_COURSES) courses.delete(courses.keys().next().value!);
  try {
    return await result;
  } catch (error) {
    courses.delete(key);
    throw error;
  }
}

/** Returns the published content of a company's own course; undefined if there is none. */
export async function findOwnContent(tenant: TenantReader, courseId: string): Promise<AuthoredCourse | undefined> {
  const revision = await findRevision(tenant, courseId);
  if (revision === undefined) return undefined;
  const read = await cached(revision, () => readStored(tenant, courseId, 'published'));
  return read.course;
}

/** Returns the draft of a company's own course; undefined if there is no draft, or it cannot be read. */
export async function findOwnDraft(tenant: TenantReader, courseId: string): Promise<AuthoredCourse | undefined> {
  return (await readStored(tenant, courseId, 'draft')).course;
}

async function readStored(tenant: TenantReader, courseId: string, state: ContentState): Promise<ReadOwnCourse> {
  const files = await findFiles(tenant, courseId, state);
  return files ? readOwnContent(courseId, files) : { course: undefined, findings: [] };
}
