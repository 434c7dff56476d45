import { CORE_SCHEMA, dump, load } from 'js-yaml';
import type { Schemas } from '../../../../contract/contract.ts';
import { type Language, LANGUAGES } from '../../../../contract/languages.ts';

/** The files of a course by their paths. */
export type Files = ReadonlyMap<string, string>;

/** A lesson or a question, in the order in which learners see it. */
export interface EditedStep {
  /** Key such as `lesson:01-first` or `question:first`, as in findings. */
  key: string;
  kind: 'lesson' | 'question';
  /** Name of the lesson or id of the question. */
  name: string;
  /** The title of the lesson, or the text of the question. */
  title: string;
  /** Lesson that the question follows; undefined at the end, and for lessons. */
  lesson: string | undefined;
}

/** Names, length and languages of a course. */
export interface Settings {
  names: Partial<Record<Language, string>>;
  summaries: Partial<Record<Language, string>>;
  minutes: number;
  passMark: number;
  languages: Language[];
}

const MANIFEST = 'course.yaml';
export const QUESTION_KINDS = ['one', 'many', 'mail', 'scenario'] as const;

export function toFiles({ files }: Pick<Schemas['CourseContent'], 'files'>): Map<string, string> {
  return new Map(files.map(({ path, text }) => [path, text]));
}

export function toFileList(files: Files): Schemas['SaveCourseContentInput']['files'] {
  return [...files].map(([path, text]) => ({ path, text }));
}

/**
 * Parses the manifest. Call it only if the check can read the file, because a hostile file can block the parser.
 * @returns undefined if it is not an object
 */
export function readManifest(files: Files): Record<string, unknown> | undefined {
  try {
    const read = load(files.get(MANIFEST) ?? '', { schema: CORE_SCHEMA });
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Reports whether the check can read a YAML file, though it can have faults. */
export function isReadable(path: string, findings: readonly Schemas['CourseContentFinding'][]): boolean {
  return !findings.some((one) => one.path === path && one.step === null && one.place === '');
}

export function toSettings(manifest: Record<string, unknown>): Settings {
  const { names, summaries, minutes, passMark, languages } = manifest;
  const texts = (value: unknown) =>
    Object.fromEntries(
      LANGUAGES.flatMap((one) => (isObject(value) && typeof value[one] === 'string' ? [[one, value[one]]] : [])),
    );
  return {
    names: texts(names),
    summaries: texts(summaries),
    minutes: typeof minutes === 'number' ? minutes : 5,
    passMark: typeof passMark === 'number' ? passMark : 80,
    languages: LANGUAGES.filter((one) => Array.isArray(languages) && languages.includes(one)),
  };
}

/** Replaces the settings, and adds or removes the files of languages. A new language begins as a copy of the first. */
export function withSettings(files: Files, manifest: Record<string, unknown>, settings: Settings): Files {
  const before = listLanguages(files);
  const copied = before[0];
  const next = new Map([...files].filter(([path]) => path === MANIFEST || isIn(path, settings.languages)));
  for (const language of settings.languages.filter((one) => copied !== undefined && !before.includes(one))) {
    for (const [path, text] of files) if (isIn(path, [copied!])) next.set(`${language}${path.slice(2)}`, text);
  }
  return next.set(MANIFEST, write({ ...manifest, ...settings }));
}

/** Lists the languages that have files. */
export function listLanguages(files: Files): Language[] {
  return LANGUAGES.filter((language) => [...files.keys()].some((path) => isIn(path, [language])));
}

function isIn(path: string, languages: readonly Language[]): boolean {
  return languages.some((language) => path.startsWith(`${language}/`));
}

/** Lists the lessons and questions of a language in the order in which learners see them. */
export function listSteps(files: Files, language: Language): EditedStep[] {
  const lessons = listLessons(files, language).map((name): EditedStep => {
    const title = /^#\s+(.+)$/m.exec(files.get(toLessonPath(language, name)) ?? '')?.[1] ?? name;
    return { key: `lesson:${name}`, kind: 'lesson', name, title, lesson: undefined };
  });
  const questions = splitEntries(files.get(toQuestionsPath(language)) ?? '').entries.flatMap(({ id, text }) => {
    if (id === undefined) return [];
    const title = readField(text, 'ask') ?? id;
    const lesson = readField(text, 'lesson');
    return [{ key: `question:${id}`, kind: 'question', name: id, title, lesson } satisfies EditedStep];
  });
  const names = new Set(lessons.map(({ name }) => name));
  const taught = lessons.flatMap((one) => [one, ...questions.filter(({ lesson }) => lesson === one.name)]);
  return [...taught, ...questions.filter(({ lesson }) => lesson === undefined || !names.has(lesson))];
}

export function listLessons(files: Files, language: Language): string[] {
  const own = [...files.keys()].filter((path) => path.startsWith(`${language}/`) && path.endsWith('.md'));
  return own.map((path) => path.slice(3, -3)).sort();
}

export function toLessonPath(language: Language, name: string): string {
  return `${language}/${name}.md`;
}

export function toQuestionsPath(language: Language): string {
  return `${language}/questions.yaml`;
}

/** An entry of a `questions.yaml`, as text. */
export interface Entry {
  id: string | undefined;
  text: string;
}

/** Splits a `questions.yaml` into its entries. A comment belongs to the entry that it follows. */
export function splitEntries(text: string): { head: string; entries: Entry[] } {
  const [head = '', ...rest] = text.split(/^(?=- )/m);
  const blocks = head.startsWith('- ') ? [head, ...rest] : rest;
  const entries = blocks.map((block) => ({ id: readField(block, 'id'), text: block }));
  return { head: head.startsWith('- ') ? '' : head, entries };
}

export function joinEntries(head: string, entries: readonly Entry[]): string {
  return head + entries.map(({ text }) => `${text.trimEnd()}\n`).join('\n');
}

/** Returns a single-line field of an entry, such as its id. */
export function readField(entry: string, name: string): string | undefined {
  // Trimmed afterwards, because a pattern that excludes trailing spaces takes quadratic time.
  const value = new RegExp(`^(?:- | {2})${name}:(.*)$`, 'm').exec(entry)?.[1]?.trim() || undefined;
  const isBlock = value !== undefined && /^[>|][-+]?$/.test(value);
  const text = isBlock
    ? entry
        .split(new RegExp(`^(?:- | {2})${name}: .*\n`, 'm'))[1]
        ?.split('\n')[0]
        ?.trim()
    : value;
  return text?.replace(/^(['"])(.*)\1$/, '$2');
}

/** Writes values as YAML. */
export function write(value: unknown): string {
  return dump(value, { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the files of a new course in one language, with a lesson and a question to start from. */
export function createFiles(language: Language, texts: Record<'name' | 'summary' | 'lesson' | 'ask', string>): Files {
  const manifest = {
    names: { [language]: texts.name },
    summaries: { [language]: texts.summary },
    ...{ minutes: 5, passMark: 80, languages: [language], reviewed: new Date().toISOString().slice(0, 10) },
  };
  const files = new Map([[MANIFEST, write(manifest)]]);
  files.set(toLessonPath(language, '01-first-lesson'), `# ${texts.lesson}\n`);
  return files.set(toQuestionsPath(language), joinEntries('', [createQuestion('question-1', 'one', texts.ask)]));
}

/** Copies the files of a course from the catalogue, without its pictures, its short courses and its id. */
export function copyFiles(files: Files): Files {
  const fields = Object.entries(readManifest(files) ?? {}).filter(([name]) => name !== 'id' && name !== 'pieces');
  const copied = [...files].map(([path, text]) => {
    return [path, path.endsWith('.md') ? text.replace(/^!\[[^\]]*\]\([^)]*\)\n+/gm, '') : text] as const;
  });
  return new Map(copied).set(MANIFEST, write(Object.fromEntries(fields)));
}

/** Creates a question with empty texts, which the check reports as faults until an author fills them in. */
export function createQuestion(id: string, kind: (typeof QUESTION_KINDS)[number], ask: string, lesson?: string): Entry {
  const answer = (answerId: string, right: boolean, text?: string) => ({
    ...{ id: answerId, ...(text !== undefined && { text }), right, because: '…' },
  });
  const place = { id, ...(lesson !== undefined && { lesson }), kind, ask };
  const mail = {
    from: { name: '…', address: 'sender@example.test' },
    ...{ to: 'you@example.test', date: '…', subject: '…', body: [{ id: 'push', text: '…' }] },
  };
  const scenes = [
    {
      id: 'start',
      text: '…',
      choices: [
        { ...{ id: 'a', text: '…' }, to: 'bad' },
        { ...{ id: 'b', text: '…' }, to: 'good' },
      ],
    },
    { id: 'bad', text: '…', end: 'bad' },
    { id: 'good', text: '…', end: 'good' },
  ];
  const parts = {
    one: { answers: [answer('a', true, '…'), answer('b', false, '…')] },
    many: { answers: [answer('a', true, '…'), answer('b', false, '…')] },
    mail: { mail, answers: [answer('push', true), answer('from', true), answer('harmless', false)] },
    scenario: { scenes },
  };
  return { id, text: write([{ ...place, ...parts[kind] }]) };
}
