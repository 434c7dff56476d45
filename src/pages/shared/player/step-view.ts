import { type Html, html } from '../../../http/html/html.ts';
import { block, inline } from './authored-html.ts';
import { renderMarkableMail, renderReviewedMail } from './mail-view.ts';
import type { PlayerMessages } from './player-messages.ts';
import { renderReportingChannels, renderReportingHint } from './reporting-view.ts';
import { renderOutcome, renderScene } from './scenario-view.ts';
import type { Visit } from './visit.ts';

type Written = Visit['written'];
type Step = Written['steps'][number];
type Question = Step['questions'][number];

/** Rejected form, and the keys of its questions that lack an answer. */
export interface Refused {
  form: URLSearchParams;
  unanswered: readonly string[];
}

/** A step of a course, as its page shows it. */
export interface StepView {
  visit: Visit;
  step: Step;
  place: number;
  messages: PlayerMessages;
  refused: Refused | undefined;
}

export function renderLesson({ visit }: StepView, { html: text, afterHtml }: NonNullable<Step['lesson']>): Html {
  if (afterHtml === null) return block(text);
  return html`${block(text)} ${renderReportingChannels(visit)} ${block(afterHtml)}`;
}

/** Renders how to report a message below a lesson or answered questions, unless the lesson itself shows it. */
export function renderStepHint({ visit, step }: StepView, isAnswered: boolean): Html | false {
  const isShown = step.lesson ? step.lesson.afterHtml === null : isAnswered;
  return isShown && renderReportingHint(visit);
}

export function getTitle({ visit, step, messages }: StepView): string {
  if (step.lesson) return step.lesson.title;
  if (visit.course.type === 'gap_analysis' && step.subject !== null) return step.subject;
  return messages.question(step.questions[0]!.number);
}

export function renderQuestion({ visit, messages, refused }: StepView, question: Question): Html {
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
export function renderAnswered({ visit, place, messages }: StepView, question: Question): Html {
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
