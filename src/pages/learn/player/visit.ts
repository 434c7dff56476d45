import type { Request, Response } from 'express';
import { getPageContext } from '../../shared/page-context.ts';
import type { OwnCourse, Visit } from '../../shared/player/visit.ts';
import { getCoursesHome } from '../learn-page.ts';

/** @throws {ApiError} `not_found` if the company does not have the course */
export function getCourse(req: Request, res: Response): Promise<OwnCourse> {
  const { call, language } = getPageContext(res);
  const requestedLanguage = typeof req.query.language === 'string' ? req.query.language : null;
  const courseId = (req.params.courseId as string).toLowerCase();
  const replay = typeof req.query.replay === 'string' ? req.query.replay : null;
  return call('getOwnCourse', { courseId, languages: { asked: requestedLanguage, own: language }, replay });
}

/** Switches the whole page to the language of the course. Returns undefined for a course that is taken elsewhere. */
export function beginVisit(res: Response, course: OwnCourse): Visit | undefined {
  const { written } = course;
  if (!written) return undefined;
  const { language, ownLanguage } = written;
  getPageContext(res).language = language;
  return { course, written, home: getCoursesHome(res), query: language === ownLanguage ? '' : `?language=${language}` };
}
