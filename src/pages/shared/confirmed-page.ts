import type { Response } from 'express';
import type { Language } from '../../contract/languages.ts';
import { html } from '../../http/html/html.ts';
import { confirmMessages } from './confirm-messages.ts';
import { sendPlainPage } from './person-page.ts';

/** Sends the page that ends a confirmation which began in another tab. */
export function sendConfirmedPage(res: Response, language: Language): void {
  const { doneTitle, done } = confirmMessages[language];
  sendPlainPage(res, { language, title: doneTitle, content: html`<p>${done}</p>` });
}
