import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { facts, tiles } from '../../shared/parts/tiles.ts';
import { LANGUAGE_NAMES } from '../../shared/player/player-messages.ts';
import { canCall } from '../admin.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { COURSES_PATH, formatSource, toCoursePath } from './courses-page.ts';
import { coursesMessages } from './courses-messages.ts';
import { editorMessages } from './editor/editor-messages.ts';
import { toEditorPath } from './editor/editor-reading.ts';
import { packageContent, type PackageView } from './package-page.ts';
import { PREVIEW_HOME, type Preview } from './preview-page.ts';

/** The formats of exported courses, the default first. */
export const EXPORT_FORMATS = [
  { value: 'scorm_2004', name: 'SCORM 2004' },
  { value: 'scorm_1_2', name: 'SCORM 1.2' },
  { value: 'cmi5', name: 'cmi5' },
] as const;

export interface CourseView extends PackageView {
  notice: Html | undefined;
  course: Schemas['Course'];
  /** Numbers of enrolments, starts, finishes and passes; undefined if the report has no row for the course. */
  figures: Schemas['CourseFigures'] | undefined;
  /** Steps as learners see them; undefined for a managed company's course. */
  preview: Preview | undefined;
  /** Whether the role of the admin can choose the people for an action. */
  canChoose: boolean;
}

/** Renders a course: its facts, its participants, a preview of its steps, and its package. */
export function courseContent(view: CourseView): Html {
  const { language, course, figures } = view;
  const messages = coursesMessages[language];
  const { number } = getFormats(language);
  const { durationMinutes, validForMonths } = course;
  const path = { courseId: course.id };
  return html`
    ${view.notice}
    <p><a href=${COURSES_PATH}>${messages.back}</a></p>
    ${facts([
      [messages.source, formatSource(course, language)],
      [messages.subject, html`<bdi>${course.subject}</bdi>`],
      [messages.description, html`<bdi>${course.description ?? messages.noValue}</bdi>`],
      [messages.languages, course.locales.map((one) => LANGUAGE_NAMES[one as Language] ?? one).join(', ')],
      [messages.duration, durationMinutes === null ? messages.noValue : messages.minutes(durationMinutes)],
      [messages.passMark, `${course.passMark} %`],
      [messages.validity, validForMonths === null ? messages.forGood : messages.months(validForMonths)],
    ])}
    ${
      figures &&
      html`<h2>${messages.participation}</h2>
        ${tiles([
          { name: messages.enrolled, value: number(figures.enrollmentCount) },
          { name: messages.started, value: number(figures.startedCount) },
          { name: messages.finished, value: number(figures.finishedCount) },
          { name: messages.passed, value: number(figures.passedCount) },
        ])}`
    }
    ${actions(view)}
    ${
      course.source === 'custom' &&
      canCall(view.caller, 'saveCourseContent') &&
      html`<p><a class="button quiet" href=${toEditorPath(course.id)}>${editorMessages[language].open}</a></p>`
    }
    ${view.preview?.written && course.type === 'training' && exportForm(view, view.preview.written.languages)}
    ${view.preview && steps(view, view.preview)} ${course.source === 'custom' && packageContent(view)}
    ${apiCalls(
      [
        { operationId: 'getCourse', path },
        { operationId: 'getCourseReport', query: path },
      ],
      language,
    )}
  `;
}

function actions({ course, caller, canChoose, language }: CourseView): Html | false {
  const messages = coursesMessages[language];
  const link = (rest: string, text: string) =>
    html`<a class="button quiet" href=${toCoursePath(course.id, `/people/${rest}`)}>${text}</a>${' '}`;
  const isOpen = course.retiredAt === null;
  return (
    canChoose &&
    html`<p>
      ${isOpen && canCall(caller, 'createCourseEnrollments') && link('assign', messages.assign)}
      ${isOpen && canCall(caller, 'sendCourseReminders') && link('remind', messages.remind)}
      ${canCall(caller, 'removeCourseEnrollments') && link('withdraw', messages.withdraw)}
    </p>`
  );
}

/** Renders the form that downloads the course as a package for another learning system. */
function exportForm({ course, caller, language }: CourseView, languages: readonly Language[]): Html | false {
  const messages = coursesMessages[language];
  const all = [
    { value: '', name: messages.all },
    ...languages.map((one) => ({ value: one, name: LANGUAGE_NAMES[one] })),
  ];
  const select = (name: string, label: string, options: readonly { value: string; name: string }[]) =>
    html`<label
        >${label}
        <select name=${name}>
          ${options.map((one) => html`<option value=${one.value}>${one.name}</option>`)}
        </select></label
      >${' '}`;
  return (
    canCall(caller, 'exportCourse') &&
    html`<details>
      <summary>${messages.exportTitle}</summary>
      <p>${messages.exportAbout}</p>
      <form method="get" action=${toCoursePath(course.id, '/export')}>
        ${select('format', messages.exportFormat, EXPORT_FORMATS)} ${select('language', messages.languages, all)}
        <button type="submit">${messages.exportButton}</button>
      </form>
    </details>`
  );
}

/** Renders the list of steps, each with a link to its preview. */
function steps({ course, language }: CourseView, { written }: Preview): Html {
  const messages = coursesMessages[language];
  if (!written)
    return html`<h2>${messages.preview}</h2>
      <p>${messages.notHere}</p>`;
  const home = `${PREVIEW_HOME}/courses/${course.id}`;
  const query = written.language === language ? '' : `?language=${written.language}`;
  const languageLink = (one: Language) =>
    html`<a
        href=${toCoursePath(course.id, `?language=${one}`)}
        lang=${one}
        hreflang=${one}
        aria-current=${one === written.language ? 'true' : undefined}
        >${LANGUAGE_NAMES[one]}</a
      >${' '}`;
  return html`<h2>${messages.preview}</h2>
    <p>${messages.previewAbout}</p>
    <nav aria-label=${messages.languages}>${written.languages.map(languageLink)}</nav>
    <ol lang=${written.language}>
      ${written.steps.map(
        ({ lesson, questions }, index) =>
          html`<li>
            <a href=${`${home}/${index + 1}${query}`}>
              ${
                lesson
                  ? lesson.title
                  : html`<span lang=${language}
                      >${questions.map(({ number }) => `${messages.questions} ${number}`).join(', ')}</span
                    >`
              }
            </a>
          </li>`,
      )}
    </ol>`;
}
