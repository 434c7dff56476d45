import type { Language } from '../../../contract/languages.ts';

/** A course that people have written, in all of its languages. */
export interface AuthoredCourse {
  /** The name of its folder. */
  slug: string;
  /** The id that it has in the catalogue. The gap analysis goes by its type: a catalogue has one. */
  id: string;
  type: 'training' | 'gap_analysis';
  minutes: number;
  /** In percent. */
  passMark: number;
  languages: readonly Language[];
  /** The day on which somebody last held it against the world. */
  reviewed: string;
  steps: readonly Step[];
  /** One for each language. */
  texts: ReadonlyMap<Language, CourseText>;
  /** By the names that they have in addresses, which change with what they show. */
  pictures: ReadonlyMap<string, Buffer>;
}

/** What is on one page: a lesson, or questions that are answered together. */
export interface Step {
  /** The name of the lesson; null for questions. */
  lesson: Part | null;
  questions: readonly Question[];
}

/** What is read or answered as one. */
export interface Part {
  /** `lesson:…` or `question:…`, unique in the course. */
  key: string;
  /** Another one for another text, in any language. */
  version: string;
}

export interface Question extends Part {
  id: string;
  kind: 'one' | 'many';
  answers: readonly { id: string; right: boolean }[];
  /** Of the gap analysis: the course that teaches what it asks. */
  subject: string | null;
}

/** A course in one language. What is called `html` is safe to be shown. */
export interface CourseText {
  name: string;
  summary: string;
  /** By the keys of their parts. */
  lessons: ReadonlyMap<string, { title: string; html: string }>;
  questions: ReadonlyMap<string, QuestionText>;
}

export interface QuestionText {
  caseHtml: string | null;
  askHtml: string;
  /** By the ids of the answers. */
  answers: ReadonlyMap<string, { html: string; becauseHtml: string }>;
}

/** The files of a course by their paths in its folder, such as `en/questions.yaml`. */
export type CourseFiles = ReadonlyMap<string, Buffer>;

/** What is wrong with the files of courses, and where. */
export interface Fault {
  /** From the folder of the courses on. */
  file: string;
  /** A line, a field, or nothing where it is the whole file. */
  place: string;
  message: string;
}

export function inLine({ file, place, message: texts }: Fault): string {
  return `${file}${place ? `, ${place}` : ''}: ${texts}`;
}
