import type { Response } from 'express';
import type { SignInOffer } from '../../auth/sign-in-links.ts';
import { type Language, languageOf } from '../../languages.ts';
import { html } from '../../web/html.ts';
import { sendPlainPage } from './console-page.ts';
import { consoleWords } from './console-words.ts';
import { textField } from './form-parts.ts';
import { enterForm, PASSKEY_PAGE } from './passkeys-page.ts';

interface AskPage {
  language: Language;
  /** Browsers have passkeys for the address of the service. */
  canShowPasskey: boolean;
  /** What did not sign in: a passkey, or what was typed and is no address. */
  fault?: 'passkey' | { typed: string };
}

/** The ways to sign in: a link that is mailed, and a passkey. */
export function sendAskPage(res: Response, { language, canShowPasskey, fault }: AskPage): void {
  const words = consoleWords[language];
  const typed = typeof fault === 'object' ? fault.typed : '';
  const faults: Record<string, string> = typeof fault === 'object' ? { email: words.emailFault } : {};
  const email = { name: 'email', label: words.email, also: { type: 'email', autocomplete: 'email', required: true } };
  const content = html`
    <p>${words.ask}</p>
    <form method="post" action="/console">
      ${textField(email, { email: typed }, faults)}
      <button type="submit">${words.send}</button>
    </form>
    ${canShowPasskey && enterForm(language, fault === 'passkey')}
  `;
  const page = { status: fault ? 400 : 200, language, title: words.askTitle, content };
  sendPlainPage(res, canShowPasskey ? { ...page, ...PASSKEY_PAGE } : page);
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
