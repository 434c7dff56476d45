import type { RequestHandler } from 'express';
import type { Language } from '../../contract/languages.ts';
import type { PersonResult } from '../../operations/operations.ts';
import { tokenField } from '../shared/person-page.ts';
import { sessionsMessages } from '../shared/sessions-messages.ts';
import { getPageContext } from '../shared/page-context.ts';
import { type Html, html } from '../../http/html/html.ts';
import { sendLearnPage } from './learn-page.ts';
import { certificateMessages } from './certificates/certificate-messages.ts';
import { learnMessages } from './learn-messages.ts';
import { type MyTrainingMessages, myTrainingMessages } from './my-training-messages.ts';

type Training = PersonResult<'listOwnCourses'>[number];

/** Sends the learner's courses and policies, both to do and done. */
export const sendMyTraining: RequestHandler = async (_req, res) => {
  const { person, language, call, modules } = getPageContext(res);
  const messages = myTrainingMessages[language];
  const trainings = modules.includes('smlearn') ? await call('listOwnCourses', { language }) : [];
  const proposals = modules.includes('smlearn') ? await call('listOwnProposals', { language }) : [];
  const policies = modules.includes('smpolicy') ? await call('listOwnPolicies', {}) : [];
  const [toDo, completed] = [
    trainings.filter(({ isToDo }) => isToDo),
    trainings.filter(({ isToDo, finishDate }) => !isToDo && finishDate !== null),
  ];
  const isOpen = toDo.length > 0 || policies.some(({ isAssigned, isSigned }) => isAssigned && !isSigned);
  const renderItem = (training: Training) => courseItem(training, language, messages);
  const content = html`
    <p>${messages.hello(person.firstName)}</p>
    ${!isOpen && html`<p class="note">${messages.nothingToDo}</p>`} ${section(messages.toDo, toDo.map(renderItem))}
    ${section(
      messages.policies,
      policies.map((policy) => policyItem(policy, language, messages)),
    )}
    ${section(
      messages.proposed,
      proposals
        .filter(({ status }) => status === 'proposed')
        .map((one) => proposalItem(one, messages, tokenField(res))),
    )}
    ${section(messages.done, completed.map(renderItem))}
    <p class="quiet"><a href="/learn/sessions">${sessionsMessages[language].title}</a></p>
    <form class="last" method="post" action="/learn/sign-out-everywhere">
      ${tokenField(res)}
      <button class="plain" type="submit">${learnMessages[language].signOutEverywhere}</button>
    </form>
  `;
  sendLearnPage(res, { title: learnMessages[language].myTraining, content });
};

function section(title: string, items: readonly Html[]): Html | false {
  if (items.length === 0) return false;
  return html`<h2>${title}</h2>
    <ul class="items">
      ${items}
    </ul>`;
}

function courseItem(training: Training, language: Language, messages: MyTrainingMessages): Html {
  const { courseId, attemptId, durationMinutes, attempt, finishDate } = training;
  const facts = [
    ...formatDue(training, language, messages),
    formatState(training, language, messages),
    ...(attempt > 1 ? [messages.attempt(attempt)] : []),
    ...(finishDate === null && durationMinutes !== null ? [messages.minutes(durationMinutes)] : []),
  ];
  return html`<li>
    <a href=${`/learn/courses/${courseId}`}>${training.name}</a>
    <p class="quiet">
      ${facts.join(' · ')}
      ${hasCertificate(training) && html` · <a href=${`/learn/certificates/${attemptId}`}>${certificateMessages[language].title}</a>`}
    </p>
  </li>`;
}

/** Enrols the learner in a course that the gap analysis proposes, and redirects to the course. */
export const startProposal: RequestHandler = async (req, res) => {
  const courseId = (req.params.courseId as string).toLowerCase();
  await getPageContext(res).call('startProposedCourse', { courseId });
  res.redirect(303, `/learn/courses/${courseId}`);
};

/** Renders a course that the gap analysis proposes. It has no page for the learner until they start it. */
function proposalItem(
  { id, name, score }: PersonResult<'listOwnProposals'>[number],
  messages: MyTrainingMessages,
  token: Html,
): Html {
  return html`<li>
    ${name}
    <p class="quiet">${messages.proposal(score)}</p>
    <form method="post" action=${`/learn/proposals/${id}`}>
      ${token}
      <button class="quiet" type="submit" aria-label=${`${messages.startProposal}: ${name}`}>
        ${messages.startProposal}
      </button>
    </form>
  </li>`;
}

function formatDue(
  { dueOn, isOverdue }: Pick<Training, 'dueOn' | 'isOverdue'>,
  language: Language,
  messages: MyTrainingMessages,
): string[] {
  if (dueOn === null) return [];
  const day = formatDay(dueOn, language);
  return [isOverdue === true ? messages.overdue(day) : messages.due(day)];
}

function formatDay(day: string, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
}

function hasCertificate({ type, passed }: Training): boolean {
  return type === 'training' && passed === true;
}

function formatState(training: Training, language: Language, messages: MyTrainingMessages): string {
  const { type, startDate, finishDate, passed, isRetired } = training;
  if (finishDate === null) return startDate === null ? messages.notBegun : messages.begun;
  const percent = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const score = training.score === null ? null : percent.format(training.score);
  const day = formatDay(finishDate, language);
  if (type === 'gap_analysis' && score !== null) return messages.measured(score, day);
  if (type === 'gap_analysis' || passed === null) return messages.finished(day);
  if (passed) return messages.passed(score, day);
  return isRetired ? messages.ended(score, day) : messages.failed(score);
}

function policyItem(
  policy: PersonResult<'listOwnPolicies'>[number],
  language: Language,
  messages: MyTrainingMessages,
): Html {
  const { policyId, name, isAssigned, isSigned } = policy;
  const state = isSigned ? messages.signed : isAssigned ? messages.toSign : messages.toRead;
  return html`<li>
    <a href=${`/learn/policies/${policyId}`}>${name}</a>
    <p class="quiet">${[...formatDue(policy, language, messages), state].join(' · ')}</p>
  </li>`;
}
