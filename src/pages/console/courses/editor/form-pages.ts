import { type Language, LANGUAGES } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import {
  choicesField,
  type FieldValues,
  type Faults,
  formFault,
  hiddenFields,
  selectField,
  type SelectItem,
  textAreaField,
  textField,
} from '../../../shared/parts/fields.ts';
import { LANGUAGE_NAMES } from '../../../shared/player/player-messages.ts';
import { type Settings, toLessonPath, toQuestionsPath } from './course-files.ts';
import { editorMessages } from './editor-messages.ts';
import { type FormView, toEditorPath } from './editor-reading.ts';
import { findingsList, toFault } from './findings.ts';
import { formMessages } from './form-messages.ts';
import type { ChoiceQuestion } from './question-entry.ts';

/** Rows for new answers below the existing ones. */
const FREE_ANSWERS = 2;
export const MAX_ANSWERS = 10;

/** Renders a form of the editor with its link back. */
export function editorForm(view: FormView, action: string, fields: Html): Html {
  const { course, language, formToken, once, version, faults } = view;
  return html`
    <p><a href=${toEditorPath(course.id)}>${editorMessages[language].toSteps}</a></p>
    ${formFault(faults.whole)}
    <form method="post" action=${toEditorPath(course.id, action)}>
      ${hiddenFields(formToken, once)} <input type="hidden" name="version" value=${version} />
      ${fields}
      <button type="submit">${formMessages[language].save}</button>
    </form>
    ${apiCalls([{ operationId: 'saveCourseContent', path: { courseId: course.id } }], language)}
  `;
}

/** Renders the fields of one language. */
function ofLanguage(one: Language, fields: Html): Html {
  return html`<fieldset lang=${one}>
    <legend>${LANGUAGE_NAMES[one]}</legend>
    ${fields}
  </fieldset>`;
}

export function settingsFields({ language, faults }: FormView, typed: FieldValues, chosen: readonly string[]): Html {
  const texts = formMessages[language];
  const number = (name: 'minutes' | 'passMark', max: string) =>
    textField(
      { name, label: texts[name], also: { type: 'number', min: '1', max, required: true } },
      typed,
      faults.fields,
    );
  const names = (one: Language) =>
    ofLanguage(
      one,
      html`${textField({ name: `name-${one}`, label: texts.name, also: { maxlength: '200' } }, typed, faults.fields)}
      ${textAreaField({ name: `summary-${one}`, label: texts.summary }, typed, faults.fields)}`,
    );
  const options = LANGUAGES.map((one): SelectItem => [one, LANGUAGE_NAMES[one]]);
  return html`
    ${choicesField({ name: 'languages', label: texts.languages, options }, chosen, faults.fields)}
    <p class="hint">${texts.languagesHint}</p>
    ${LANGUAGES.map(names)} ${number('minutes', '60')} ${number('passMark', '100')}
  `;
}

export function toTypedSettings({ names, summaries, minutes, passMark }: Settings): FieldValues {
  const texts = LANGUAGES.flatMap((one): [string, string][] => [
    [`name-${one}`, names[one] ?? ''],
    [`summary-${one}`, summaries[one] ?? ''],
  ]);
  return { ...Object.fromEntries(texts), minutes: String(minutes), passMark: String(passMark) };
}

/** Renders the text of a lesson in each language. */
export function lessonFields(view: FormView, name: string, typed: FieldValues): Html {
  const { language, languages, content } = view;
  const texts = formMessages[language];
  const field = (one: Language, index: number) => {
    const fault = toFault(content.findings, `lesson:${name}`, toLessonPath(one, name));
    const faults: Faults = fault === undefined ? {} : { [`text-${one}`]: fault };
    const also = { rows: '18', maxlength: '20000', required: true, lang: one, spellcheck: true };
    const hint = index === 0 ? { hint: texts.markdownHint } : {};
    const label = `${texts.text} (${LANGUAGE_NAMES[one]})`;
    return textAreaField({ name: `text-${one}`, label, ...hint, also }, typed, faults);
  };
  return html`${languages.map(field)}`;
}

/** A question in each language. */
export type Questions = ReadonlyMap<Language, ChoiceQuestion>;

/** Renders a question with its answers in each language. */
export function questionFields(view: FormView, id: string, questions: Questions, typed: FieldValues): Html {
  const { language, content } = view;
  const texts = formMessages[language];
  const own = content.findings.filter(({ step }) => step === `question:${id}`);
  const count = Math.min(
    MAX_ANSWERS,
    Math.max(...[...questions.values()].map(({ answers }) => answers.length)) + FREE_ANSWERS,
  );
  const numbers = Array.from({ length: count }, (_, index) => index);
  const boxes = numbers.map((index): SelectItem => [String(index), texts.answer(index + 1)]);
  const chosen = numbers.filter((index) => typed[`right-${index}`] === 'yes').map(String);
  return html`
    ${findingsList(own, language)} ${placeFields(view, typed)}
    ${choicesField({ name: 'right', label: texts.right, options: boxes }, chosen, {})}
    <p class="hint">${texts.answersHint}</p>
    ${[...questions.keys()].map((one) => ofLanguage(one, textsOfQuestion(one, numbers, typed, language)))}
  `;
}

function textsOfQuestion(one: Language, numbers: readonly number[], typed: FieldValues, language: Language): Html {
  const texts = formMessages[language];
  const area = (name: string, label: string, rows = '2') =>
    textAreaField({ name: `${name}-${one}`, label, also: { rows, lang: one } }, typed, {});
  return html`
    ${area('case', texts.case, '4')} ${area('ask', texts.ask)}
    ${numbers.map(
      (index) =>
        html`${area(`answer-${index}`, texts.answer(index + 1))} ${area(`because-${index}`, texts.because(index + 1))}`,
    )}
  `;
}

/** Renders the kind of a question and the lesson that it follows. */
function placeFields({ language, steps }: FormView, typed: FieldValues): Html {
  const texts = editorMessages[language];
  const lessons = steps.filter(({ kind }) => kind === 'lesson').map(({ name, title }): SelectItem => [name, title]);
  const options: SelectItem[] = [...lessons, ['', texts.atEnd]];
  const kinds = (['one', 'many'] as const).map((kind): SelectItem => [kind, texts.kinds[kind]]);
  return html`${selectField({ name: 'kind', label: texts.kind, options: kinds }, typed, {})}
  ${selectField({ name: 'lesson', label: texts.after, options }, typed, {})}`;
}

export function toTypedQuestion(questions: Questions): FieldValues {
  const [first] = questions.values();
  const shared = {
    kind: first?.rest.kind === 'many' ? 'many' : 'one',
    lesson: typeof first?.rest.lesson === 'string' ? first.rest.lesson : '',
  };
  const rights = (first?.answers ?? []).map(({ right }, index) => [`right-${index}`, right ? 'yes' : '']);
  const texts = [...questions].flatMap(([one, { ask, case: situation, answers }]) => [
    [`ask-${one}`, ask],
    [`case-${one}`, situation],
    ...answers.flatMap(({ text, because }, index) => [
      [`answer-${index}-${one}`, text],
      [`because-${index}-${one}`, because],
    ]),
  ]);
  return { ...shared, ...(Object.fromEntries([...rights, ...texts]) as FieldValues) };
}

/** Renders the text of an entry in each language, for questions that have no form. */
export function entryFields(view: FormView, id: string, typed: FieldValues): Html {
  const { language, languages, content, faults } = view;
  const texts = formMessages[language];
  const field = (one: Language) => {
    const name = `text-${one}`;
    const fault = faults.fields[name] ?? toFault(content.findings, `question:${id}`, toQuestionsPath(one));
    const also = { rows: '24', lang: one, spellcheck: false, class: 'code' };
    const label = `${texts.yaml} (${LANGUAGE_NAMES[one]})`;
    return textAreaField({ name, label, also }, typed, fault === undefined ? {} : { [name]: fault });
  };
  return html`${languages.map(field)}`;
}

/** Renders one file as text. */
export function fileFields(view: FormView, path: string, typed: FieldValues): Html {
  const own = view.content.findings.filter((one) => one.path === path);
  const also = { rows: '30', spellcheck: false, class: 'code', maxlength: '100000' };
  return html`${findingsList(own, view.language)} ${textAreaField({ name: 'text', label: path, also }, typed, {})}`;
}
