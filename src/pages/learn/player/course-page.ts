import type { Response } from 'express';
import { tokenField } from '../../shared/person-page.ts';
import { pageContextOf } from '../../shared/page-context.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { localName } from '../../../resources/courses/course-names.ts';
import { countRight, isDone, placeIn } from '../../../resources/courses/results/progress-rules.ts';
import { isComplete, mayBegin } from '../../../resources/courses/results/take-course.ts';
import { certificateMessages } from '../certificate-messages.ts';
import { sendLearnPage } from '../learn-page.ts';
import { learnMessages } from '../learn-messages.ts';
import { LANGUAGE_NAMES, type PlayerMessages, playerMessages } from './player-messages.ts';
import { coursePath, type CourseVisit, type Visit } from './visit.ts';

/** The page of a course: what it is, where the learner is in it, and what comes next. */
export function sendCoursePage(res: Response, visit: Visit): void {
  const { course, state, text, language } = visit;
  const messages = playerMessages[language];
  const content = html`
    <p>${text.summary}</p>
    ${languageLinks(visit, messages)}
    <p class="hint">${messages.facts(state.durationMinutes ?? course.minutes, state.passMark)}</p>
    ${stateOf(res, visit, messages)}
  `;
  sendLearnPage(res, { title: localName(state, language), content });
}

function stateOf(res: Response, visit: Visit, messages: PlayerMessages): Html {
  const { state, course } = visit;
  if (state.finishDate !== null) return resultOf(res, visit, messages);
  if (isComplete(state, course.steps)) {
    return html`<p>${messages.complete}</p>
      ${button(res, visit, messages.handIn)}`;
  }
  if (state.done !== null) {
    const done = course.steps.filter((step) => isDone(step, state.done!)).length;
    const next = coursePath(visit, placeIn(course.steps, state.done));
    return html`<p>${messages.underWay(done, course.steps.length)}</p>
      <p><a class="button" href=${next}>${messages.goOn}</a></p>`;
  }
  return mayBegin(state) ? button(res, visit, messages.begin) : html`<p>${messages.retired}</p>`;
}

function resultOf(res: Response, visit: Visit, messages: PlayerMessages): Html {
  const { state, language } = visit;
  const percent = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const score = state.score === null ? null : percent.format(state.score);
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(state.finishDate!),
  );
  const readAgain = html`<p><a class="button quiet" href=${coursePath(visit, 0)}>${messages.readAgain}</a></p>`;
  if (state.type === 'gap_analysis') {
    return html`<p class="note">${score !== null && messages.measured(score)} ${messages.finishedOn(day)}</p>
      ${subjectsOf(visit, messages)} ${readAgain}`;
  }
  if (state.passed === null) {
    return html`<p class="note">${messages.finishedOn(day)}</p>
      ${readAgain}`;
  }
  if (state.passed) {
    return html`<p class="note">
        <strong class="good">${messages.passed(score, state.passMark)}</strong> ${messages.finishedOn(day)}
      </p>
      <p>
        <a class="button" href=${`/learn/certificates/${state.attemptId}`}>${certificateMessages[language].title}</a>
      </p>
      ${readAgain}`;
  }
  const again = html`<p>${messages.againHow}</p>
    ${button(res, visit, messages.again)}`;
  return html`<p class="note"><strong>${messages.failed(score, state.passMark)}</strong> ${messages.finishedOn(day)}</p>
    ${mayBegin(state) ? again : html`<p>${messages.retired}</p>`} ${readAgain}`;
}

/** What was known of each subject. */
function subjectsOf({ course, state, subjectNames }: Visit, messages: PlayerMessages): Html {
  const { done } = state;
  if (done === null) return [];
  return html`<div class="table">
    <table>
      <thead>
        <tr>
          <th scope="col">${messages.subject}</th>
          <th scope="col">${messages.rightOf}</th>
        </tr>
      </thead>
      <tbody>
        ${course.steps.map(({ questions }) => {
          const { right, total } = countRight(questions, done);
          const subject = questions[0]!.subject!;
          return html`<tr>
            <td>${subjectNames.get(subject) ?? subject}</td>
            <td>${messages.share(right, total)}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

/** Begins, begins again, or records what is complete. */
function button(res: Response, visit: Visit, label: string): Html {
  return html`<form method="post" action=${coursePath(visit)}>
    ${tokenField(res)}
    <button type="submit">${label}</button>
  </form>`;
}

function languageLinks({ course, language, pair }: Visit, messages: PlayerMessages): Html {
  const links = course.languages.map(
    (one) =>
      html`<a
          href=${coursePath({ pair, query: `?language=${one}` })}
          lang=${one}
          hreflang=${one}
          aria-current=${one === language ? 'true' : undefined}
          >${LANGUAGE_NAMES[one]}</a
        >${' '}`,
  );
  return html`<nav aria-label=${messages.language}>${links}</nav>`;
}

/** The page of a course that is not written here, or that the learner does not have. */
export function sendOtherPage(res: Response, { state }: CourseVisit, trainingUrl: string | undefined): void {
  const { language } = pageContextOf(res);
  const messages = playerMessages[language];
  const back = html`<p><a class="button quiet" href="/learn">${learnMessages[language].back}</a></p>`;
  if (state.attemptId === null) {
    const content = html`<p>${messages.notEnrolled}</p>
      ${back}`;
    return sendLearnPage(res, { status: 404, title: messages.notEnrolledTitle, content });
  }
  const content = html`<p>${messages.elsewhere}</p>
    ${trainingUrl !== undefined && html`<p><a class="button" href=${trainingUrl}>${messages.toElsewhere}</a></p>`}
    ${back}`;
  sendLearnPage(res, { title: localName(state, language), content });
}
