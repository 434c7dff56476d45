import type { Request, Response, Router } from 'express';
import { ApiError, notFound } from '../../../contract/errors.ts';
import type { UploadedPackage } from '../../../contract/contract.ts';
import { getForm } from '../../../http/body/form.ts';
import type { UploadedForm } from '../../../http/body/upload-body.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { type FieldValues, formFault, hiddenFields, newFormName } from '../../shared/parts/fields.ts';
import { redirectWithNotice } from '../../shared/parts/notice.ts';
import { html } from '../../../http/html/html.ts';
import { getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../form-faults.ts';
import type { AddUpload } from '../uploads.ts';
import { COURSES_PATH, toCoursePath } from './courses-page.ts';
import { packageMessages } from './package-messages.ts';
import { newCourseForm, packageForm, toCourseFaults, toPackageFaults } from './package-page.ts';

interface Refused {
  faults: FormFaults;
  status: number;
}

const toId = (req: Request) => (req.params.courseId as string).toLowerCase();

/** Adds the forms of a company's own courses and of their packages. */
export function addOwnCourseForms(pages: Router, runs: ConsoleRuns): void {
  pages.get('/courses/new', (_req, res) => {
    const { caller, language } = getAdmin(res);
    requireCall(caller, 'createCourse');
    showNewForm(res, { difficulty: '1', passMark: '80' }, [language]);
  });
  pages.post('/courses/new', (req, res) => create(runs, req, res));
  pages.get('/courses/:courseId/package', (req, res) => showPackageForm(runs, req, res));
  pages.get('/courses/:courseId/package/delete', (req, res) => askToDeletePackage(runs, req, res));
  pages.post('/courses/:courseId/package/delete', async (req, res) => {
    const courseId = toId(req);
    await runs.run('deleteCoursePackage', getAdmin(res).caller, { courseId }, getForm(req).get('once') ?? '');
    redirectWithNotice(res, toCoursePath(courseId), 'packageDeleted');
  });
  pages.get('/courses/:courseId/delete', (req, res) => askToDelete(runs, req, res));
  pages.post('/courses/:courseId/delete', (req, res) => deleteCourse(runs, req, res));
}

/** Adds the form that uploads a package. */
export function addPackageUploads(addUpload: AddUpload, runs: ConsoleRuns): void {
  addUpload('/courses/:courseId/package', (req, res, form) => upload(runs, req, res, form));
}

function showNewForm(res: Response, typed: FieldValues, locales: readonly string[], refused?: Refused): void {
  const { language, formToken } = getAdmin(res);
  const faults = refused?.faults ?? NO_FAULTS;
  const content = newCourseForm({ language, formToken, once: newFormName(), faults, typed, locales });
  sendConsolePage(res, { title: packageMessages[language].newTitle, content, status: refused?.status ?? 200 });
}

async function create(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const form = getForm(req);
  const text = (name: string) => form.get(name) ?? '';
  const [name, displayName, subject] = ['name', 'displayName', 'subject'].map(text) as [string, string, string];
  const typed = { name, displayName, subject, difficulty: text('difficulty'), passMark: text('passMark') };
  const locales = form.getAll('locales');
  try {
    const passMark = /^\d{1,3}$/.test(typed.passMark) ? Number(typed.passMark) : -1;
    const body = { name, displayName, subject, difficulty: Number(typed.difficulty), passMark, locales };
    const { id } = await runs.run('createCourse', caller, { body }, form.get('once') ?? '');
    redirectWithNotice(res, toCoursePath(id), 'created');
  } catch (thrown) {
    const refused = { faults: toCourseFaults(thrown, language), status: getFailureStatus(thrown) };
    showNewForm(res, typed, locales, refused);
  }
}

/** @throws {ApiError} `not_found` for a course of the library */
async function readOwnCourse(runs: ConsoleRuns, req: Request, res: Response) {
  const course = await runs.run('getCourse', getAdmin(res).caller, { courseId: toId(req) });
  if (course.source !== 'custom') throw notFound('page');
  return course;
}

async function showPackageForm(runs: ConsoleRuns, req: Request, res: Response, refused?: Refused): Promise<void> {
  const { caller, language, formToken } = getAdmin(res);
  requireCall(caller, 'uploadCoursePackage');
  const { id, displayName } = await readOwnCourse(runs, req, res);
  const view = { language, formToken, once: newFormName(), faults: refused?.faults ?? NO_FAULTS };
  sendConsolePage(res, { title: displayName, content: packageForm(view, id), status: refused?.status ?? 200 });
}

async function upload(runs: ConsoleRuns, req: Request, res: Response, form: UploadedForm | ApiError): Promise<void> {
  const { caller, language } = getAdmin(res);
  requireCall(caller, 'uploadCoursePackage');
  const courseId = toId(req);
  try {
    if (form instanceof ApiError) throw form;
    const file = (await form.inspect('application/zip')) as UploadedPackage;
    await runs.run('uploadCoursePackage', caller, { courseId, file }, form.fields.get('once') ?? '');
    redirectWithNotice(res, toCoursePath(courseId), 'packageSaved');
  } catch (thrown) {
    const refused = { faults: toPackageFaults(thrown, language), status: getFailureStatus(thrown) };
    await showPackageForm(runs, req, res, refused);
  }
}

async function askToDeletePackage(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language, formToken } = getAdmin(res);
  requireCall(caller, 'deleteCoursePackage');
  const { id } = await readOwnCourse(runs, req, res);
  const messages = packageMessages[language];
  const content = confirmation({
    about: messages.removeAbout,
    action: toCoursePath(id, '/package/delete'),
    hidden: hiddenFields(formToken, newFormName()),
    button: messages.remove,
    keep: { href: toCoursePath(id), text: messages.keep },
  });
  sendConsolePage(res, { title: messages.removeTitle, content });
}

async function askToDelete(
  runs: ConsoleRuns,
  req: Request,
  res: Response,
  refused?: { fault: string | undefined; status: number },
): Promise<void> {
  const { caller, language, formToken } = getAdmin(res);
  requireCall(caller, 'deleteCourse');
  const { id, displayName } = await readOwnCourse(runs, req, res);
  const messages = packageMessages[language];
  const content = confirmation({
    about: html`${formFault(refused?.fault)}
      <p>${messages.deleteAbout(displayName)}</p>`,
    action: toCoursePath(id, '/delete'),
    hidden: hiddenFields(formToken, newFormName()),
    button: messages.deleteCourse,
    keep: { href: toCoursePath(id), text: messages.keep },
  });
  sendConsolePage(res, { title: messages.deleteTitle, content, status: refused?.status ?? 200 });
}

async function deleteCourse(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  try {
    await runs.run('deleteCourse', caller, { courseId: toId(req) }, getForm(req).get('once') ?? '');
    redirectWithNotice(res, COURSES_PATH, 'deleted');
  } catch (thrown) {
    const { whole } = toFormFaults(thrown, [], language, { course_in_use: packageMessages[language].inUse });
    await askToDelete(runs, req, res, { fault: whole, status: getFailureStatus(thrown) });
  }
}
