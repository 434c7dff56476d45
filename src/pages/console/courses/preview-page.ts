import type { PersonResult } from '../../../operations/operations.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { playerMessages } from '../../shared/player/player-messages.ts';
import {
  getTitle,
  renderAnswered,
  renderLesson,
  renderQuestion,
  renderStepHint,
  type StepView,
} from '../../shared/player/step-view.ts';
import { coursePath, type Visit } from '../../shared/player/visit.ts';
import { coursesMessages } from './courses-messages.ts';
import { toCoursePath } from './courses-page.ts';

export type Preview = PersonResult<'previewCourse'>;

/** Path prefix of the steps of courses; the same paths follow as after `/learn`. */
export const PREVIEW_HOME = '/console/preview';

export interface PreviewedStep {
  /** The language of the admin. */
  language: Language;
  course: Preview;
  written: NonNullable<Preview['written']>;
  place: number;
  /** Whether the answers are shown. */
  isAnswered: boolean;
  /** Path prefix of the steps; undefined for the preview of published courses. */
  home?: string | undefined;
}

/** Renders a step as learners see it. Its form sends the answers in the URL, and nothing is recorded. */
export function previewContent({ language, course, written, place, isAnswered, home = PREVIEW_HOME }: PreviewedStep): {
  title: string;
  content: Html;
} {
  const texts = coursesMessages[language];
  const messages = playerMessages[written.language];
  const query = written.language === written.ownLanguage ? '' : `?language=${written.language}`;
  const visit: Visit = { course, written, home, query };
  const step = written.steps[place]!;
  const view: StepView = { visit, step, place, messages, refused: undefined };
  const path = coursePath(visit, place);
  const hasQuestions = step.questions.length > 0;
  const content = html`
    <p class="note">${texts.previewNote} <a href=${toCoursePath(course.courseId)}>${texts.toCourse}</a></p>
    <p class="hint">${texts.stepOf(place + 1, written.steps.length)}</p>
    <div lang=${written.language}>
      ${step.lesson && renderLesson(view, step.lesson)}
      ${isAnswered && step.questions.map((question) => renderAnswered(view, question))}
      ${renderStepHint(view, isAnswered)}
      ${
        hasQuestions &&
        !isAnswered &&
        html`<form method="get" action=${path}>
          <input type="hidden" name="language" value=${written.language} />
          <input type="hidden" name="answered" value="yes" />
          ${step.questions.map((question) => renderQuestion(view, question))}
          <button type="submit">${messages.answer}</button>
        </form>`
      }
    </div>
    ${isAnswered && html`<p><a class="button quiet" href=${path}>${texts.again}</a></p>`}
    <p>
      ${place > 0 && html`<a href=${coursePath(visit, place - 1)}>${texts.previous}</a> `}
      ${place + 1 < written.steps.length && html`<a href=${coursePath(visit, place + 1)}>${texts.next}</a>`}
    </p>
  `;
  return { title: getTitle(view), content };
}
