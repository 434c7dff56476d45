import type { Request, Response, Router } from 'express';
import { notFound } from '../../../../contract/errors.ts';
import { type Language, LANGUAGES } from '../../../../contract/languages.ts';
import { getForm } from '../../../../http/body/form.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import type { FieldValues } from '../../../shared/parts/fields.ts';
import { renderNotice } from '../../../shared/parts/notice.ts';
import { getAdmin } from '../../admin.ts';
import { sendConsolePage } from '../../console-page.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import {
  type Files,
  isReadable,
  readManifest,
  type Settings,
  splitEntries,
  toLessonPath,
  toQuestionsPath,
  toSettings,
  withSettings,
} from './course-files.ts';
import { mapQuestions } from './edit-steps.ts';
import {
  type Edited,
  type FormView,
  getTitle,
  readEdited,
  type Rejected,
  saveFiles,
  toEditorPath,
  toId,
  toView,
} from './editor-reading.ts';
import { editorMessages } from './editor-messages.ts';
import { formMessages } from './form-messages.ts';
import {
  editorForm,
  entryFields,
  fileFields,
  lessonFields,
  MAX_ANSWERS,
  type Questions,
  questionFields,
  settingsFields,
  toTypedQuestion,
  toTypedSettings,
} from './form-pages.ts';
import { type ChoiceQuestion, readChoiceQuestion, writeChoiceQuestion } from './question-entry.ts';

/** Path to which a form was submitted, and the language of its page. */
interface Place {
  req: Request;
  language: Language;
}

/** A form of the editor: fills, renders and reads its fields. */
interface EditForm {
  /** Path of the form, relative to the editor. */
  path: (req: Request) => string;
  /** @throws {ApiError} `not_found` if the course does not have the part */
  fill: (edited: Edited, req: Request) => FieldValues;
  /** @param chosen the values of check boxes; undefined for the stored ones */
  fields: (view: FormView, typed: FieldValues, req: Request) => Html;
  /** Returns the files with the entered values, or the faults by field. */
  read: (edited: Edited, form: URLSearchParams, at: Place) => Files | { faults: Record<string, string> };
}

/** Adds the forms of settings, lessons, questions and files. */
export function addEditorForms(pages: Router, runs: ConsoleRuns): void {
  const add = (rest: string, edit: EditForm) => {
    pages.get(`/courses/:courseId/editor${rest}`, (req, res) => showForm(runs, edit, req, res));
    pages.post(`/courses/:courseId/editor${rest}`, (req, res) => saveForm(runs, edit, req, res));
  };
  add('/settings', SETTINGS);
  add('/lessons/:name', LESSON);
  add('/questions/:name', QUESTION);
  add('/file', FILE);
}

async function showForm(
  runs: ConsoleRuns,
  edit: EditForm,
  req: Request,
  res: Response,
  rejected?: Rejected,
): Promise<void> {
  const edited = await readEdited(runs, req, res);
  const typed = rejected ? toTyped(rejected.form) : edit.fill(edited, req);
  const view = toView(res, edited, rejected);
  const notice = rejected ? undefined : renderNotice(req, editorMessages[view.language].notices);
  const content = html`${notice} ${editorForm(view, edit.path(req), edit.fields(view, typed, req))}`;
  sendConsolePage(res, { title: getTitle(edited, view.language), content, status: rejected?.status ?? 200 });
}

async function saveForm(runs: ConsoleRuns, edit: EditForm, req: Request, res: Response): Promise<void> {
  const form = getForm(req);
  const edited = await readEdited(runs, req, res);
  const show = (rejected: Rejected) => showForm(runs, edit, req, res, rejected);
  const files = edit.read(edited, form, { req, language: getAdmin(res).language });
  if ('faults' in files) return show({ form, faults: { fields: files.faults, whole: undefined }, status: 400 });
  await saveFiles({ runs, req, res, form }, files, toEditorPath(toId(req), edit.path(req)), show);
}

/** Returns the entered values. Each checked answer becomes a separate value, and languages are joined. */
function toTyped(form: URLSearchParams): FieldValues {
  const rights = form.getAll('right').map((index): [string, string] => [`right-${index}`, 'yes']);
  const fields: [string, string][] = [...form, ...rights, ['languages', form.getAll('languages').join()]];
  return Object.fromEntries(fields);
}

const toLf = (text: string | null) => (text ?? '').replace(/\r\n?/g, '\n');
const toName = (req: Request) => req.params.name as string;
const toQueryPath = (req: Request) => (typeof req.query.path === 'string' ? req.query.path : '');

const SETTINGS: EditForm = {
  path: () => '/settings',
  fill: ({ files, content }) => {
    const settings = toSettings(requireManifest(files, content));
    return { ...toTypedSettings(settings), languages: settings.languages.join() };
  },
  fields: (view, typed) => settingsFields(view, typed, (typed.languages ?? '').split(',')),
  read: ({ files, content }, form, { language }) => {
    const manifest = requireManifest(files, content);
    const languages = LANGUAGES.filter((one) => form.getAll('languages').includes(one));
    if (languages.length === 0) return { faults: { languages: formMessages[language].noLanguage } };
    const texts = (field: string) =>
      Object.fromEntries(
        LANGUAGES.flatMap((one) => {
          const text = toLf(form.get(`${field}-${one}`)).trim();
          return text === '' || !languages.includes(one) ? [] : [[one, text]];
        }),
      );
    const settings: Settings = {
      ...{ names: texts('name'), summaries: texts('summary'), languages },
      ...{ minutes: Number(form.get('minutes')), passMark: Number(form.get('passMark')) },
    };
    return withSettings(files, manifest, settings);
  },
};

function requireManifest(files: Files, { findings }: Edited['content']): Record<string, unknown> {
  const manifest = isReadable('course.yaml', findings) ? readManifest(files) : undefined;
  if (!manifest) throw notFound('page');
  return manifest;
}

const LESSON: EditForm = {
  path: (req) => `/lessons/${toName(req)}`,
  fill: ({ files, languages, steps }, req) => {
    const name = toName(req);
    if (!steps.some(({ key }) => key === `lesson:${name}`)) throw notFound('page');
    return Object.fromEntries(languages.map((one) => [`text-${one}`, files.get(toLessonPath(one, name)) ?? '']));
  },
  fields: (view, typed, req) => lessonFields(view, toName(req), typed),
  read: ({ files, languages }, form, { req }) => {
    const texts = languages.map((one) => {
      return [toLessonPath(one, toName(req)), `${toLf(form.get(`text-${one}`)).trimEnd()}\n`] as const;
    });
    return new Map([...files, ...texts]);
  },
};

const QUESTION: EditForm = {
  path: (req) => `/questions/${toName(req)}`,
  fill: (edited, req) => {
    const id = toName(req);
    if (!edited.steps.some(({ key }) => key === `question:${id}`)) throw notFound('page');
    const questions = readQuestions(edited, id);
    if (questions) return toTypedQuestion(questions);
    return Object.fromEntries(edited.languages.map((one) => [`text-${one}`, findEntry(edited.files, one, id)]));
  },
  fields: (view, typed, req) => {
    const id = toName(req);
    const questions = readQuestions(view, id);
    return questions ? questionFields(view, id, questions, typed) : entryFields(view, id, typed);
  },
  read: (edited, form, { req, language }) => {
    const id = toName(req);
    const questions = readQuestions(edited, id);
    return questions ? readQuestionForm(edited, id, questions, form) : readEntryForm(edited, { id, language }, form);
  },
};

function findEntry(files: Files, language: Language, id: string): string {
  return splitEntries(files.get(toQuestionsPath(language)) ?? '').entries.find((one) => one.id === id)?.text ?? '';
}

/** Reads a question in all languages; undefined if it has no form, or a file has a fault. */
function readQuestions({ files, languages, content }: Edited, id: string): Questions | undefined {
  if (!languages.every((one) => isReadable(toQuestionsPath(one), content.findings))) return undefined;
  const all = languages.map((one) => [one, readChoiceQuestion(findEntry(files, one, id))] as const);
  return all.every((one): one is [Language, ChoiceQuestion] => one[1] !== undefined) ? new Map(all) : undefined;
}

function readQuestionForm({ files }: Edited, id: string, questions: Questions, form: URLSearchParams): Files {
  const rights = form.getAll('right');
  const numbers = Array.from({ length: MAX_ANSWERS }, (_, index) => index);
  const field = (name: string) => toLf(form.get(name)).trim();
  const isUsed = (index: number) =>
    [...questions.keys()].some((one) => field(`answer-${index}-${one}`) + field(`because-${index}-${one}`) !== '');
  const [first] = questions.values();
  const ids = (first?.answers ?? []).map((answer) => answer.id);
  const free = [...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => !ids.includes(letter));
  const used = numbers.filter(isUsed).map((index) => ({ index, id: ids[index] ?? free.shift()! }));
  const lesson = field('lesson');
  return mapQuestions(files, (entries, one) =>
    entries.map((entry) => {
      const question = questions.get(one);
      if (entry.id !== id || !question) return entry;
      const text = writeChoiceQuestion({
        ...{ ask: field(`ask-${one}`), case: field(`case-${one}`) },
        answers: used.map(({ index, id: answerId }) => ({
          ...{ id: answerId, text: field(`answer-${index}-${one}`), right: rights.includes(String(index)) },
          because: field(`because-${index}-${one}`),
        })),
        rest: {
          ...question.rest,
          kind: form.get('kind') === 'many' ? 'many' : 'one',
          lesson: lesson === '' ? undefined : lesson,
        },
      });
      return { ...entry, text };
    }),
  );
}

function readEntryForm(
  { files, languages }: Edited,
  { id, language }: { id: string; language: Language },
  form: URLSearchParams,
): Files | { faults: Record<string, string> } {
  const typed = (one: Language) => `${toLf(form.get(`text-${one}`)).trim()}\n`;
  const isEntry = (one: Language) => {
    const { head, entries } = splitEntries(typed(one));
    return head === '' && entries.length === 1 && entries[0]!.id === id;
  };
  const wrong = languages.filter((one) => !isEntry(one));
  const fault = formMessages[language].entryFault;
  if (wrong.length > 0) return { faults: Object.fromEntries(wrong.map((one) => [`text-${one}`, fault])) };
  return mapQuestions(files, (entries, one) =>
    entries.map((entry) => (entry.id === id ? { ...entry, text: typed(one) } : entry)),
  );
}

const FILE: EditForm = {
  path: (req) => `/file?path=${encodeURIComponent(toQueryPath(req))}`,
  fill: ({ files }, req) => {
    const text = files.get(toQueryPath(req));
    if (text === undefined) throw notFound('page');
    return { text };
  },
  fields: (view, typed, req) => fileFields(view, toQueryPath(req), typed),
  read: ({ files }, form, { req }) => {
    const path = toQueryPath(req);
    if (!files.has(path)) throw notFound('page');
    return new Map(files).set(path, `${toLf(form.get('text')).trimEnd()}\n`);
  },
};
