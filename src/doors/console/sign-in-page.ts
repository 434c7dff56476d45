import type { Response } from 'express';
import type { SignInOffer } from '../../auth/sign-in-links.ts';
import { languageOf } from '../../languages.ts';
import { html } from '../../web/html.ts';
import { sendPlainPage } from './console-page.ts';
import { consoleWords } from './console-words.ts';

/** What a link opens: a button, because mail programs open links by themselves. */
export function sendEnterPage(res: Response, { firstName, lastName, companyName, locale }: SignInOffer): void {
  const language = languageOf(locale);
  const words = consoleWords[language];
  const content = html`
    <p>${words.enter(companyName, `${firstName} ${lastName}`)}</p>
    <form method="post"><button type="submit">${words.enterButton}</button></form>
    <p class="hint">${words.notYou}</p>
  `;
  sendPlainPage(res, { language, title: words.enterTitle, content });
}
