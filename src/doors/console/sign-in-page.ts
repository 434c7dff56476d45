import type { Response } from 'express';
import type { SignInOffer } from '../../auth/sign-in-links.ts';
import { type Language, languageOf } from '../../languages.ts';
import { html } from '../../web/html.ts';
import { sendPlainPage } from './console-page.ts';
import { consoleWords } from './console-words.ts';
import { textField } from './form-parts.ts';

/** The form that asks for a link, with what was typed when that is no address. */
export function sendAskPage(res: Response, language: Language, refused?: string): void {
  const words = consoleWords[language];
  const faults: Record<string, string> = refused === undefined ? {} : { email: words.emailFault };
  const email = { name: 'email', label: words.email, also: { type: 'email', autocomplete: 'email', required: true } };
  const content = html`
    <p>${words.ask}</p>
    <form method="post" action="/console">
      ${textField(email, { email: refused ?? '' }, faults)}
      <button type="submit">${words.send}</button>
    </form>
  `;
  sendPlainPage(res, { status: refused === undefined ? 200 : 400, language, title: words.askTitle, content });
}

/** The answer to who has asked: the same for every address. */
export function sendAskedPage(res: Response, language: Language): void {
  const words = consoleWords[language];
  const content = html`<p>${words.asked}</p>
    <p><a href="/console">${words.again}</a></p>`;
  sendPlainPage(res, { language, title: words.askedTitle, content });
}

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
