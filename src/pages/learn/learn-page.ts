import type { Response } from 'express';
import { type PersonPage, sendPersonPage } from '../shared/person-page.ts';
import { getPageContext } from '../shared/page-context.ts';
import { html } from '../../http/html/html.ts';
import { learnMessages } from './learn-messages.ts';

/** Home page of learners, and the messages of their sign-in. */
export const LEARN = { home: '/learn', messages: learnMessages };

/** Sends a page to the learner who is signed in, in their language. */
export function sendLearnPage(res: Response, options: PersonPage): void {
  const places = html`<a href=${LEARN.home}>${learnMessages[getPageContext(res).language].myTraining}</a>`;
  sendPersonPage(res, { ...LEARN, places }, options);
}
