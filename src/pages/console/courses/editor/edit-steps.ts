import type { Language } from '../../../../contract/languages.ts';
import {
  createQuestion,
  type Entry,
  type Files,
  joinEntries,
  listLanguages,
  listLessons,
  type QUESTION_KINDS,
  readField,
  splitEntries,
  toLessonPath,
  toQuestionsPath,
} from './course-files.ts';

/** A change to a course's steps, in all languages. */
export type StepChange =
  | { action: 'addLesson'; title: string }
  | { action: 'addQuestion'; kind: (typeof QUESTION_KINDS)[number]; lesson: string | undefined; ask: string }
  | { action: 'up' | 'down' | 'remove'; key: string };

/** Applies a change. Returns the files, and the key of a step that was added. */
export function changeSteps(files: Files, change: StepChange): { files: Files; added?: string } {
  if (change.action === 'addLesson') return addLesson(files, change.title);
  if (change.action === 'addQuestion') return addQuestion(files, change);
  const [kind, name = ''] = change.key.split(/:(.*)/s);
  if (kind === 'lesson')
    return { files: change.action === 'remove' ? removeLesson(files, name) : moveLesson(files, name, change.action) };
  return { files: mapQuestions(files, (entries) => changeEntries(entries, name, change.action)) };
}

function addLesson(files: Files, title: string): { files: Files; added: string } {
  const languages = listLanguages(files);
  const last = Math.max(
    0,
    ...languages.flatMap((one) => listLessons(files, one).map((name) => Number(name.slice(0, 2)))),
  );
  const slug = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  const name = `${String(Math.min(last + 1, 99)).padStart(2, '0')}-${slug || 'lesson'}`;
  const added = languages.map((language) => [toLessonPath(language, name), `# ${title}\n`] as const);
  return { files: new Map([...files, ...added]), added: `lesson:${name}` };
}

function addQuestion(
  files: Files,
  { kind, lesson, ask }: Extract<StepChange, { action: 'addQuestion' }>,
): { files: Files; added: string } {
  const used = new Set(
    listLanguages(files).flatMap((one) =>
      splitEntries(files.get(toQuestionsPath(one)) ?? '').entries.map(({ id }) => id),
    ),
  );
  let number = used.size + 1;
  while (used.has(`question-${number}`)) number += 1;
  const id = `question-${number}`;
  return {
    files: mapQuestions(files, (entries) => [...entries, createQuestion(id, kind, ask, lesson)]),
    added: `question:${id}`,
  };
}

/** Replaces the entries of each language. */
export function mapQuestions(files: Files, map: (entries: Entry[], language: Language) => Entry[]): Files {
  const next = new Map(files);
  for (const language of listLanguages(files)) {
    const path = toQuestionsPath(language);
    const { head, entries } = splitEntries(files.get(path) ?? '');
    next.set(path, joinEntries(head, map(entries, language)));
  }
  return next;
}

function changeEntries(entries: Entry[], id: string, action: 'up' | 'down' | 'remove'): Entry[] {
  const index = entries.findIndex((entry) => entry.id === id);
  if (index < 0) return entries;
  if (action === 'remove') return entries.toSpliced(index, 1);
  const lesson = readField(entries[index]!.text, 'lesson');
  const isNear = ({ text }: Entry) => readField(text, 'lesson') === lesson;
  const other =
    action === 'up'
      ? entries.slice(0, index).findLastIndex(isNear)
      : entries.findIndex((one, at) => at > index && isNear(one));
  if (other < 0) return entries;
  return entries.with(index, entries[other]!).with(other, entries[index]!);
}

/** Removes a lesson. Its questions move to the end of the course. */
function removeLesson(files: Files, name: string): Files {
  const kept = new Map([...files].filter(([path]) => path.slice(3) !== `${name}.md`));
  return mapQuestions(kept, (entries) =>
    entries.map((entry) =>
      readField(entry.text, 'lesson') === name ? { ...entry, text: setLesson(entry.text, undefined) } : entry,
    ),
  );
}

/** Swaps the numbers of two lessons. */
function moveLesson(files: Files, name: string, action: 'up' | 'down'): Files {
  const lessons = listLessons(files, listLanguages(files)[0]!);
  const index = lessons.indexOf(name);
  const other = lessons[index + (action === 'up' ? -1 : 1)];
  if (index < 0 || other === undefined) return files;
  const renamed = new Map([
    [name, other.slice(0, 2) + name.slice(2)],
    [other, name.slice(0, 2) + other.slice(2)],
  ]);
  const moved = [...files].map(([path, text]) => {
    const now = path.endsWith('.md') ? renamed.get(path.slice(3, -3)) : undefined;
    return [now === undefined ? path : `${path.slice(0, 3)}${now}.md`, text] as const;
  });
  return mapQuestions(new Map(moved), (entries) =>
    entries.map((entry) => {
      const now = renamed.get(readField(entry.text, 'lesson') ?? '');
      return now === undefined ? entry : { ...entry, text: setLesson(entry.text, now) };
    }),
  );
}

/** Replaces the line that names the lesson of an entry; undefined removes the line. */
export function setLesson(entry: string, lesson: string | undefined): string {
  const without = entry.replace(/^ {2}lesson: .*\n/m, '');
  return lesson === undefined ? without : without.replace(/^(- .*\n)/, `$1  lesson: ${lesson}\n`);
}
