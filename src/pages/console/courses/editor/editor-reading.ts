import type { Request, Response } from 'express';
import type { Schemas } from '../../../../contract/contract.ts';
import { notFound } from '../../../../contract/errors.ts';
import type { Language } from '../../../../contract/languages.ts';
import { publicError } from '../../../../http/response/public-error.ts';
import { newFormName } from '../../../shared/parts/fields.ts';
import { redirectWithNotice } from '../../../shared/parts/notice.ts';
import { getAdmin, requireCall } from '../../admin.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS } from '../../form-faults.ts';
import { toIfMatch, toVersion } from '../../form-version.ts';
import { toCoursePath } from '../courses-page.ts';
import { type Files, listLanguages, listSteps, toFileList, toFiles, type EditedStep } from './course-files.ts';
import { editorMessages } from './editor-messages.ts';
import { formMessages } from './form-messages.ts';

/** Course being edited. */
export interface Edited {
  course: Schemas['Course'];
  content: Schemas['CourseContent'];
  files: Files;
  /** Version of the content that forms are based on. */
  version: string;
  /** Languages of the files. `steps` is in the first language. */
  languages: Language[];
  steps: EditedStep[];
}

/** The data of every form of the editor. */
export interface FormView extends Edited {
  language: Language;
  formToken: string;
  once: string;
  faults: FormFaults;
}

/** A form that was not saved. */
export interface Rejected {
  form: URLSearchParams;
  faults: FormFaults;
  status: number;
}

export const toId = (req: Request): string => (req.params.courseId as string).toLowerCase();

export function toEditorPath(courseId: string, rest = ''): string {
  return toCoursePath(courseId, `/editor${rest}`);
}

/** Returns the path of the page on which a step is edited. */
export function toStepPath(courseId: string, { kind, name }: Pick<EditedStep, 'kind' | 'name'>): string {
  return toEditorPath(courseId, `/${kind}s/${encodeURIComponent(name)}`);
}

/** @throws {ApiError} `not_found` for a course of the catalogue */
export async function readOwnCourse(runs: ConsoleRuns, req: Request, res: Response): Promise<Schemas['Course']> {
  const { caller } = getAdmin(res);
  requireCall(caller, 'saveCourseContent');
  const course = await runs.run('getCourse', caller, { courseId: toId(req) });
  if (course.source !== 'custom') throw notFound('page');
  return course;
}

/** Reads a course with its content; the content is undefined if there is none. */
export async function readContent(
  runs: ConsoleRuns,
  res: Response,
  courseId: string,
  published = false,
): Promise<Schemas['CourseContent'] | undefined> {
  try {
    return await runs.run('getCourseContent', getAdmin(res).caller, { courseId, published });
  } catch (thrown) {
    if (publicError(thrown).code === 'not_found') return undefined;
    throw thrown;
  }
}

/** @throws {ApiError} `not_found` if the course has no content */
export async function readEdited(runs: ConsoleRuns, req: Request, res: Response): Promise<Edited> {
  const course = await readOwnCourse(runs, req, res);
  const content = await readContent(runs, res, course.id);
  if (!content) throw notFound('page');
  const files = toFiles(content);
  const languages = listLanguages(files);
  const steps = languages[0] === undefined ? [] : listSteps(files, languages[0]);
  return { course, content, files, version: toVersion(content), languages, steps };
}

export function toView(res: Response, edited: Edited, rejected?: Rejected): FormView {
  const { language, formToken } = getAdmin(res);
  return { ...edited, language, formToken, once: newFormName(), faults: rejected?.faults ?? NO_FAULTS };
}

/**
 * Saves files if nobody has saved the course since the form was shown, then redirects to a page.
 * @param show shows the form again with the entered values
 */
export async function saveFiles(
  { runs, req, res, form }: { runs: ConsoleRuns; req: Request; res: Response; form: URLSearchParams },
  files: Files,
  next: string,
  show: (rejected: Rejected) => Promise<void>,
): Promise<void> {
  const { caller, language } = getAdmin(res);
  try {
    const change = { courseId: toId(req), body: { files: toFileList(files) } };
    const ifMatch = toIfMatch(form.get('version') ?? '');
    await runs.run('saveCourseContent', caller, { ...change, ifMatch } as typeof change, form.get('once') ?? '');
    redirectWithNotice(res, next, 'saved');
  } catch (thrown) {
    await show(toRejected(thrown, form, language));
  }
}

/** @throws {unknown} the given error, if no form can show it */
function toRejected(thrown: unknown, form: URLSearchParams, language: Language): Rejected {
  const { code } = publicError(thrown);
  const texts = formMessages[language];
  const whole = code === 'changed_meanwhile' ? texts.conflict : code === 'invalid_request' ? texts.rejected : undefined;
  if (whole === undefined && code !== 'payload_too_large') throw thrown;
  return { form, faults: { fields: {}, whole: whole ?? texts.rejected }, status: getFailureStatus(thrown) };
}

/** Redirects to the parts of the course, with a notice that somebody else has changed the course. */
export function redirectOnConflict(res: Response, courseId: string, thrown: unknown): void {
  if (publicError(thrown).code !== 'changed_meanwhile') throw thrown;
  redirectWithNotice(res, toEditorPath(courseId), 'conflict');
}

export function getTitle({ course }: Pick<Edited, 'course'>, language: Language): string {
  return editorMessages[language].title(course.displayName);
}
