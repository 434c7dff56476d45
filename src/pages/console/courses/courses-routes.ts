import type { Request, Response, Router } from 'express';
import type { SentAttachment } from '../../../contract/contract.ts';
import { notFound } from '../../../contract/errors.ts';
import { LANGUAGES } from '../../../contract/languages.ts';
import { sendAttachment } from '../../../http/response/send-attachment.ts';
import { publicError } from '../../../http/response/public-error.ts';
import { readListQuery } from '../../shared/list-query.ts';
import { renderNotice } from '../../shared/parts/notice.ts';
import { canCall, getAdmin, requireCall } from '../admin.ts';
import { addAudiencePages, listPeopleNotices } from '../audiences/audience-routes.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { courseContent, EXPORT_FORMATS } from './course-page.ts';
import { coursesMessages } from './courses-messages.ts';
import { COURSES_PATH, coursesContent, SOURCES } from './courses-page.ts';
import { addCourseEditor } from './editor/editor-routes.ts';
import { DRAFTS_HOME } from './editor/editor-page.ts';
import { addOwnCourseForms } from './package-routes.ts';
import { type Preview, previewContent } from './preview-page.ts';

/** Adds the pages of courses: the list, and those of one course. */
export function addCoursesPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/courses', (req, res) => showList(runs, req, res));
  addOwnCourseForms(pages, runs);
  addCourseEditor(pages, runs);
  pages.get('/courses/:courseId', (req, res) => showCourse(runs, req, res));
  pages.get('/courses/:courseId/export', (req, res) => sendExport(runs, req, res));
  pages.get('/preview/courses/:courseId/:step', (req, res) => showStep(req, res));
  pages.get('/drafts/courses/:courseId/:step', (req, res) => showStep(req, res, true));
  pages.get('/preview/courses/:courseId', (req, res) =>
    res.redirect(303, `${COURSES_PATH}/${encodeURIComponent(req.params.courseId)}`),
  );
  addAudiencePages(pages, runs, {
    kind: 'course',
    base: COURSES_PATH,
    readName: async (res, courseId) => (await runs.run('getCourse', getAdmin(res).caller, { courseId })).displayName,
  });
}

async function showList(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const { values, cursor } = readListQuery(req, ['nameContains', 'source', 'includeRetired']);
  const nameContains = values.nameContains!.slice(0, 200);
  const source = SOURCES.find((one) => one === values.source);
  const input = { ...(nameContains && { nameContains }), ...(source && { source }) };
  const isRetiredShown = values.includeRetired === 'true';
  const page = await runs.page('getCourseReport', caller, { ...input, includeRetired: isRetiredShown }, cursor);
  const messages = coursesMessages[language];
  const content = coursesContent({
    ...{ language, cursor, courses: page.items, nextCursor: page.nextCursor },
    filter: { ...input, ...(isRetiredShown && { includeRetired: 'true' }) },
    notice: renderNotice(req, messages.notices),
    canCreate: canCall(caller, 'createCourse'),
  });
  sendConsolePage(res, { title: messages.title, content, width: 'wide' });
}

function readPreview(
  req: Request,
  res: Response,
  step?: { place: number; answers: URLSearchParams },
  isDraft = false,
): Promise<Preview> {
  const { call, language, caller } = getAdmin(res);
  requireCall(caller, 'getCourse');
  const courseId = (req.params.courseId as string).toLowerCase();
  const text = (name: string) => (typeof req.query[name] === 'string' ? req.query[name] : null);
  const languages = { asked: text('language'), own: language };
  return call('previewCourse', { courseId, languages, replay: text('replay'), isDraft, ...(step && { step }) });
}

async function showCourse(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language, child } = getAdmin(res);
  const courseId = (req.params.courseId as string).toLowerCase();
  const course = await runs.run('getCourse', caller, { courseId });
  const [preview, scorm, report] = await Promise.all([
    // The admin's own company does not have a managed company's courses, so it cannot preview them.
    child ? undefined : readPreview(req, res),
    course.source === 'custom' ? readPackage(runs, res, courseId) : undefined,
    runs.page('getCourseReport', caller, { courseId, includeRetired: true }),
  ]);
  const content = courseContent({
    ...{ language, caller, course, preview, scorm, figures: report.items[0] },
    notice: renderNotice(req, { ...coursesMessages[language].notices, ...listPeopleNotices('course', language) }),
    canChoose: canCall(caller, 'listLearners'),
  });
  sendConsolePage(res, { title: preview?.name ?? course.displayName, content, width: 'wide' });
}

/** Sends a course as a package. A format or language that does not exist counts as missing. */
async function sendExport(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const admin = getAdmin(res);
  const format = EXPORT_FORMATS.find(({ value }) => value === req.query.format)?.value;
  const language = LANGUAGES.find((one) => one === req.query.language);
  const zip: unknown = await runs.run('exportCourse', admin.caller, {
    courseId: (req.params.courseId as string).toLowerCase(),
    ...(format && { format }),
    ...(language && { languages: [language] }),
  });
  await sendAttachment(res, zip as SentAttachment, admin.companyId);
}

/** Reads the package of a course; undefined if it has none. */
async function readPackage(runs: ConsoleRuns, res: Response, courseId: string) {
  try {
    return await runs.run('getCoursePackage', getAdmin(res).caller, { courseId });
  } catch (thrown) {
    if (publicError(thrown).code === 'not_found') return undefined;
    throw thrown;
  }
}

/** Shows a step as learners see it. Its answers are in the URL, and nothing is recorded. */
async function showStep(req: Request, res: Response, isDraft = false): Promise<void> {
  const { language } = getAdmin(res);
  const step = req.params.step as string;
  const place = /^[1-9]\d{0,3}$/.test(step) ? Number(step) - 1 : -1;
  const { searchParams: answers } = new URL(req.originalUrl, 'http://localhost');
  if (isDraft) requireCall(getAdmin(res).caller, 'saveCourseContent');
  const course = await readPreview(req, res, { place, answers }, isDraft);
  const { written } = course;
  if (!written?.steps[place]) throw notFound('page');
  const isReplay = req.query.replay !== undefined;
  const isOpenScene = written.steps[place].questions.some(({ scenario }) => scenario?.end === null);
  const isAnswered = isReplay || (req.query.answered === 'yes' && !isOpenScene);
  const home = isDraft ? DRAFTS_HOME : undefined;
  const { title, content } = previewContent({ language, course, written, place, isAnswered, home });
  sendConsolePage(res, { title, content });
}
