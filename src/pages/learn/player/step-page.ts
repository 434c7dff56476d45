import type { Response } from 'express';
import { tokenField } from '../../shared/person-page.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { sendLearnPage } from '../learn-page.ts';
import { type PlayerMessages, playerMessages } from './player-messages.ts';
import { block, inline } from './authored-html.ts';
import { renderMarkableMail, renderReviewedMail } from './mail-view.ts';
import { renderReportingChannels } from './reporting-view.ts';
import { renderOutcome, renderScene } from './scenario-view.ts';
import { coursePath, type Visit } from './visit.ts';

type Written = Visit['written'];
type Step = Written['steps'][number];
type Question = Step['questions'][number];

/** Rejected form, and the keys of its questions that lack an answer. */
export interface Refused {
  form: URLSearchParams;
  unanswered: readonly string[];
}

interface StepView {
  visit: Visit;
  step: Step;
  place: number;
  messages: PlayerMessages;
  refused: Refused | undefined;
}

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
    ${isOver ? [...step.questions.map((question) => answered(view, question)), onwards(view)] : renderForm(res, view)}
    ${place > 0 && html`<p><a href=${coursePath(visit, place - 1)}>${view.messages.back}</a></p>`}
  `;
  sendLearnPage(res, { status: refused ? 400 : 200, title: getTitle(view), content });
}

function renderLesson({ visit }: StepView, { html: text, afterHtml }: NonNullable<Step['lesson']>): Html {
  if (afterHtml === null) return block(text);
  return html`${block(text)} ${renderReportingChannels(visit)} ${block(afterHtml)}`;
}

function getTitle({ visit, step, messages }: StepView): string {
  if (step.lesson) return step.lesson.title;
  if (visit.course.type === 'gap_analysis' && step.subject !== null) return step.subject;
  return messages.question(step.questions[0]!.number);
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

function renderQuestion({ visit, messages, refused }: StepView, question: Question): Html {
  const { id, key, kind, caseHtml, askHtml, answers } = question;
  const faultId = refused?.unanswered.includes(key) ? `${id}-fault` : undefined;
  const fault = faultId && html`<p class="fault" id=${faultId} role="alert">${messages.unanswered}</p>`;
  if (kind === 'scenario') return renderScene(visit, question, fault || undefined);
  const given = refused?.form.getAll(id) ?? [];
  const choice = (answer: Question['answers'][number]) =>
    html`<label>
      <input
        type=${kind === 'one' ? 'radio' : 'checkbox'}
        name=${id}
        value=${answer.id}
        checked=${given.includes(answer.id)}
      />
      ${inline(answer.html)}
    </label>`;
  return html`${caseHtml !== null && block(caseHtml)}
    <fieldset aria-describedby=${faultId}>
      <legend>${inline(askHtml)}</legend>
      ${kind === 'many' && html`<p class="hint">${messages.chooseMany}</p>`} ${fault}
      ${kind === 'mail' ? renderMarkableMail(question, given, visit.written.language) : answers.map(choice)}
    </fieldset>`;
}

/** Renders an answered question with the reasons of all its answers. */
function answered({ visit, place, messages }: StepView, question: Question): Html {
  const { kind, caseHtml, askHtml, verdict, answers } = question;
  if (kind === 'scenario') return renderOutcome(visit, place, question);
  const texts = { right: messages.right, wrong: messages.wrong, not_answered: messages.notAnswered };
  return html`${caseHtml !== null && block(caseHtml)}
    <h2>${inline(askHtml)}</h2>
    <p class=${verdict === 'right' ? 'good' : 'fault'} role="status"><strong>${texts[verdict]}</strong></p>
    ${
      kind === 'mail'
        ? renderReviewedMail(question, visit.written.language, messages)
        : html`<ul class="items">
            ${answers.map((answer) => renderReason(answer, messages))}
          </ul>`
    }`;
}

function renderReason(answer: Question['answers'][number], messages: PlayerMessages): Html {
  const { isRight, isGiven, html: text, becauseHtml } = answer;
  return html`<li>
    <p>${inline(text)}</p>
    <p>
      <strong class=${isRight ? 'good' : 'fault'}>${isRight ? messages.rightAnswer : messages.wrongAnswer}</strong>
      ${isGiven && html`<span> (${messages.yours})</span>`}: ${inline(becauseHtml)}
    </p>
  </li>`;
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
