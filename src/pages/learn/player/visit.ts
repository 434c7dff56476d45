import type { Request, Response } from 'express';
import type { CourseText, WrittenCourse } from '../../../resources/courses/authored/course.ts';
import { languageFor, type CourseLibrary, textOf } from '../../../resources/courses/authored/course-library.ts';
import { isId } from '../../../db/ids.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { notFound } from '../../../contract/errors.ts';
import type { Language } from '../../../contract/languages.ts';
import type { Pair } from '../../../resources/courses/results/result-event-rules.ts';
import { localName } from '../../../resources/courses/course-names.ts';
import { findCourseNames } from '../../../resources/courses/course-repository.ts';
import {
  findAttemptState,
  type CourseAttemptState,
} from '../../../resources/courses/results/attempt-state-repository.ts';
import { pageContextOf } from '../../shared/page-context.ts';

/** A learner at a course: what they have of it, and what it is written in. */
export interface CourseVisit {
  pair: Pair;
  state: CourseAttemptState;
  /** Undefined for a course that is taken elsewhere. */
  course: WrittenCourse | undefined;
}

/** The same at one that is written here, in a language. */
export interface Visit extends CourseVisit {
  course: WrittenCourse;
  text: CourseText;
  language: Language;
  /** What keeps the language in addresses of the course, when it is not the learner's. */
  query: string;
  /** The courses that teach what the gap analysis asks, by their folders. */
  subjectNames: ReadonlyMap<string, string>;
}

/** @throws {ApiError} `not_found` for a course that the company does not have */
export async function visitOf(req: Request, res: Response, library: CourseLibrary): Promise<CourseVisit> {
  const { person, tenant, modules } = pageContextOf(res);
  const courseId = (req.params.courseId as string).toLowerCase();
  if (!isId(courseId) || !modules.includes('smlearn')) throw notFound('course');
  const pair = { learnerId: person.id, courseId };
  const state = await findAttemptState(tenant, pair);
  if (!state) throw notFound('course');
  return { pair, state, course: await library.find({ id: courseId, type: state.type }) };
}

/** Chooses the language: the one in the address, else the learner's, else English. The whole page is in it. */
export async function inLanguage(
  req: Request,
  res: Response,
  visit: CourseVisit & { course: WrittenCourse },
  library: CourseLibrary,
): Promise<Visit> {
  const local = pageContextOf(res);
  const asked = typeof req.query.language === 'string' ? req.query.language : null;
  const own = languageFor(visit.course, [local.language]);
  const language = languageFor(visit.course, [asked, local.language]);
  local.language = language;
  return {
    ...{ ...visit, language, text: textOf(visit.course, language) },
    query: language === own ? '' : `?language=${language}`,
    subjectNames:
      visit.state.type === 'gap_analysis'
        ? await findSubjectNames(local.tenant, await library.all(), language)
        : new Map(),
  };
}

/** The names of courses by their folders: those of the catalogue, and of a course that it lacks the written one. */
async function findSubjectNames(
  tenant: TenantReader,
  courses: readonly WrittenCourse[],
  language: Language,
): Promise<Map<string, string>> {
  const ids = courses.map(({ id }) => id);
  const names = await findCourseNames(tenant, ids);
  return new Map(
    courses.map((course) => {
      const known = names.get(course.id);
      return [course.slug, known ? localName(known, language) : textOf(course, language).name];
    }),
  );
}

export function coursePath({ pair, query }: Pick<Visit, 'pair' | 'query'>, place?: number): string {
  return `/learn/courses/${pair.courseId}${place === undefined ? '' : `/${place + 1}`}${query}`;
}
