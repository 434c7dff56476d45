import { type Request, type RequestHandler, type Response, Router } from 'express';
import { createPersonToken, hashPersonToken } from '../../../identity/person-token.ts';
import { notFound } from '../../../contract/errors.ts';
import { isId } from '../../../db/ids.ts';
import { getPageContext } from '../../shared/page-context.ts';
import { refuseMethod } from '../../../http/guards.ts';
import { jsonBody } from '../../../http/body/json-body.ts';
import { type OwnPackage, buildPackagePath, sendPackagePage, sendPackageWindow } from './package-pages.ts';

/**
 * Maximum size of a reported state in bytes: six for each stored character, the length of a JSON escape, and the JSON
 * around them.
 */
const MAX_STATE_BYTES = 512 * 1024;

/** Serves courses that are SCORM packages. A button opens the package in a window, which saves the reported state. */
export function packageRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/courses/:courseId', toPackage);
  router.get('/packages/:courseId', async (req, res) =>
    sendPackagePage(res, readCourseId(req), await findOwn(req, res)),
  );
  router.post('/packages/:courseId', open);
  router.all('/packages/:courseId', refuseMethod('GET', 'HEAD', 'POST'));
  router.get('/packages/:courseId/:token', show);
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
  const { isNewStart } = await findOwn(req, res);
  const token = createPersonToken(companyId);
  const window = { courseId, tokenHash: hashPersonToken(token) };
  const isOpened = await call(isNewStart ? 'beginPackage' : 'resumePackage', window);
  res.redirect(303, buildPackagePath(res, courseId) + (isOpened ? `/${token}` : ''));
};

const show: RequestHandler = async (req, res) => {
  const { call, language } = getPageContext(res);
  const [courseId, token] = [readCourseId(req), req.params.token as string];
  const visit = { courseId, tokenHash: hashPersonToken(token), language };
  const window = isId(courseId) && (await call('getOpenPackage', visit));
  if (!window) return res.redirect(303, buildPackagePath(res, encodeURIComponent(courseId)));
  sendPackageWindow(res, courseId, token, window);
};

const keep: RequestHandler = async (req, res) => {
  const { call } = getPageContext(res);
  const window = { courseId: readCourseId(req), tokenHash: hashPersonToken(req.params.token as string) };
  const outcome = await call('keepPackageState', { ...window, sentState: req.body as unknown });
  if (outcome === 'stale') return void res.status(409).end();
  if (outcome === 'ended') await call('finishPackage', window);
  res.json({ isFinished: outcome === 'ended' });
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
