import { type Request, type RequestHandler, type Response, Router } from 'express';
import { createPersonToken, hashPersonToken } from '../../../identity/person-token.ts';
import { notFound } from '../../../contract/errors.ts';
import { isId } from '../../../db/ids.ts';
import { pageContextOf } from '../../shared/page-context.ts';
import { refuseMethod } from '../../../http/guards.ts';
import { jsonBody } from '../../../http/body/json-body.ts';
import { type OwnPackage, pathOfPackage, sendPackagePage, sendPlayPage } from './package-pages.ts';

/** Six bytes for each character that a package may keep, and what stands around them. */
const TOLD_BYTES = 512 * 1024;

/** Courses that are packages of SCORM. A button opens one in a window; what its package tells is kept while it goes on. */
export function packageRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/courses/:courseId', toPackage);
  router.get('/packages/:courseId', async (req, res) => sendPackagePage(res, courseOf(req), await findOwn(req, res)));
  router.post('/packages/:courseId', open);
  router.all('/packages/:courseId', refuseMethod('GET', 'HEAD', 'POST'));
  router.get('/packages/:courseId/:token', show);
  router.post('/packages/:courseId/:token', jsonBody({ required: true, maxBytes: TOLD_BYTES }), keep);
  router.all('/packages/:courseId/:token', refuseMethod('GET', 'HEAD', 'POST'));
  return router;
}

/** A course with a package is taken with that. */
const toPackage: RequestHandler = async (req, res, next) => {
  const { call, language } = pageContextOf(res);
  const courseId = courseOf(req);
  if (!(await call('getOwnPackage', { courseId, language }))) return next();
  res.redirect(303, pathOfPackage(courseId));
};

const open: RequestHandler = async (req, res) => {
  const { call, companyId } = pageContextOf(res);
  const courseId = courseOf(req);
  const { isNewStart } = await findOwn(req, res);
  const token = createPersonToken(companyId);
  const window = { courseId, tokenHash: hashPersonToken(token) };
  const isOpened = await call(isNewStart ? 'beginPackage' : 'resumePackage', window);
  res.redirect(303, pathOfPackage(courseId) + (isOpened ? `/${token}` : ''));
};

const show: RequestHandler = async (req, res) => {
  const { call, language } = pageContextOf(res);
  const [courseId, token] = [courseOf(req), req.params.token as string];
  const asked = { courseId, tokenHash: hashPersonToken(token), language };
  const window = isId(courseId) && (await call('getOpenPackage', asked));
  if (!window) return res.redirect(303, pathOfPackage(encodeURIComponent(courseId)));
  sendPlayPage(res, courseId, token, window);
};

const keep: RequestHandler = async (req, res) => {
  const { call } = pageContextOf(res);
  const window = { courseId: courseOf(req), tokenHash: hashPersonToken(req.params.token as string) };
  const kept = await call('keepPackageState', { ...window, told: req.body as unknown });
  if (kept === 'stale') return void res.status(409).end();
  if (kept === 'ended') await call('finishPackage', window);
  res.json({ isFinished: kept === 'ended' });
};

/** @throws {ApiError} `not_found` for a course that the company does not have, or that is no package */
async function findOwn(req: Request, res: Response): Promise<OwnPackage> {
  const { call, language } = pageContextOf(res);
  const found = await call('getOwnPackage', { courseId: courseOf(req), language });
  if (!found) throw notFound('course');
  return found;
}

function courseOf(req: Request): string {
  return (req.params.courseId as string).toLowerCase();
}
