import type { Response } from 'express';
import { tokenField } from '../../shared/person-page.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { playerMessages } from '../../shared/player/player-messages.ts';
import {
  getTitle,
  type Refused,
  renderAnswered,
  renderLesson,
  renderQuestion,
  renderStepHint,
  type StepView,
} from '../../shared/player/step-view.ts';
import { coursePath, type Visit } from '../../shared/player/visit.ts';
import { sendLearnPage } from '../learn-page.ts';

/** Sends a lesson, questions to answer, or answered questions with the reasons of their answers. */
export function sendStepPage(res: Response, visit: Visit, place: number, refused?: Refused): void {
  const { course, written } = visit;
  const step = written.steps[place]!;
  const view = { visit, step, place, messages: playerMessages[written.language], refused };
  const isOver = course.finishDate !== null || step.isDone;
  const content = html`
    <p class="hint">
      <a href=${coursePath(visit)}>${course.name}</a> · ${view.messages.steps(place + 1, written.steps.length)}
    </p>
    ${step.lesson && renderLesson(view, step.lesson)}
    ${isOver ? [...step.questions.map((question) => renderAnswered(view, question)), onwards(view)] : renderForm(res, view)}
    ${renderStepHint(view, isOver)}
    ${place > 0 && html`<p><a href=${coursePath(visit, place - 1)}>${view.messages.back}</a></p>`}
  `;
  sendLearnPage(res, { status: refused ? 400 : 200, title: getTitle(view), content });
}

function renderForm(res: Response, view: StepView): Html {
  const { visit, step, place, messages } = view;
  return html`<form method="post" action=${coursePath(visit, place)}>
    ${tokenField(res)}
    <input type="hidden" name="attempt" value=${visit.course.attemptId} />
    <input type="hidden" name="version" value=${step.version} />
    ${step.questions.map((question) => renderQuestion(view, question))}
    <button type="submit">${step.questions.length > 0 ? messages.answer : messages.next}</button>
  </form>`;
}

function onwards({ visit, place, messages }: StepView): Html {
  const isLast = place + 1 === visit.written.steps.length;
  const href = isLast ? coursePath(visit) : coursePath(visit, place + 1);
  return html`<p><a class="button" href=${href}>${isLast ? messages.toResult : messages.next}</a></p>`;
}

/** Reports that the form belongs to another attempt, or to an earlier text. */
export function sendStalePage(res: Response, visit: Visit): void {
  const messages = playerMessages[visit.written.language];
  const content = html`<p>${messages.stale}</p>
    <p><a class="button" href=${coursePath(visit)}>${messages.goOn}</a></p>`;
  sendLearnPage(res, { status: 409, title: messages.staleTitle, content });
}
