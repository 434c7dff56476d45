import { dataTable } from '../../shared/parts/table.ts';
import type { Response } from 'express';
import { tokenField } from '../../shared/person-page.ts';
import { getPageContext } from '../../shared/page-context.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { certificateMessages } from '../certificates/certificate-messages.ts';
import { LEARN, sendLearnPage } from '../learn-page.ts';
import { learnMessages } from '../learn-messages.ts';
import { LANGUAGE_NAMES, type PlayerMessages, playerMessages } from '../../shared/player/player-messages.ts';
import { coursePath, type OwnCourse, type Visit } from '../../shared/player/visit.ts';

/** Sends the page of a course: its summary, the learner's progress or result, and the next step. */
export function sendCoursePage(res: Response, visit: Visit): void {
  const { course, written } = visit;
  const messages = playerMessages[written.language];
  const content = html`
    <p>${written.summary}</p>
    ${languageLinks(visit, messages)}
    <p class="hint">${messages.facts(written.minutes, course.passMark)}</p>
    ${renderState(res, visit, messages)}
  `;
  sendLearnPage(res, { title: course.name, content });
}

function renderState(res: Response, visit: Visit, messages: PlayerMessages): Html {
  const { course, written } = visit;
  if (course.finishDate !== null) return renderResult(res, visit, messages);
  if (written.isComplete) {
    return html`<p>${messages.complete}</p>
      ${button(res, visit, messages.handIn)}`;
  }
  if (written.isBegun) {
    const completedCount = written.steps.filter(({ isDone }) => isDone).length;
    return html`<p>${messages.underWay(completedCount, written.steps.length)}</p>
      <p><a class="button" href=${coursePath(visit, written.next)}>${messages.goOn}</a></p>`;
  }
  return course.mayBegin ? button(res, visit, messages.begin) : html`<p>${messages.retired}</p>`;
}

function renderResult(res: Response, visit: Visit, messages: PlayerMessages): Html {
  const { course, written } = visit;
  const percent = new Intl.NumberFormat(written.language, { maximumFractionDigits: 2 });
  const score = course.score === null ? null : percent.format(course.score);
  const day = new Intl.DateTimeFormat(written.language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(course.finishDate!),
  );
  const readAgain = html`<p><a class="button quiet" href=${coursePath(visit, 0)}>${messages.readAgain}</a></p>`;
  if (course.type === 'gap_analysis') {
    return html`<p class="note">${score !== null && messages.measured(score)} ${messages.finishedOn(day)}</p>
      ${renderSubjects(visit, messages)} ${readAgain}`;
  }
  if (course.passed === null) {
    return html`<p class="note">${messages.finishedOn(day)}</p>
      ${readAgain}`;
  }
  if (course.passed) {
    const path = `/learn/certificates/${course.attemptId}`;
    return html`<p class="note">
        <strong class="good">${messages.passed(score, course.passMark)}</strong> ${messages.finishedOn(day)}
      </p>
      ${
        visit.home === LEARN.home &&
        html`<p><a class="button" href=${path}>${certificateMessages[written.language].title}</a></p>`
      }
      ${readAgain}`;
  }
  const again = html`<p>${messages.againHow}</p>
    ${button(res, visit, messages.again)}`;
  return html`<p class="note">
      <strong>${messages.failed(score, course.passMark)}</strong> ${messages.finishedOn(day)}
    </p>
    ${course.mayBegin ? again : html`<p>${messages.retired}</p>`} ${readAgain}`;
}

/** Renders the share of questions that the learner answered correctly in each subject. */
function renderSubjects({ written }: Visit, messages: PlayerMessages): Html {
  if (!written.isBegun) return [];
  const columns = [messages.subject, messages.rightAnswers];
  const rows = written.steps.map(({ subject, right, questions }) => [subject, messages.share(right, questions.length)]);
  return dataTable({ caption: messages.rightAnswers, columns, rows });
}

/** Renders the form that begins the course, begins it again, or records a complete attempt. */
function button(res: Response, visit: Visit, label: string): Html {
  return html`<form method="post" action=${coursePath(visit)}>
    ${tokenField(res)}
    <button type="submit">${label}</button>
  </form>`;
}

function languageLinks({ course, home, written: { language, languages } }: Visit, messages: PlayerMessages): Html {
  const links = languages.map(
    (one) =>
      html`<a
          href=${coursePath({ course, home, query: `?language=${one}` })}
          lang=${one}
          hreflang=${one}
          aria-current=${one === language ? 'true' : undefined}
          >${LANGUAGE_NAMES[one]}</a
        >${' '}`,
  );
  return html`<nav aria-label=${messages.language}>${links}</nav>`;
}

/** Sends the page of a course that is taken elsewhere, or in which the learner is not enrolled. */
export function sendOtherPage(res: Response, { attemptId, name }: OwnCourse, trainingUrl: string | undefined): void {
  const { language } = getPageContext(res);
  const messages = playerMessages[language];
  const back = html`<p><a class="button quiet" href="/learn">${learnMessages[language].back}</a></p>`;
  if (attemptId === null) {
    const content = html`<p>${messages.notEnrolled}</p>
      ${back}`;
    return sendLearnPage(res, { status: 404, title: messages.notEnrolledTitle, content });
  }
  const content = html`<p>${messages.elsewhere}</p>
    ${trainingUrl !== undefined && html`<p><a class="button" href=${trainingUrl}>${messages.toElsewhere}</a></p>`}
    ${back}`;
  sendLearnPage(res, { title: name, content });
}
