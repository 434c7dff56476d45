import type { Request, Response, Router } from 'express';
import type { Schemas } from '../../../../contract/contract.ts';
import { notFound } from '../../../../contract/errors.ts';
import { getForm } from '../../../../http/body/form.ts';
import { confirmation } from '../../../shared/parts/confirmation.ts';
import { hiddenFields, newFormName, type SelectItem } from '../../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../../shared/parts/notice.ts';
import { html } from '../../../../http/html/html.ts';
import { getAdmin } from '../../admin.ts';
import { sendConsolePage } from '../../console-page.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import { toIfMatch } from '../../form-version.ts';
import { copyFiles, createFiles, type Files, QUESTION_KINDS, toFileList, toFiles } from './course-files.ts';
import { changeSteps, type StepChange } from './edit-steps.ts';
import { editorMessages } from './editor-messages.ts';
import { editorContent, startContent } from './editor-page.ts';
import {
  getTitle,
  readContent,
  readEdited,
  readOwnCourse,
  redirectOnConflict,
  toEditorPath,
  toId,
  toView,
} from './editor-reading.ts';
import { filesContent } from './files-page.ts';
import { addEditorForms } from './form-routes.ts';
import { addPublishPages } from './publish-routes.ts';

/** Adds the editor of a company's own courses: the parts of a course, a form for each, and the publication. */
export function addCourseEditor(pages: Router, runs: ConsoleRuns): void {
  pages.get('/courses/:courseId/editor', (req, res) => showParts(runs, req, res));
  pages.post('/courses/:courseId/editor/start', (req, res) => start(runs, req, res));
  pages.post('/courses/:courseId/editor/steps', (req, res) => change(runs, req, res));
  pages.get('/courses/:courseId/editor/remove', (req, res) => askToRemove(runs, req, res));
  pages.get('/courses/:courseId/editor/files', (req, res) => showFiles(runs, req, res));
  addEditorForms(pages, runs);
  addPublishPages(pages, runs);
}

async function showParts(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const course = await readOwnCourse(runs, req, res);
  if (!(await readContent(runs, res, course.id))) return showStart(runs, res, course);
  const edited = await readEdited(runs, req, res);
  const view = toView(res, edited);
  const content = editorContent(view, renderNotice(req, editorMessages[view.language].notices));
  sendConsolePage(res, { title: getTitle(edited, view.language), content, width: 'wide' });
}

async function showStart(runs: ConsoleRuns, res: Response, course: Schemas['Course']): Promise<void> {
  const { caller, language, formToken } = getAdmin(res);
  const catalogue = await runs.page('listCourses', caller, { source: 'managed', type: 'training' });
  const sources = catalogue.items.map(({ id, displayName, localizedNames }): SelectItem => {
    return [id, localizedNames.find(({ locale }) => locale === language)?.name ?? displayName];
  });
  const hasPackage = await hasUploadedPackage(runs, res, course.id);
  const view = { courseId: course.id, language, formToken, once: newFormName(), sources, hasPackage };
  sendConsolePage(res, { title: getTitle({ course }, language), content: startContent(view) });
}

async function hasUploadedPackage(runs: ConsoleRuns, res: Response, courseId: string): Promise<boolean> {
  try {
    await runs.run('getCoursePackage', getAdmin(res).caller, { courseId });
    return true;
  } catch {
    return false;
  }
}

async function start(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller } = getAdmin(res);
  const course = await readOwnCourse(runs, req, res);
  const form = getForm(req);
  const source = form.get('source') ?? '';
  if (!(await readContent(runs, res, course.id))) {
    const files = source === '' ? createEmpty(res, course.displayName) : await copyFrom(runs, res, source);
    if (!files) return redirectWithNotice(res, toEditorPath(course.id), 'conflict');
    const body = { files: toFileList(files) };
    await runs.run('saveCourseContent', caller, { courseId: course.id, body }, form.get('once') ?? '');
  }
  redirectWithNotice(res, toEditorPath(course.id), 'started');
}

function createEmpty(res: Response, name: string): Files {
  const { language } = getAdmin(res);
  const { firstSummary, firstLesson, firstAsk } = editorMessages[language];
  return createFiles(language, { name, summary: firstSummary, lesson: firstLesson, ask: firstAsk });
}

async function copyFrom(runs: ConsoleRuns, res: Response, courseId: string): Promise<Files | undefined> {
  const content = await readContent(runs, res, courseId, true);
  return content && copyFiles(toFiles(content));
}

async function change(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const courseId = toId(req);
  const form = getForm(req);
  const edited = await readEdited(runs, req, res);
  const { files, added } = changeSteps(edited.files, readChange(form, editorMessages[getAdmin(res).language].firstAsk));
  const input = { courseId, body: { files: toFileList(files) } };
  const ifMatch = toIfMatch(form.get('version') ?? '');
  try {
    const conditional = { ...input, ifMatch } as typeof input;
    await runs.run('saveCourseContent', getAdmin(res).caller, conditional, form.get('once') ?? undefined);
    const [kind, name] = (added ?? '').split(/:(.*)/s);
    const next = added === undefined ? '' : `/${kind}s/${encodeURIComponent(name!)}`;
    redirectWithNotice(res, toEditorPath(courseId, next), 'saved');
  } catch (thrown) {
    redirectOnConflict(res, courseId, thrown);
  }
}

/** @throws {ApiError} `not_found` for an unknown action */
function readChange(form: URLSearchParams, ask: string): StepChange {
  const action = form.get('action');
  const title = (form.get('title') ?? '').replace(/\s+/g, ' ').trim().slice(0, 200);
  if (action === 'addLesson') return { action, title: title || '…' };
  if (action === 'addQuestion') {
    const kind = QUESTION_KINDS.find((one) => one === form.get('kind')) ?? 'one';
    return { action, kind, lesson: form.get('lesson') || undefined, ask };
  }
  if (action === 'up' || action === 'down' || action === 'remove') return { action, key: form.get('step') ?? '' };
  throw notFound('page');
}

async function askToRemove(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { language, formToken } = getAdmin(res);
  const { course, steps, version } = await readEdited(runs, req, res);
  const step = steps.find(({ key }) => key === req.query.step);
  if (!step) throw notFound('page');
  const texts = editorMessages[language];
  const content = confirmation({
    about: texts.removeAbout(step.title),
    action: toEditorPath(course.id, '/steps'),
    hidden: html`${hiddenFields(formToken)} <input type="hidden" name="version" value=${version} />
      <input type="hidden" name="step" value=${step.key} /><input type="hidden" name="action" value="remove" />`,
    button: texts.remove,
    keep: { href: toEditorPath(course.id), text: texts.keepStep },
  });
  sendConsolePage(res, { title: texts.removeTitle, content });
}

async function showFiles(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const edited = await readEdited(runs, req, res);
  const { language } = getAdmin(res);
  sendConsolePage(res, { title: getTitle(edited, language), content: filesContent(edited, language) });
}
