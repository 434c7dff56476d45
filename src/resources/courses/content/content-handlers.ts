import type { Handler, PreflightHandler, Schemas } from '../../../contract/contract.ts';
import { ApiError, notFound, requireFound } from '../../../contract/errors.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import type { CourseLibrary } from '../authored/course-library.ts';
import type { CourseFile } from '../authored/own-course-files.ts';
import { getCourse } from '../course-repository.ts';
import { requireOwn } from '../course-rules.ts';
import { lockCourse } from '../own-course-repository.ts';
import { endPackage } from '../scorm/package-repository.ts';
import { readOwnContent } from './own-contents.ts';
import * as repository from './content-repository.ts';
import { requireNoFindings, toFiles } from './content-rules.ts';

/** Creates the handlers of operations on course content. */
export function createContentHandlers(library: CourseLibrary) {
  const getCourseContent: Handler<'getCourseContent'> = async ({ courseId, published = false }, tenant) => {
    const { source } = await getCourse(tenant, courseId);
    return source === 'managed' ? readShipped(library, courseId) : readStored(tenant, courseId, published);
  };

  return { getCourseContent, saveCourseContent, checkCourseContent, publishCourseContent, discardCourseContentDraft };
}

// A check can take seconds, so operations that change content check it in their preflight. The findings are then cached
// for the transaction.
const saveCourseContent: PreflightHandler<'saveCourseContent'> = {
  preflight: async ({ courseId, body }, reader) => {
    // Uses the order in which files are stored, because the findings are cached by the text of the files.
    const files = repository.toFileList(toFiles(body.files).map(({ path, text }) => [path, text]));
    await checkStored(reader, courseId);
    await readOwnContent(courseId, files);
    return (_input, tenant) =>
      tenant.transaction(async (tx) => {
        await lockOwn(tx, courseId);
        await repository.saveDraft(tx, courseId, files);
        return readStored(tx, courseId);
      });
  },
};

const checkCourseContent: Handler<'checkCourseContent'> = async ({ courseId, body }, tenant) => {
  await getCourse(tenant, courseId);
  const { findings } = await readOwnContent(courseId, toFiles(body.files));
  return { findings: [...findings] };
};

const publishCourseContent: PreflightHandler<'publishCourseContent'> = {
  preflight: async ({ courseId }, reader) => {
    await checkStored(reader, courseId);
    return (_input, tenant) =>
      tenant.transaction(async (tx) => {
        await lockOwn(tx, courseId);
        const files = await repository.findFiles(tx, courseId, 'draft');
        if (!files) throw noDraft();
        await repository.publishDraft(tx, courseId, requireNoFindings(await readOwnContent(courseId, files)));
        await endPackage(tx, courseId);
        return readStored(tx, courseId);
      });
  },
};

const discardCourseContentDraft: PreflightHandler<'discardCourseContentDraft'> = {
  preflight: async ({ courseId }, reader) => {
    await checkStored(reader, courseId);
    return (_input, tenant) =>
      tenant.transaction(async (tx) => {
        await lockOwn(tx, courseId);
        if (!(await repository.discardDraft(tx, courseId))) throw noDraft();
        return { courseId };
      });
  },
};

/** Checks the stored content. `If-Match` compares its findings, which are then cached. */
async function checkStored(reader: TenantReader, courseId: string): Promise<void> {
  const { draft, published } = await repository.findStates(reader, courseId);
  const stored = draft ?? published;
  const files = stored && (await repository.findFiles(reader, courseId, stored.state));
  if (files) await readOwnContent(courseId, files);
}

/** Locks one of the company's own courses. @throws not_found; forbidden for a course of the managed catalogue */
async function lockOwn(tx: TenantWriter, courseId: string): Promise<void> {
  await lockCourse(tx, courseId);
  requireOwn(await getCourse(tx, courseId));
}

function noDraft(): ApiError {
  return new ApiError('no_draft', 'The course has no draft.');
}

/** Returns the stored draft, or the published content if there is no draft. @throws not_found */
async function readStored(
  tenant: TenantReader,
  courseId: string,
  published = false,
): Promise<Schemas['CourseContent']> {
  const states = await repository.findStates(tenant, courseId);
  const stored = published ? states.published : (states.draft ?? states.published);
  const files = stored && (await repository.findFiles(tenant, courseId, stored.state));
  if (!files) throw notFound('course content');
  const { version = null, publishedAt = null } = states.published ?? {};
  return {
    ...{ courseId, state: stored.state, version, publishedAt, savedAt: stored.savedAt, files },
    hasDraft: states.draft !== undefined,
    findings: [...(await readOwnContent(courseId, files)).findings],
  };
}

/** Returns a course that comes with the service. @throws not_found */
async function readShipped(library: CourseLibrary, courseId: string): Promise<Schemas['CourseContent']> {
  const all = requireFound(await library.readFiles(courseId), 'course content');
  const texts = [...all].filter(([path]) => !path.startsWith('pictures/'));
  const files: CourseFile[] = repository.toFileList(texts.map(([path, bytes]) => [path, bytes.toString('utf8')]));
  return {
    ...{ courseId, state: 'published', version: null, publishedAt: null, savedAt: null, hasDraft: false, files },
    findings: [],
  };
}
