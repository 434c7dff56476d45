import { LANGUAGES } from '../../../contract/languages.ts';
import type { AuthoredCourse, Fault } from './course.ts';
import { readCourse } from './read-course.ts';

/** A file of a company's own course. */
export interface CourseFile {
  /** Path within the folder of the course, such as `en/questions.yaml`. */
  path: string;
  text: string;
}

/** A fault in a company's own course, and its location. */
export interface CourseFinding {
  path: string;
  /** The lesson or question at fault, such as `lesson:01-first`; null if the fault concerns the whole course. */
  step: string | null;
  /** Field of a YAML file, such as `0/answers`; empty if the fault has none. */
  place: string;
  line: number | null;
  message: string;
}

/** A company's own course, and its faults. */
export interface ReadOwnCourse {
  /** The course, which can be shown even if there are findings; undefined if it cannot be read. */
  course: AuthoredCourse | undefined;
  findings: readonly CourseFinding[];
}

/** Maximum number of characters of `course.yaml`; the next two limit a lesson and a `questions.yaml`. */
const MAX_MANIFEST = 8_000;
const MAX_LESSON = 20_000;
const MAX_QUESTIONS = 100_000;
const MAX_LESSONS = 30;
/** Maximum number of questions in a file. The schema has the same maximum, but reports each further question. */
const MAX_QUESTION_COUNT = 100;
/** Maximum total number of characters of all files. Limits the time that hostile files can take. */
const MAX_TOTAL = 300_000;
const MAX_FINDINGS = 100;

/** Reads a company's own course. Checks the rules of `make content-lint` and the limits of own courses. */
export function readOwnCourse(courseId: string, files: readonly CourseFile[]): ReadOwnCourse {
  const faults: Fault[] = [];
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const path = `courses/${courseId}`;
  const limited = judgeLimits(files);
  const bytes = new Map(files.map((file) => [file.path, Buffer.from(file.text)]));
  const course = limited.length > 0 ? undefined : readCourse(path, bytes, faults, courseId);
  const found = faults.slice(0, MAX_FINDINGS).map((fault) => toFinding(fault, path, texts));
  return { course, findings: [...limited, ...found].slice(0, MAX_FINDINGS) };
}

/** Reports files that exceed the limits; they are not read. */
function judgeLimits(files: readonly CourseFile[]): CourseFinding[] {
  const tooLong = files.flatMap(({ path, text }): CourseFinding[] => {
    const max = path === 'course.yaml' ? MAX_MANIFEST : path.endsWith('.md') ? MAX_LESSON : MAX_QUESTIONS;
    const message = `has ${text.length} characters; at most ${max} are allowed`;
    return text.length > max ? [{ path, step: toLessonStep(path), place: '', line: null, message }] : [];
  });
  const tooMany = LANGUAGES.flatMap((language): CourseFinding[] => {
    const count = files.filter(({ path }) => path.startsWith(`${language}/`) && path.endsWith('.md')).length;
    const message = `has ${count} lessons; at most ${MAX_LESSONS} are allowed`;
    return count > MAX_LESSONS ? [{ path: language, step: null, place: '', line: null, message }] : [];
  });
  const tooManyQuestions = files.flatMap(({ path, text }): CourseFinding[] => {
    const count = path.endsWith('/questions.yaml') ? (text.match(/^- /gm)?.length ?? 0) : 0;
    const message = `has ${count} questions; at most ${MAX_QUESTION_COUNT} are allowed`;
    return count > MAX_QUESTION_COUNT ? [{ path, step: null, place: '', line: null, message }] : [];
  });
  const total = files.reduce((sum, { text }) => sum + text.length, 0);
  const message = `the files have ${total} characters; at most ${MAX_TOTAL} are allowed`;
  const tooLarge = total > MAX_TOTAL ? [{ path: 'course.yaml', step: null, place: '', line: null, message }] : [];
  return [...tooLong, ...tooMany, ...tooManyQuestions, ...tooLarge];
}

function toFinding({ file, place, message }: Fault, folder: string, texts: ReadonlyMap<string, string>): CourseFinding {
  const path = file.slice(folder.length + 1);
  const atLine = /^line (\d+)$/.exec(place)?.[1];
  if (path.endsWith('.md') || atLine !== undefined)
    return { path, step: toLessonStep(path), place: '', line: atLine === undefined ? null : Number(atLine), message };
  const entries = path.endsWith('/questions.yaml') ? listEntries(texts.get(path) ?? '') : [];
  const index = /^\d+/.exec(place)?.[0];
  const id = /\(([a-z0-9-]+)\)$/.exec(message)?.[1];
  const entry = index === undefined ? entries.find((one) => id !== undefined && one.id === id) : entries[Number(index)];
  return { path, step: entry?.id ? `question:${entry.id}` : null, place, line: entry?.line ?? null, message };
}

function toLessonStep(path: string): string | null {
  const name = /^[a-z]{2}\/(.+)\.md$/.exec(path)?.[1];
  return name === undefined ? null : `lesson:${name}`;
}

/** Lists the entries of a `questions.yaml`: the line on which each begins, and its id. */
function listEntries(text: string): { line: number; id: string | undefined }[] {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (/^- /.test(line) ? [index] : []));
  return starts.map((start, position) => {
    const entry = lines.slice(start, starts[position + 1]);
    const id = entry.map((line) => /^(?:- | {2})id: *['"]?([a-z0-9-]+)['"]? *(?:#.*)?$/.exec(line)?.[1]).find(Boolean);
    return { line: start + 1, id };
  });
}
