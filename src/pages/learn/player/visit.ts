import type { Request, Response } from 'express';
import type { PersonResult } from '../../../operations/operations.ts';
import { getPageContext } from '../../shared/page-context.ts';
import { getCoursesHome } from '../learn-page.ts';

/** A course as its learner sees it. */
export type OwnCourse = PersonResult<'getOwnCourse'>;

/** A learner's view of an authored course, in one language. */
export interface Visit {
  course: OwnCourse;
  written: NonNullable<OwnCourse['written']>;
  /** The address below which the learner's courses are. */
  home: string;
  /** Query that keeps the language in the addresses of the course; empty for the learner's own language. */
  query: string;
}

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

export function coursePath({ course, home, query }: Pick<Visit, 'course' | 'home' | 'query'>, place?: number): string {
  return `${home}/courses/${course.courseId}${place === undefined ? '' : `/${place + 1}`}${query}`;
}

/** Returns the address at which a scenario can be played again. @param path ids of the choices made so far */
export function replayPath(visit: Visit, place: number, path: readonly string[]): string {
  const address = coursePath(visit, place);
  return `${address}${address.includes('?') ? '&' : '?'}replay=${path.join('.')}`;
}
