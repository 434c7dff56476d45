import type { Response } from 'express';
import type { Language } from '../../contract/languages.ts';
import { html } from '../../http/html/html.ts';
import { confirmMessages } from './confirm-messages.ts';
import { sendPlainPage } from './person-page.ts';
import type { SignInLocation } from './sign-in-config.ts';

/** Sends the page that ends a confirmation that began in another tab. */
export function sendConfirmedPage(res: Response, { home, messages }: SignInLocation, language: Language): void {
  const { doneTitle, done } = confirmMessages[language];
  const content = html`
    <p>${done}</p>
    <p><a href=${home}>${messages[language].back}</a></p>
  `;
  sendPlainPage(res, { language, title: doneTitle, content });
}
