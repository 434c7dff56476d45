import type { RequestHandler } from 'express';
import type { Language } from '../../contract/languages.ts';
import { localName } from '../../resources/courses/course-names.ts';
import { isToDo, listTrainings, type Training } from '../../resources/courses/results/training-repository.ts';
import { listPoliciesOfLearner, type ReadablePolicy } from '../../resources/policies/policies-of-learner.ts';
import { tokenField } from '../shared/person-page.ts';
import { pageContextOf } from '../shared/page-context.ts';
import { type Html, html } from '../../http/html/html.ts';
import { sendLearnPage } from './learn-page.ts';
import { certificateWords } from './certificate-words.ts';
import { learnWords } from './learn-words.ts';
import { type MyTrainingWords, myTrainingWords } from './my-training-words.ts';

/** What a learner has to do, and has done: courses and policies. */
export const sendMyTraining: RequestHandler = async (_req, res) => {
  const { person, language, tenant, modules } = pageContextOf(res);
  const words = myTrainingWords[language];
  const trainings = modules.includes('smlearn') ? await listTrainings(tenant, person.id) : [];
  const policies = modules.includes('smpolicy') ? await listPoliciesOfLearner(tenant, person.id) : [];
  const [toDo, done] = [
    trainings.filter(isToDo),
    trainings.filter((training) => !isToDo(training) && training.finishDate !== null),
  ];
  const isOpen = toDo.length > 0 || policies.some(({ isAssigned, isSigned }) => isAssigned && !isSigned);
  const itemOf = (training: Training) => courseItem(training, language, words);
  const content = html`
    <p>${words.hello(person.firstName)}</p>
    ${!isOpen && html`<p class="note">${words.nothingToDo}</p>`} ${section(words.toDo, toDo.map(itemOf))}
    ${section(
      words.policies,
      policies.map((policy) => policyItem(policy, words)),
    )}
    ${section(words.done, done.map(itemOf))}
    <form class="last" method="post" action="/learn/sign-out-everywhere">
      ${tokenField(res)}
      <button class="plain" type="submit">${learnWords[language].signOutEverywhere}</button>
    </form>
  `;
  sendLearnPage(res, { title: learnWords[language].myTraining, content });
};

function section(title: string, items: readonly Html[]): Html | false {
  if (items.length === 0) return false;
  return html`<h2>${title}</h2>
    <ul class="items">
      ${items}
    </ul>`;
}

function courseItem(training: Training, language: Language, words: MyTrainingWords): Html {
  const { courseId, attemptId, durationMinutes, attempt, finishDate } = training;
  const facts = [
    stateOf(training, language, words),
    ...(attempt > 1 ? [words.attempt(attempt)] : []),
    ...(finishDate === null && durationMinutes !== null ? [words.minutes(durationMinutes)] : []),
  ];
  return html`<li>
    <a href=${`/learn/courses/${courseId}`}>${localName(training, language)}</a>
    <p class="quiet">
      ${facts.join(' · ')}
      ${hasCertificate(training) && html` · <a href=${`/learn/certificates/${attemptId}`}>${certificateWords[language].title}</a>`}
    </p>
  </li>`;
}

function hasCertificate({ type, passed }: Training): boolean {
  return type === 'training' && passed === true;
}

function stateOf(training: Training, language: Language, words: MyTrainingWords): string {
  const { type, startDate, finishDate, passed, isRetired } = training;
  if (finishDate === null) return startDate === null ? words.notBegun : words.begun;
  const percent = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const score = training.score === null ? null : percent.format(training.score);
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(finishDate));
  if (type === 'gap_analysis' && score !== null) return words.measured(score, day);
  if (type === 'gap_analysis' || passed === null) return words.finished(day);
  if (passed) return words.passed(score, day);
  return isRetired ? words.ended(score, day) : words.failed(score);
}

function policyItem({ policyId, name, isAssigned, isSigned }: ReadablePolicy, words: MyTrainingWords): Html {
  const state = isSigned ? words.signed : isAssigned ? words.toSign : words.toRead;
  return html`<li>
    <a href=${`/learn/policies/${policyId}`}>${name}</a>
    <p class="quiet">${state}</p>
  </li>`;
}
