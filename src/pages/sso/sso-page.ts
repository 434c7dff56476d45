import type { Response } from 'express';
import type { Language } from '../../contract/languages.ts';
import { loadAsset } from '../../http/html/assets.ts';
import { type Html, html } from '../../http/html/html.ts';
import type { ProviderAccess } from '../../identity/providers/identity-providers.ts';
import type { ReportedPerson } from '../../identity/providers/reported-person.ts';
import type { SignInFault } from '../../identity/providers/sign-in-fault.ts';
import type { Sending } from '../../identity/saml/sent-message.ts';
import { getPageContext, languageAsked } from '../shared/page-context.ts';
import { sendPlainPage } from '../shared/person-page.ts';
import { FAULT_MESSAGES, ssoMessages } from './sso-messages.ts';

export const RESEND_SCRIPT = loadAsset(new URL('assets/resend.js', import.meta.url));

/** Sends the page that says why nobody was signed in, with details for the people who run the programme. */
export function sendSsoFault(res: Response, { reason, detail }: SignInFault, language: Language): void {
  const messages = ssoMessages[language];
  const message = FAULT_MESSAGES[reason];
  const status = message === 'unavailable' ? 502 : message === 'off' ? 404 : message === 'attempt' ? 400 : 403;
  const content = html`
    <p>${messages[message]}</p>
    <p class="hint">${messages.code} <code>${reason}</code></p>
    ${detail && html`<p class="hint" lang="en">${detail}</p>`}
  `;
  sendPlainPage(res, { status, language, title: messages.faultTitle, content });
}

/** Sends the page that names the company and the provider, with a link that begins the sign-in. */
export function sendStart(res: Response, provider: ProviderAccess, language: Language): void {
  const { name, companyName } = provider;
  const messages = ssoMessages[language];
  const { originalUrl } = res.req;
  const content = html`
    <p>${messages.start(companyName, getHost(provider))}</p>
    <p><a class="button" href=${originalUrl}>${messages.continueWith(name)}</a></p>
  `;
  sendPlainPage(res, { language, title: messages.startTitle, content });
}

/** Fields of a SAML form, by their names in the binding. */
export interface SamlForm {
  SAMLResponse: string;
  RelayState: string;
}

/**
 * Sends a page that submits the form of a provider again, at once or when the visitor clicks. Browsers send our cookies
 * only with this second form, because the first form came from the provider's site.
 */
export function sendResend(res: Response, form: SamlForm, language: Language): void {
  const messages = ssoMessages[language];
  const content = html`
    <form method="post" id="resend">
      ${hiddenFields({ ...form })}<input type="hidden" name="again" value="yes" />
      <button type="submit">${messages.resend}</button>
    </form>
  `;
  sendPlainPage(res, { language, title: messages.startTitle, content, scripts: [RESEND_SCRIPT.path] });
}

/**
 * Sends the page after a sign-out. @param sending request that signs out of the provider; undefined if there is none
 */
export function sendSignedOut(
  res: Response,
  { name, home }: { name: string; home: string },
  sending: Sending | undefined,
): void {
  const language = languageAsked(res.req);
  const messages = ssoMessages[language];
  const content = html`
    <p>${messages.signedOut(name)}</p>
    ${sending && linkTo(sending, messages.signOutThere(name))}
    <p><a href=${home}>${messages.signInAgain}</a></p>
  `;
  sendPlainPage(res, { language, title: messages.signedOutTitle, content, also: allowSending(sending) });
}

/** Sends the page after a sign-out at the provider. @param isWhole whether the provider has ended all sign-ins */
export function sendSignedOutThere(res: Response, name: string, isWhole: boolean): void {
  const language = languageAsked(res.req);
  const messages = ssoMessages[language];
  const content = html`<p>${isWhole ? messages.signedOutThere(name) : messages.signedOutInPart(name)}</p>`;
  sendPlainPage(res, { language, title: messages.signedOutTitle, content });
}

/** Sends the browser to a provider, with a SAML message. */
export function sendSending(res: Response, sending: Sending): void {
  if ('url' in sending) return res.redirect(303, sending.url);
  const language = languageAsked(res.req);
  const messages = ssoMessages[language];
  const content = linkTo(sending, messages.resend);
  const also = allowSending(sending);
  sendPlainPage(res, { language, title: messages.signedOutTitle, content, scripts: [RESEND_SCRIPT.path], also });
}

/** Returns a link or a form that sends a message to a provider. */
function linkTo(sending: Sending, text: string): Html {
  if ('url' in sending) return html`<p><a class="button" href=${sending.url}>${text}</a></p>`;
  return html`<form method="post" id="resend" action=${sending.action}>
    ${hiddenFields(sending.fields)}
    <button type="submit">${text}</button>
  </form>`;
}

/** Allows the page to submit a form to the provider, which might redirect the browser to its other services. */
function allowSending(sending: Sending | undefined): Record<string, string> {
  return sending && 'action' in sending ? { 'form-action': new URL(sending.action).protocol } : {};
}

function hiddenFields(fields: Readonly<Record<string, string>>): Html[] {
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`);
}

/** Sends what a provider has reported about the admin who tested it. */
export function sendTestResult(res: Response, { name }: ProviderAccess, reported: ReportedPerson): void {
  const { language } = getPageContext(res);
  const messages = ssoMessages[language];
  const { groups } = reported;
  const content = html`
    <p>${messages.test(name)}</p>
    <dl>
      ${(['subject', 'email', 'firstName', 'lastName'] as const).map((field) => {
        return html`<dt>${messages[field]}</dt>
          <dd>${reported[field] || messages.none}</dd>`;
      })}
      <dt>${messages.groups}</dt>
      <dd>${groups.length > 0 ? groups.join(', ') : messages.none}</dd>
    </dl>
    <p><a class="button" href="/console/identity-providers">${messages.back}</a></p>
  `;
  sendPlainPage(res, { language, title: messages.testTitle, content });
}

/** Returns the host at which people sign in. The entity ID of SAML is not always a URL. */
function getHost({ issuer, saml }: ProviderAccess): string {
  return new URL(saml?.signInUrl ?? issuer).host;
}
