import { type Request, type RequestHandler, type Response, Router } from 'express';
import { ApiError, notFound } from '../../../contract/errors.ts';
import { getPageContext } from '../../shared/page-context.ts';
import { briefResponse, sendStatic } from '../../../http/response/static-response.ts';
import { getForm } from '../../../http/body/form.ts';
import { refuseMethod } from '../../../http/guards.ts';
import type { SharedServices } from '../../../http/shared-services.ts';
import { sendCoursePage, sendOtherPage } from './course-page.ts';
import { sendStalePage, sendStepPage } from './step-page.ts';
import { coursePath, type Visit } from '../../shared/player/visit.ts';
import { beginVisit, getCourse } from './visit.ts';

/**
 * Serves authored courses, page by page. A GET changes nothing; a POST stores its answers at once.
 * @param trainingUrl URL of the platform for all other courses
 */
export function playerRoutes(trainingUrl: string | undefined): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const on = (act: (req: Request, res: Response, visit: Visit) => Promise<void> | void): RequestHandler => {
    return async (req, res) => {
      const course = await getCourse(req, res);
      const visit = beginVisit(res, course);
      if (visit) await act(req, res, visit);
      else sendOtherPage(res, course, trainingUrl);
    };
  };
  router.get('/gap-analysis', async (_req, res) => {
    const { courseId } = await getPageContext(res).call('getGapAnalysisCourse', {});
    res.redirect(303, `/learn/courses/${courseId}`);
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

/** Begins the course, begins it again after a failure, or records a complete attempt. */
async function goOn(req: Request, res: Response, visit: Visit): Promise<void> {
  const { courseId } = visit.course;
  await getPageContext(res).call(visit.written.isComplete ? 'finishCourse' : 'beginCourse', { courseId });
  const { finishDate, written } = await getCourse(req, res);
  const isUnderWay = finishDate === null && written?.isBegun;
  res.redirect(303, isUnderWay ? coursePath(visit, written.next) : coursePath(visit));
}

function showStep(req: Request, res: Response, visit: Visit): void {
  const place = readStepIndex(req, visit);
  const reached = reachedBy(visit);
  if (place > reached) res.redirect(303, reached < 0 ? coursePath(visit) : coursePath(visit, reached));
  else sendStepPage(res, visit, place);
}

async function takeStep(req: Request, res: Response, visit: Visit): Promise<void> {
  const { call } = getPageContext(res);
  const { course, written } = visit;
  const { courseId } = course;
  const place = readStepIndex(req, visit);
  // A request with the header `X-Form-Token` has no parsed form.
  const form = (getForm(req) as URLSearchParams | undefined) ?? new URLSearchParams();
  const [attemptId, version] = [form.get('attempt') ?? '', form.get('version') ?? ''];
  const outcome = await call('keepCourseStep', { courseId, place, attemptId, version, answers: form });
  if (outcome === 'stale') return sendStalePage(res, visit);
  if (typeof outcome === 'object') return sendStepPage(res, visit, place, { form, unanswered: outcome.unanswered });
  const now = await getCourse(req, res);
  if (now.written?.isComplete) await call('finishCourse', { courseId });
  const isRead = outcome === 'kept' && written.steps[place]!.lesson !== null && place + 1 < written.steps.length;
  res.redirect(303, coursePath(visit, outcome === 'early' ? reachedBy(visit) : isRead ? place + 1 : place));
}

/** @throws {ApiError} `not_found` if the path names no step of the course */
function readStepIndex(req: Request, { written: { steps } }: Visit): number {
  const step = req.params.step as string;
  const place = /^[1-9]\d{0,3}$/.test(step) ? Number(step) - 1 : steps.length;
  if (place >= steps.length) throw notFound('course part');
  return place;
}

/** Returns the index of the last step that the learner can open; -1 before the learner begins the course. */
function reachedBy({ course, written }: Visit): number {
  const last = written.steps.length - 1;
  if (course.finishDate !== null) return last;
  return written.isBegun ? Math.min(written.next, last) : -1;
}

const FOREVER = {
  'Content-Type': 'image/svg+xml',
  'Cache-Control': 'public, max-age=31536000, immutable',
  // Lets the browser render an SVG that is opened directly, but not run its scripts.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

/** Serves the pictures of courses, without a sign-in. */
export function pictureRoutes({ library }: Pick<SharedServices, 'library'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/pictures/:slug/:name', async (req, res) => {
    const picture = await library.findPicture(req.params.slug, req.params.name);
    if (!picture) throw new ApiError('not_found', 'Picture not found.');
    await sendStatic(req, res, briefResponse(picture, FOREVER));
  });
  return router;
}
