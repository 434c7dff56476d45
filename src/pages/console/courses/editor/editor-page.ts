import type { Language } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import { hiddenFields, selectField, type SelectItem, textField } from '../../../shared/parts/fields.ts';
import { dataTable } from '../../../shared/parts/table.ts';
import { toCoursePath } from '../courses-page.ts';
import { type EditedStep, QUESTION_KINDS } from './course-files.ts';
import { editorMessages } from './editor-messages.ts';
import { type FormView, toEditorPath, toStepPath } from './editor-reading.ts';
import { findingsList } from './findings.ts';
import { formMessages } from './form-messages.ts';

/** Path prefix of the steps of drafts; the same paths follow as after `/learn`. */
export const DRAFTS_HOME = '/console/drafts';

interface StartView {
  courseId: string;
  language: Language;
  formToken: string;
  once: string;
  /** The courses that can be copied. */
  sources: readonly SelectItem[];
  hasPackage: boolean;
}

/** Renders the form that creates the first content of a course. */
export function startContent({ courseId, language, formToken, once, sources, hasPackage }: StartView): Html {
  const texts = editorMessages[language];
  const source = { name: 'source', label: texts.source, options: [['', texts.empty], ...sources] as SelectItem[] };
  return html`
    <p><a href=${toCoursePath(courseId)}>${texts.back}</a></p>
    <p>${texts.startAbout}</p>
    ${hasPackage && html`<p class="note">${texts.packageNote}</p>`}
    <form method="post" action=${toEditorPath(courseId, '/start')}>
      ${hiddenFields(formToken, once)} ${selectField(source, {}, {})}
      <button type="submit">${texts.start}</button>
    </form>
    ${apiCalls([{ operationId: 'saveCourseContent', path: { courseId } }], language)}
  `;
}

/** Renders the parts of a course with their actions. */
export function editorContent(view: FormView, notice: Html | undefined): Html {
  const { course, content, language } = view;
  const texts = editorMessages[language];
  const forms = formMessages[language];
  const path = { courseId: course.id };
  return html`
    ${notice}
    <p><a href=${toCoursePath(course.id)}>${texts.back}</a></p>
    <p class="note">${content.hasDraft ? texts.draftNote : texts.publishedNote(content.version ?? 1)}</p>
    <p>
      <a class="button quiet" href=${toEditorPath(course.id, '/settings')}>${forms.settings}</a>${' '}
      <a class="button quiet" href=${toEditorPath(course.id, '/files')}>${forms.files}</a>${' '}
      ${
        content.hasDraft &&
        html`<a class="button" href=${toEditorPath(course.id, '/publish')}>${texts.publish}</a>${' '}
          <a class="button quiet" href=${toEditorPath(course.id, '/discard')}>${texts.discard}</a>`
      }
    </p>
    ${content.findings.length === 0 ? html`<p>${forms.noFindings}</p>` : findingsList(content.findings, language)}
    <h2>${texts.steps}</h2>
    ${stepsTable(view)} ${addForms(view)}
    ${apiCalls(
      [
        { operationId: 'getCourseContent', path },
        { operationId: 'saveCourseContent', path },
        { operationId: 'checkCourseContent', path },
      ],
      language,
    )}
  `;
}

function stepsTable(view: FormView): Html {
  const { course, content, steps, language, languages, formToken, version } = view;
  const texts = editorMessages[language];
  const [part, kind, findings] = texts.columns;
  const move = ({ key, title }: EditedStep, action: 'up' | 'down') =>
    html`<form method="post" action=${toEditorPath(course.id, '/steps')}>
      ${hiddenFields(formToken)} <input type="hidden" name="version" value=${version} />
      <input type="hidden" name="step" value=${key} />
      <button class="quiet" type="submit" name="action" value=${action} aria-label=${texts[action](title)}>
        ${action === 'up' ? '↑' : '↓'}
      </button>
    </form>`;
  const preview = content.hasDraft ? `${DRAFTS_HOME}/courses` : '/console/preview/courses';
  const rows = steps.map((step, index) => [
    html`<a href=${toStepPath(course.id, step)} lang=${languages[0]}>${step.title}</a>`,
    step.kind === 'lesson' ? texts.lesson : texts.question,
    String(content.findings.filter((one) => one.step === step.key).length),
    html`<a
      href=${`${preview}/${course.id}/${index + 1}?language=${languages[0]}`}
      aria-label=${`${texts.preview}: ${step.title}`}
      >${texts.preview}</a
    >`,
    move(step, 'up'),
    move(step, 'down'),
    html`<a
      href=${toEditorPath(course.id, `/remove?step=${encodeURIComponent(step.key)}`)}
      aria-label=${`${texts.remove}: ${step.title}`}
      >${texts.remove}</a
    >`,
  ]);
  return dataTable({ caption: texts.steps, columns: [part, kind, { name: findings, isNumber: true }], rows });
}

function addForms({ course, steps, language, languages, formToken, once, version }: FormView): Html {
  const texts = editorMessages[language];
  const lessons = steps.filter(({ kind }) => kind === 'lesson').map(({ name, title }): SelectItem => [name, title]);
  const kinds = QUESTION_KINDS.map((kind): SelectItem => [kind, texts.kinds[kind]]);
  const options: SelectItem[] = [...lessons, ['', texts.atEnd]];
  const form = (title: string, action: string, fields: Html) =>
    html`<h2>${title}</h2>
      <form method="post" action=${toEditorPath(course.id, '/steps')}>
        ${hiddenFields(formToken, `${once}-${action}`)} <input type="hidden" name="version" value=${version} />
        ${fields}
        <button type="submit" name="action" value=${action}>${title}</button>
      </form>`;
  const also = { required: true, maxlength: '200', lang: languages[0] ?? language };
  return html`
    ${form(texts.addLesson, 'addLesson', textField({ name: 'title', label: texts.lessonTitle, also }, {}, {}))}
    ${form(
      texts.addQuestion,
      'addQuestion',
      html`${selectField({ name: 'kind', label: texts.kind, options: kinds }, {}, {})}
      ${selectField({ name: 'lesson', label: texts.after, options }, { lesson: lessons.at(-1)?.[0] ?? '' }, {})}`,
    )}
  `;
}
