import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ContentHost } from '../../../config/content-url.ts';
import { createPersonToken, hashPersonToken } from '../../../identity/person-token.ts';
import { notFound } from '../../../contract/errors.ts';
import { isId } from '../../../db/ids.ts';
import { findSession, getPageContext } from '../../shared/page-context.ts';
import { refuseMethod } from '../../../http/guards.ts';
import { jsonBody } from '../../../http/body/json-body.ts';
import { sendContentWindow } from './content-window-page.ts';
import { type OwnPackage, buildPackagePath, sendPackagePage, sendPackageWindow } from './package-pages.ts';
import { MAX_STATE_BYTES, storeReport } from './store-report.ts';

/**
 * Serves courses that are SCORM packages. A button opens the package in a window, which saves the reported state.
 * @param content the content host; undefined to play packages in a sandbox of this host
 */
export function packageRoutes(content: ContentHost | undefined): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/courses/:courseId', toPackage);
  router.get('/packages/:courseId', async (req, res) => {
    const ownPackage = await findOwn(req, res);
    // In the sandbox, the reports of a window that only shows the package would look like failures.
    sendPackagePage(res, readCourseId(req), { ...ownPackage, mayReview: ownPackage.mayReview && !!content });
  });
  router.post('/packages/:courseId', open);
  router.all('/packages/:courseId', refuseMethod('GET', 'HEAD', 'POST'));
  router.get('/packages/:courseId/:token', createShow(content));
  router.post('/packages/:courseId/:token', jsonBody({ required: true, maxBytes: MAX_STATE_BYTES }), keep);
  router.all('/packages/:courseId/:token', refuseMethod('GET', 'HEAD', 'POST'));
  return router;
}

/** Redirects to the package of the course, if the course has one. */
const toPackage: RequestHandler = async (req, res, next) => {
  const { call, language } = getPageContext(res);
  const courseId = readCourseId(req);
  if (!(await call('getOwnPackage', { courseId, language }))) return next();
  res.redirect(303, buildPackagePath(res, courseId));
};

const open: RequestHandler = async (req, res) => {
  const { call, companyId } = getPageContext(res);
  const courseId = readCourseId(req);
  const { isNewStart, mayReview } = await findOwn(req, res);
  const token = createPersonToken(companyId);
  const sessionHash = findSession(res)?.tokenHash ?? null;
  const window = { courseId, tokenHash: hashPersonToken(token), sessionHash };
  const operation = mayReview ? 'reviewPackage' : isNewStart ? 'beginPackage' : 'resumePackage';
  const isOpened = await call(operation, window);
  res.redirect(303, buildPackagePath(res, courseId) + (isOpened ? `/${token}` : ''));
};

const createShow = (content: ContentHost | undefined): RequestHandler => {
  return async (req, res) => {
    const { call, language } = getPageContext(res);
    const [courseId, token] = [readCourseId(req), req.params.token as string];
    const visit = { courseId, tokenHash: hashPersonToken(token), language };
    const window = isId(courseId) && (await call('getOpenPackage', visit));
    if (!window || (!window.isOpen && !content))
      return res.redirect(303, buildPackagePath(res, encodeURIComponent(courseId)));
    if (content) sendContentWindow(res, courseId, token, { name: window.name, content });
    else sendPackageWindow(res, courseId, token, window);
  };
};

const keep: RequestHandler = async (req, res) => {
  const window = { courseId: readCourseId(req), tokenHash: hashPersonToken(req.params.token as string) };
  await storeReport(getPageContext(res).call, window, req.body, res);
};

/** @throws {ApiError} `not_found` if the company does not have the course, or the course is not a package */
async function findOwn(req: Request, res: Response): Promise<OwnPackage> {
  const { call, language } = getPageContext(res);
  const ownPackage = await call('getOwnPackage', { courseId: readCourseId(req), language });
  if (!ownPackage) throw notFound('course');
  return ownPackage;
}

function readCourseId(req: Request): string {
  return (req.params.courseId as string).toLowerCase();
}
