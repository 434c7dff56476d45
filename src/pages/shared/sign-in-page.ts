import { formatFullName } from '../../db/expressions.ts';
import type { Response } from 'express';
import type { OfferedProvider } from '../../identity/providers/identity-providers.ts';
import type { SignInOffer } from '../../identity/sign-in-links.ts';
import { type Language, toLanguage } from '../../contract/languages.ts';
import { type Html, html } from '../../http/html/html.ts';
import type { SignInMessages } from './sign-in-messages.ts';
import type { SignInConfig } from './sign-in-config.ts';
import { sendPlainPage } from './person-page.ts';

interface Ask {
  language: Language;
  /** Rejected input, which is not an e-mail address. */
  typed?: string;
  /** Whether the alternative sign-in was rejected. */
  isAlternativeRefused?: boolean;
}

/** Sends the page with the sign-in methods: a form that requests a mailed link, and the alternative if there is one. */
export function sendSignInPage(
  res: Response,
  signIn: SignInConfig,
  { language, typed, isAlternativeRefused: isOtherRefused = false }: Ask,
): void {
  const { home, alternative } = signIn;
  const messages = signIn.messages[language];
  const fault = typed !== undefined && { 'aria-invalid': 'true', 'aria-describedby': 'email-fault' };
  const content = html`
    <p>${messages.ask}</p>
    <form method="post" action=${home}>
      <label for="email">${messages.email}</label>
      <input
        id="email"
        name="email"
        type="email"
        value=${typed ?? ''}
        autocomplete="email"
        required
        ...${fault || {}}
      />
      ${fault && html`<p class="fault" id="email-fault" role="alert">${messages.emailFault}</p>`}
      <button type="submit">${messages.send}</button>
    </form>
    ${alternative?.content(language, isOtherRefused)}
  `;
  const { scripts, also } = alternative ?? {};
  const status = fault || isOtherRefused ? 400 : 200;
  sendPlainPage(res, { status, language, title: messages.askTitle, content, scripts, also });
}

/** Sends the identity providers for an e-mail address, and the form that requests a mailed link instead. */
export function sendProvidersPage(
  res: Response,
  { home, messages: ofLanguages }: SignInConfig,
  { language, typed, offered }: { language: Language; typed: string; offered: readonly OfferedProvider[] },
): void {
  const messages = ofLanguages[language];
  const hint = new URLSearchParams({ login_hint: typed }).toString();
  const content = html`
    <p>${messages.chooseProvider}</p>
    ${offered.map(({ path, name, companyName }) => {
      return html`<p><a class="button" href=${`${path}?${hint}`}>${messages.signInWith(name, companyName)}</a></p>`;
    })}
    <form method="post" action=${home}>
      <input type="hidden" name="email" value=${typed} />
      <button class="plain" type="submit" name="by" value="mail">${messages.linkInstead}</button>
    </form>
  `;
  sendPlainPage(res, { language, title: messages.enterTitle, content });
}

/** Confirms a request for a link. The page is the same for every e-mail address. */
export function sendLinkSentPage(
  res: Response,
  { home, messages: ofLanguages }: SignInConfig,
  language: Language,
): void {
  const messages = ofLanguages[language];
  const content = html`<p>${messages.asked}</p>
    <p><a href=${home}>${messages.again}</a></p>`;
  sendPlainPage(res, { language, title: messages.askedTitle, content });
}

/** Sends the page that a mailed link opens, with only a button, because mail programs open links by themselves. */
export function sendEnterPage(res: Response, { home, messages: ofLanguages }: SignInConfig, offer: SignInOffer): void {
  const { firstName, lastName, companyName, locale } = offer;
  const language = toLanguage(locale);
  const messages = ofLanguages[language];
  const content = html`
    <p>${messages.enter(companyName, formatFullName({ firstName, lastName }))}</p>
    ${renderWayIn(offer, home, messages)}
    <p class="hint">${messages.notYou}</p>
  `;
  sendPlainPage(res, { language, title: messages.enterTitle, content });
}

/**
 * Renders the button of a mailed link. If the link cannot sign the person in, renders links to the methods that can.
 */
function renderWayIn(offer: SignInOffer, home: string, messages: SignInMessages): Html | Html[] {
  const { providers, mustUsePasskey, companyName } = offer;
  if (providers.length === 1)
    return html`<p><a class="button" href=${providers[0]!.path}>${messages.byProvider}</a></p>`;
  if (providers.length > 1)
    return providers.map(({ name, path }) => {
      return html`<p><a class="button" href=${path}>${messages.signInWith(name, companyName)}</a></p>`;
    });
  if (mustUsePasskey)
    return html`<p>${messages.passkeyOnly}</p>
      <p><a class="button" href=${home}>${messages.toSignIn}</a></p>`;
  return html`<form method="post"><button type="submit">${messages.enterButton}</button></form>`;
}
