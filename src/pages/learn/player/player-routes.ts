import { type Request, type RequestHandler, type Response, Router } from 'express';
import { PICTURES_PATH } from '../../../resources/courses/authored/read-course.ts';
import type { CourseLibrary } from '../../../resources/courses/authored/course-library.ts';
import { ApiError, notFound } from '../../../contract/errors.ts';
import { getGapAnalysisId } from '../../../resources/courses/course-repository.ts';
import { isComplete, beginCourse, finishCourse, keepStep } from '../../../resources/courses/results/take-course.ts';
import { isDone, placeIn, readStep, versionOfStep } from '../../../resources/courses/results/progress-rules.ts';
import { findAttemptState } from '../../../resources/courses/results/attempt-state-repository.ts';
import { pageContextOf } from '../../shared/page-context.ts';
import { staticResponse, sendStatic } from '../../../http/response/static-response.ts';
import { formOf } from '../../../http/body/form.ts';
import { refuseMethod } from '../../../http/guards.ts';
import { sendCoursePage, sendOtherPage } from './course-page.ts';
import { sendStalePage, sendStepPage } from './step-page.ts';
import { coursePath, inLanguage, type Visit, visitOf } from './visit.ts';

export interface PlayerOptions {
  library: CourseLibrary;
  /** Where courses are taken that are not written here. */
  trainingUrl: string | undefined;
}

/** Courses that are written here, page by page. A GET changes nothing; what was sent is kept at once. */
export function playerRoutes({ library, trainingUrl }: PlayerOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const find = async (req: Request, res: Response): Promise<Visit | undefined> => {
    const visit = await visitOf(req, res, library);
    const { course, state } = visit;
    if (course && state.attemptId !== null) return inLanguage(req, res, { ...visit, course }, library);
    sendOtherPage(res, visit, trainingUrl);
    return undefined;
  };
  const on = (act: (req: Request, res: Response, visit: Visit) => Promise<void> | void): RequestHandler => {
    return async (req, res) => {
      const visit = await find(req, res);
      if (visit) await act(req, res, visit);
    };
  };
  router.get('/gap-analysis', async (_req, res) => {
    res.redirect(303, `/learn/courses/${await getGapAnalysisId(pageContextOf(res).tenant)}`);
  });
  router.get(
    '/courses/:courseId',
    on((_req, res, visit) => sendCoursePage(res, visit)),
  );
  router.post('/courses/:courseId', on(goOn));
  router.all('/courses/:courseId', refuseMethod('GET', 'HEAD', 'POST'));
  router.get('/courses/:courseId/:step', on(showStep));
  router.post('/courses/:courseId/:step', on(takeStep));
  router.all('/courses/:courseId/:step', refuseMethod('GET', 'HEAD', 'POST'));
  return router;
}

/** Begins, begins again after a failure, or records what is complete. */
async function goOn(_req: Request, res: Response, visit: Visit): Promise<void> {
  const { pair, state, course } = visit;
  if (isComplete(state, course.steps)) await finish(res, visit);
  else await beginCourse(opened(res, visit), pair);
  const now = await findAttemptState(pageContextOf(res).tenant, pair);
  const done = now?.finishDate === null ? now.done : null;
  res.redirect(303, done === null ? coursePath(visit) : coursePath(visit, placeIn(course.steps, done)));
}

function showStep(req: Request, res: Response, visit: Visit): void {
  const place = placeOf(req, visit);
  const reached = reachedBy(visit);
  if (place > reached) res.redirect(303, reached < 0 ? coursePath(visit) : coursePath(visit, reached));
  else sendStepPage(res, visit, place);
}

async function takeStep(req: Request, res: Response, visit: Visit): Promise<void> {
  const { pair, course, state } = visit;
  const place = placeOf(req, visit);
  const step = course.steps[place]!;
  // A script of ours sends none.
  const form = (formOf(req) as URLSearchParams | undefined) ?? new URLSearchParams();
  const attemptId = form.get('attempt') ?? '';
  if (attemptId !== state.attemptId || form.get('version') !== versionOfStep(step)) return sendStalePage(res, visit);
  const isOpen = state.done !== null && state.finishDate === null && !isDone(step, state.done);
  const { done, unanswered } = readStep(step, form);
  if (isOpen && place <= reachedBy(visit) && unanswered.length > 0) {
    return sendStepPage(res, visit, place, { form, unanswered });
  }
  const { tenant } = pageContextOf(res);
  const outcome = await keepStep(tenant, pair, { steps: course.steps, place, attemptId, done });
  if (outcome === 'stale') return sendStalePage(res, visit);
  const now = await findAttemptState(tenant, pair);
  if (now && isComplete(now, course.steps)) await finish(res, visit);
  const isRead = outcome === 'kept' && step.lesson !== null && place + 1 < course.steps.length;
  res.redirect(303, coursePath(visit, outcome === 'early' ? reachedBy(visit) : isRead ? place + 1 : place));
}

function finish(res: Response, visit: Visit): Promise<void> {
  return finishCourse(opened(res, visit), visit.pair, visit.course.steps);
}

/** What is begun and finished is in the audit log; what is answered on the way is not. */
function opened(res: Response, { pair }: Visit) {
  const targets = [
    { field: 'learnerId', count: 1, ids: [pair.learnerId] },
    { field: 'courseId', count: 1, ids: [pair.courseId] },
  ];
  return pageContextOf(res).open({ operation: 'recordCourseResults', targets });
}

/** @throws {ApiError} `not_found` for what is no step of the course */
function placeOf(req: Request, { course }: Visit): number {
  const step = req.params.step as string;
  const place = /^[1-9]\d{0,3}$/.test(step) ? Number(step) - 1 : course.steps.length;
  if (place >= course.steps.length) throw notFound('part of the course');
  return place;
}

/** The last step that the learner may see; -1 before the beginning. Who has finished may read all of it. */
function reachedBy({ state, course }: Visit): number {
  const last = course.steps.length - 1;
  if (state.finishDate !== null) return last;
  return state.done === null ? -1 : Math.min(placeIn(course.steps, state.done), last);
}

const FOREVER = {
  'Content-Type': 'image/svg+xml',
  'Cache-Control': 'public, max-age=31536000, immutable',
  // For who opens it by itself: it draws, and does nothing else.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

/** The pictures of courses, which are nobody's secret. */
export function pictureRoutes(library: CourseLibrary): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(`${PICTURES_PATH.slice('/learn'.length)}/:slug/:name`, async (req, res) => {
    const { slug, name } = req.params;
    const course = (await library.all()).find((one) => one.slug === slug);
    const picture = course?.pictures.get(`${slug}/${name}`);
    if (!picture) throw new ApiError('not_found', 'There is no such picture.');
    sendStatic(req, res, staticResponse(picture, FOREVER));
  });
  return router;
}
