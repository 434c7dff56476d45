import type { Response } from 'express';
import type { Language } from '../../contract/languages.ts';
import { loadAsset } from '../../http/html/assets.ts';
import { html } from '../../http/html/html.ts';
import type { ProviderAccess } from '../../identity/providers/identity-providers.ts';
import type { ReportedPerson } from '../../identity/providers/reported-person.ts';
import type { SignInFault } from '../../identity/providers/sign-in-fault.ts';
import { getPageContext, languageAsked } from '../shared/page-context.ts';
import { sendPlainPage } from '../shared/person-page.ts';
import { FAULT_MESSAGES, ssoMessages } from './sso-messages.ts';

export const RESEND_SCRIPT = loadAsset(new URL('assets/resend.js', import.meta.url));

/** Sends the page that says why nobody was signed in, with the reason for the people who run the programme. */
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
    <p>${messages.start(companyName, hostOf(provider))}</p>
    <p><a class="button" href=${originalUrl}>${messages.continueWith(name)}</a></p>
  `;
  sendPlainPage(res, { language, title: messages.startTitle, content });
}

/** The fields of the form of SAML, by their names in the binding. */
export interface SamlForm {
  SAMLResponse: string;
  RelayState: string;
}

/**
 * Sends a page that sends the form of a provider again, at once or when the visitor clicks. Browsers send our cookies
 * only with this second form, because the first one came from the site of the provider.
 */
export function sendResend(res: Response, form: SamlForm, language: Language): void {
  const messages = ssoMessages[language];
  const fields = Object.entries(form).map(
    ([name, value]) => html`<input type="hidden" name=${name} value=${value as string} />`,
  );
  const content = html`
    <form method="post" id="resend">
      ${fields}<input type="hidden" name="again" value="yes" />
      <button type="submit">${messages.resend}</button>
    </form>
  `;
  sendPlainPage(res, { language, title: messages.startTitle, content, scripts: [RESEND_SCRIPT.path] });
}

/** Sends the page after a sign-out. @param signOutUrl the address of the provider's sign-out; undefined for none */
export function sendSignedOut(
  res: Response,
  { name, home }: { name: string; home: string },
  signOutUrl?: string,
): void {
  const language = languageAsked(res.req);
  const messages = ssoMessages[language];
  const content = html`
    <p>${messages.signedOut(name)}</p>
    ${signOutUrl !== undefined && html`<p><a class="button" href=${signOutUrl}>${messages.signOutThere(name)}</a></p>`}
    <p><a href=${home}>${messages.signInAgain}</a></p>
  `;
  sendPlainPage(res, { language, title: messages.signedOutTitle, content });
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

/** Returns the host at which people sign in. The entity ID of SAML is not always an address. */
function hostOf({ issuer, saml }: ProviderAccess): string {
  return new URL(saml?.signInUrl ?? issuer).host;
}
