import type { Language } from '../../../contract/languages.ts';

/** An authored course in all its languages. */
export interface AuthoredCourse {
  /** Name of the course's folder. */
  slug: string;
  /** Id of the course in the catalogue. The gap analysis is found by its type: a catalogue has only one. */
  id: string;
  type: 'training' | 'gap_analysis';
  minutes: number;
  /** Minimum score to pass, in percent. */
  passMark: number;
  languages: readonly Language[];
  /** Day of the last review of the content. */
  reviewed: string;
  steps: readonly Step[];
  /** Texts of the course, one for each language. */
  texts: ReadonlyMap<Language, CourseText>;
  /** Pictures by the names in their addresses, which change with the content. */
  pictures: ReadonlyMap<string, Buffer>;
}

/** Content of one page: a lesson, or questions that are answered together. */
export interface Step {
  /** The lesson; null for questions. */
  lesson: Part | null;
  questions: readonly Question[];
}

/** A lesson or a question: a unit that is read or answered as a whole. */
export interface Part {
  /** Key of the form `lesson:…` or `question:…`, unique in the course. */
  key: string;
  /** Hash of the text in all languages. */
  version: string;
}

export interface Question extends Part {
  id: string;
  kind: 'one' | 'many';
  answers: readonly { id: string; right: boolean }[];
  /** Slug of the course that teaches the subject of the question; null outside the gap analysis. */
  subject: string | null;
}

/** A course in one language. Fields named `html` are safe to insert into a page. */
export interface CourseText {
  name: string;
  summary: string;
  /** Lessons by the keys of their parts. */
  lessons: ReadonlyMap<string, { title: string; html: string }>;
  questions: ReadonlyMap<string, QuestionText>;
}

export interface QuestionText {
  caseHtml: string | null;
  askHtml: string;
  /** Texts of the answers by id. */
  answers: ReadonlyMap<string, { html: string; becauseHtml: string }>;
}

/** The files of a course by their paths in its folder, such as `en/questions.yaml`. */
export type CourseFiles = ReadonlyMap<string, Buffer>;

/** A fault in the files of courses, and its location. */
export interface Fault {
  /** Path in the content folder. */
  file: string;
  /** Line or field; empty for the whole file. */
  place: string;
  message: string;
}

export function inLine({ file, place, message: texts }: Fault): string {
  return `${file}${place ? `, ${place}` : ''}: ${texts}`;
}
