import type { Response } from 'express';
import type { Question, QuestionText, Step } from '../../../resources/courses/authored/course.ts';
import { tokenField } from '../../shared/person-page.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { localName } from '../../../resources/courses/course-names.ts';
import {
  givenTo,
  isDone,
  isRight,
  type Parts,
  versionOfStep,
} from '../../../resources/courses/results/progress-rules.ts';
import { sendLearnPage } from '../learn-page.ts';
import { type PlayerMessages, playerMessages } from './player-messages.ts';
import { coursePath, type Visit } from './visit.ts';

/** What was sent and is refused: the page shows it again, with what is wanting. */
export interface Refused {
  form: URLSearchParams;
  unanswered: readonly string[];
}

interface StepView {
  visit: Visit;
  step: Step;
  place: number;
  messages: PlayerMessages;
  done: Parts;
  refused: Refused | undefined;
}

/** A lesson, or questions: to be answered, or with the reasons of their answers. */
export function sendStepPage(res: Response, visit: Visit, place: number, refused?: Refused): void {
  const { course, state, text, language } = visit;
  const step = course.steps[place]!;
  const view = { visit, step, place, messages: playerMessages[language], done: state.done ?? {}, refused };
  const isOver = state.finishDate !== null || isDone(step, view.done);
  const content = html`
    <p class="hint">
      <a href=${coursePath(visit)}>${localName(state, language)}</a> ·
      ${view.messages.steps(place + 1, course.steps.length)}
    </p>
    ${step.lesson && raw(text.lessons.get(step.lesson.key)!.html)}
    ${isOver ? [...step.questions.map((question) => answered(view, question)), onwards(view)] : formOf(res, view)}
    ${place > 0 && html`<p><a href=${coursePath(visit, place - 1)}>${view.messages.back}</a></p>`}
  `;
  sendLearnPage(res, { status: refused ? 400 : 200, title: titleOf(view), content });
}

function titleOf({ visit, step, messages }: StepView): string {
  const { course, text, subjectNames } = visit;
  if (step.lesson) return text.lessons.get(step.lesson.key)!.title;
  const subject = step.questions[0]!.subject;
  if (course.type === 'gap_analysis' && subject !== null) return subjectNames.get(subject) ?? subject;
  return messages.question(numberOf(visit, step.questions[0]!));
}

function numberOf({ course }: Visit, { key }: Question): number {
  return course.steps.flatMap(({ questions }) => questions).findIndex((question) => question.key === key) + 1;
}

function formOf(res: Response, view: StepView): Html {
  const { visit, step, place, messages } = view;
  return html`<form method="post" action=${coursePath(visit, place)}>
    ${tokenField(res)}
    <input type="hidden" name="attempt" value=${visit.state.attemptId} />
    <input type="hidden" name="version" value=${versionOfStep(step)} />
    ${step.questions.map((question) => asked(view, question))}
    <button type="submit">${step.questions.length > 0 ? messages.answer : messages.next}</button>
  </form>`;
}

function asked({ visit, messages, refused }: StepView, question: Question): Html {
  const { id, key, kind, answers } = question;
  const text = visit.text.questions.get(key)!;
  const fault = refused?.unanswered.includes(key) ? `${id}-fault` : undefined;
  const given = refused?.form.getAll(id) ?? [];
  const choice = (answerId: string) =>
    html`<label>
      <input
        type=${kind === 'one' ? 'radio' : 'checkbox'}
        name=${id}
        value=${answerId}
        checked=${given.includes(answerId)}
      />
      ${inline(text.answers.get(answerId)!.html)}
    </label>`;
  return html`${text.caseHtml !== null && raw(text.caseHtml)}
    <fieldset aria-describedby=${fault}>
      <legend>${inline(text.askHtml)}</legend>
      ${kind === 'many' && html`<p class="hint">${messages.chooseMany}</p>`}
      ${fault && html`<p class="fault" id=${fault} role="alert">${messages.unanswered}</p>`}
      ${answers.map((answer) => choice(answer.id))}
    </fieldset>`;
}

/** A question with all its reasons. */
function answered({ visit, messages, done }: StepView, question: Question): Html {
  const text = visit.text.questions.get(question.key)!;
  const given = givenTo(question, done);
  const isGood = given !== undefined && isRight(question, given);
  const verdict = given === undefined ? messages.notAnswered : isGood ? messages.right : messages.wrong;
  return html`${text.caseHtml !== null && raw(text.caseHtml)}
    <h2>${inline(text.askHtml)}</h2>
    <p class=${isGood ? 'good' : 'fault'} role="status"><strong>${verdict}</strong></p>
    <ul class="items">
      ${question.answers.map(({ id, right }) => reasonOf({ text, messages, id, right, isGiven: given?.includes(id) ?? false }))}
    </ul>`;
}

interface Reason {
  text: QuestionText;
  messages: PlayerMessages;
  id: string;
  right: boolean;
  isGiven: boolean;
}

function reasonOf({ text, messages, id, right, isGiven }: Reason): Html {
  const { html: answer, becauseHtml } = text.answers.get(id)!;
  return html`<li>
    <p>${inline(answer)}</p>
    <p>
      <strong class=${right ? 'good' : 'fault'}>${right ? messages.rightAnswer : messages.wrongAnswer}</strong>
      ${isGiven && html`<span> (${messages.yours})</span>`}: ${inline(becauseHtml)}
    </p>
  </li>`;
}

function onwards({ visit, place, messages }: StepView): Html {
  const isLast = place + 1 === visit.course.steps.length;
  const href = isLast ? coursePath(visit) : coursePath(visit, place + 1);
  return html`<p><a class="button" href=${href}>${isLast ? messages.toResult : messages.next}</a></p>`;
}

/** What `src/resources/courses/authored/` has rendered: it has no HTML of the writer's. */
function raw(text: string): Html {
  return html`<div class="lesson" dangerouslySetInnerHTML=${{ __html: text }}></div>`;
}

function inline(text: string): Html {
  return html`<span dangerouslySetInnerHTML=${{ __html: text }}></span>`;
}

/** The form was of another attempt, or of another text. */
export function sendStalePage(res: Response, visit: Visit): void {
  const messages = playerMessages[visit.language];
  const content = html`<p>${messages.stale}</p>
    <p><a class="button" href=${coursePath(visit)}>${messages.goOn}</a></p>`;
  sendLearnPage(res, { status: 409, title: messages.staleTitle, content });
}
