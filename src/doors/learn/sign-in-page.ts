import type { Response } from 'express';
import type { SignInOffer } from '../../auth/sign-in-links.ts';
import { type Language, languageOf } from '../../languages.ts';
import { html } from '../../web/html.ts';
import { sendPlainPage } from './learn-page.ts';
import { learnWords } from './learn-words.ts';

/** The form that asks for a link, with what was typed when that is no address. */
export function sendAskPage(res: Response, language: Language, refused?: string): void {
  const words = learnWords[language];
  const fault = refused !== undefined && { 'aria-invalid': 'true', 'aria-describedby': 'email-fault' };
  const content = html`
    <p>${words.ask}</p>
    <form method="post" action="/learn">
      <label for="email">${words.email}</label>
      <input
        id="email"
        name="email"
        type="email"
        value=${refused ?? ''}
        autocomplete="email"
        required
        ...${fault || {}}
      />
      ${fault && html`<p class="fault" id="email-fault" role="alert">${words.emailFault}</p>`}
      <button type="submit">${words.send}</button>
    </form>
  `;
  sendPlainPage(res, { status: fault ? 400 : 200, language, title: words.askTitle, content });
}

/** The answer to who has asked: the same for every address. */
export function sendAskedPage(res: Response, language: Language): void {
  const words = learnWords[language];
  const content = html`<p>${words.asked}</p>
    <p><a href="/learn">${words.again}</a></p>`;
  sendPlainPage(res, { language, title: words.askedTitle, content });
}

/** What a link opens: a button, because mail programs open links by themselves. */
export function sendEnterPage(res: Response, { firstName, lastName, companyName, locale }: SignInOffer): void {
  const language = languageOf(locale);
  const words = learnWords[language];
  const content = html`
    <p>${words.enter(companyName, `${firstName} ${lastName}`)}</p>
    <form method="post"><button type="submit">${words.enterButton}</button></form>
    <p class="hint">${words.notYou}</p>
  `;
  sendPlainPage(res, { language, title: words.enterTitle, content });
}
