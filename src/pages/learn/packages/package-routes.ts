import { type Request, type RequestHandler, type Response, Router } from 'express';
import { createPersonToken, hashPersonToken } from '../../../identity/person-token.ts';
import { isId } from '../../../db/ids.ts';
import { notFound } from '../../../contract/errors.ts';
import { finishPackage, keepTold, openPackage } from '../../../resources/courses/scorm/scorm-runtime.ts';
import { findPlay, findWindow, type ScormRuntime } from '../../../resources/courses/scorm/scorm-runtime-repository.ts';
import { isNewStart, readTold } from '../../../resources/courses/scorm/scorm-runtime-rules.ts';
import type { Pair } from '../../../resources/courses/results/result-event-rules.ts';
import { pageContextOf } from '../../shared/page-context.ts';
import { refuseMethod } from '../../../http/guards.ts';
import { jsonBody } from '../../../http/body/json-body.ts';
import { pathOfPackage, sendPackagePage, sendPlayPage } from './package-pages.ts';

/** Six bytes for each character that a package may keep, and what stands around them. */
const TOLD_BYTES = 512 * 1024;

/** Courses that are packages of SCORM. A button opens one in a window; what its package tells is kept while it goes on. */
export function packageRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/courses/:courseId', toPackage);
  router.get('/packages/:courseId', async (req, res) => {
    const { pair, play } = await findOwn(req, res);
    sendPackagePage(res, pair.courseId, play);
  });
  router.post('/packages/:courseId', open);
  router.all('/packages/:courseId', refuseMethod('GET', 'HEAD', 'POST'));
  router.get('/packages/:courseId/:token', show);
  router.post('/packages/:courseId/:token', jsonBody({ required: true, maxBytes: TOLD_BYTES }), keep);
  router.all('/packages/:courseId/:token', refuseMethod('GET', 'HEAD', 'POST'));
  return router;
}

/** A course with a package is taken with that. */
const toPackage: RequestHandler = async (req, res, next) => {
  const pair = pairOf(req, res);
  if (!isId(pair.courseId) || !(await findPlay(pageContextOf(res).tenant, pair))) return next();
  res.redirect(303, pathOfPackage(pair.courseId));
};

const open: RequestHandler = async (req, res) => {
  const { pair, play } = await findOwn(req, res);
  const token = createPersonToken(pageContextOf(res).companyId);
  const tenant = isNewStart(play) ? recorderOf(res, pair) : pageContextOf(res).tenant;
  const isOpened = await openPackage(tenant, pair, hashPersonToken(token));
  res.redirect(303, pathOfPackage(pair.courseId) + (isOpened ? `/${token}` : ''));
};

const show: RequestHandler = async (req, res) => {
  const pair = pairOf(req, res);
  const token = req.params.token as string;
  const window = isId(pair.courseId) && (await findWindow(pageContextOf(res).tenant, pair, hashPersonToken(token)));
  if (!window || !window.isOpen) return res.redirect(303, pathOfPackage(encodeURIComponent(pair.courseId)));
  sendPlayPage(res, pair.courseId, token, window);
};

const keep: RequestHandler = async (req, res) => {
  const pair = pairOf(req, res);
  if (!isId(pair.courseId)) throw notFound('course');
  const told = readTold(req.body);
  const tokenHash = hashPersonToken(req.params.token as string);
  const kept = await keepTold(pageContextOf(res).tenant, pair, tokenHash, told);
  if (kept === 'stale') return void res.status(409).end();
  if (kept === 'ended') await finishPackage(recorderOf(res, pair), pair, tokenHash);
  res.json({ isFinished: kept === 'ended' });
};

/** @throws {ApiError} `not_found` for a course that the company does not have, or that is no package */
async function findOwn(req: Request, res: Response): Promise<{ pair: Pair; play: ScormRuntime }> {
  const pair = pairOf(req, res);
  const { tenant, modules } = pageContextOf(res);
  const play = isId(pair.courseId) && modules.includes('smlearn') && (await findPlay(tenant, pair));
  if (!play) throw notFound('course');
  return { pair, play };
}

function pairOf(req: Request, res: Response): Pair {
  return { learnerId: pageContextOf(res).person.id, courseId: req.params.courseId as string };
}

/** What is begun and finished is in the audit log; what is kept on the way is not. */
function recorderOf(res: Response, { learnerId, courseId }: Pair) {
  const targets = [
    { field: 'learnerId', count: 1, ids: [learnerId] },
    { field: 'courseId', count: 1, ids: [courseId] },
  ];
  return pageContextOf(res).open({ operation: 'recordCourseResults', targets });
}
