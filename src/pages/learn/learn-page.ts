import type { Response } from 'express';
import { type PersonPage, sendPersonPage, sendPlainPage } from '../shared/person-page.ts';
import { getPageContext } from '../shared/page-context.ts';
import { html } from '../../http/html/html.ts';
import { learnMessages } from './learn-messages.ts';

/** Home page of learners, and the messages of their sign-in. */
export const LEARN = { home: '/learn', messages: learnMessages };

/** Sends a page to the learner in their language, without navigation if the learner is not signed in. */
export function sendLearnPage(res: Response, options: PersonPage): void {
  const { language, linkedHome } = getPageContext(res);
  if (linkedHome !== undefined) return sendPlainPage(res, { ...options, language });
  const places = html`<a href=${LEARN.home}>${learnMessages[language].myTraining}</a>`;
  sendPersonPage(res, { ...LEARN, places }, options);
}

/** Returns the path prefix of the learner's courses. */
export function getCoursesHome(res: Response): string {
  return getPageContext(res).linkedHome ?? LEARN.home;
}
