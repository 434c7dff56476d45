import type { Language } from '../../../contract/languages.ts';

/** An authored course in all its languages. */
export interface AuthoredCourse {
  /** Name of the course's folder. */
  slug: string;
  /** Id of the course in the catalogue. The gap analysis is found by its type, because a catalogue has only one. */
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
  /** Short courses made of lessons from this course. */
  pieces: readonly AuthoredCourse[];
  /** The course that this course is a piece of; null if it is not a piece. */
  pieceOf: AuthoredCourse | null;
  /** Pictures by the names in their URLs, which change with the content. */
  pictures: ReadonlyMap<string, Buffer>;
}

/** Content of one page: a lesson, or questions that are answered together. */
export interface Step {
  /** The lesson; null for questions. */
  lesson: Part | null;
  /**
   * Name of the lesson that the step contains or follows; null for the questions at the end, and in the gap analysis.
   */
  lessonName: string | null;
  /** Pool that the step belongs to; null if every attempt includes the step. */
  pool: Pool | null;
  questions: readonly Question[];
}

/** Pool of steps. Each attempt includes only some of them, in an order that differs between attempts (`pools.ts`). */
export interface Pool {
  name: string;
  /** Number of steps of the pool that an attempt includes. */
  draw: number;
}

/** A lesson or a question: a unit that is read or answered as a whole. */
export interface Part {
  /** Key of the form `lesson:…` or `question:…`, unique in the course. */
  key: string;
  /** Hash of the texts in all languages. */
  version: string;
}

export interface Question extends Part {
  id: string;
  kind: QuestionKind;
  /** Answers; for an email, the parts that can be marked; empty for a scenario. */
  answers: readonly { id: string; right: boolean }[];
  /** Number of correct answers that must be chosen; null if all must be chosen. */
  atLeast: number | null;
  /** Scenes of a scenario, starting with the first; empty for other kinds. */
  scenes: readonly Scene[];
  /** Slug of the course that teaches the subject of the question; null outside the gap analysis. */
  subject: string | null;
}

/**
 * Kind of question: one correct answer, any number of correct answers, an email whose suspicious parts the learner
 * marks (`mail.ts`), or a scenario made of scenes (`scenario.ts`).
 */
export type QuestionKind = 'one' | 'many' | 'mail' | 'scenario';

/** A scene of a scenario. It has either choices or an end. */
export interface Scene {
  id: string;
  end: 'good' | 'bad' | null;
  /** Choices, with the id of the scene that each leads to. */
  choices: readonly { id: string; to: string }[];
}

/** A course in one language. Fields named `html` are safe to insert into a page. */
export interface CourseText {
  name: string;
  summary: string;
  /** Lessons, by the keys of their parts. */
  lessons: ReadonlyMap<string, LessonText>;
  questions: ReadonlyMap<string, QuestionText>;
}

export interface LessonText {
  title: string;
  html: string;
  /** HTML after the reporting channels of the learner's company; null if the lesson does not show them. */
  afterHtml: string | null;
}

export interface QuestionText {
  caseHtml: string | null;
  askHtml: string;
  /** Texts of the answers, by id. */
  answers: ReadonlyMap<string, { html: string; becauseHtml: string }>;
  /** The email to inspect; null for other kinds. */
  mail: MailText | null;
  /** Texts of the scenes, and of their choices, by id. */
  scenes: ReadonlyMap<string, { html: string; choices: ReadonlyMap<string, string> }>;
}

/** An email in one language. Only fields that end in `Html` contain HTML. */
export interface MailText {
  from: { name: string; address: string };
  to: string;
  date: string;
  subject: string;
  /** Name of the attached file; null if there is none. */
  attachment: string | null;
  /** Headers that clients show on demand. */
  headers: readonly { id: string | null; name: string; value: string }[];
  body: readonly MailPiece[];
}

/** A paragraph or a link in an email. */
export interface MailPiece {
  /** Id by which the piece can be marked; null if it cannot. */
  id: string | null;
  textHtml: string;
  /** Real URL of a link; null for a paragraph. */
  address: string | null;
}

/** Files of a course by their paths in its folder, such as `en/questions.yaml`. */
export type CourseFiles = ReadonlyMap<string, Buffer>;

/** A fault in the files of courses, and its location. */
export interface Fault {
  /** Path within the content folder. */
  file: string;
  /** Line or field; empty for the whole file. */
  place: string;
  message: string;
}

/** Returns the language for people who read none of a course's languages: English, or else the first language. */
export function getBaseLanguage(languages: readonly Language[]): Language {
  return languages.includes('en') ? 'en' : languages[0]!;
}

export function inLine({ file, place, message: texts }: Fault): string {
  return `${file}${place ? `, ${place}` : ''}: ${texts}`;
}
