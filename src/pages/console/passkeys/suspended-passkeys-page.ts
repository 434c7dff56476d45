import type { OwnPasskey } from '../../../identity/passkey-repository.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { hiddenFields, renderDay } from '../../shared/parts/fields.ts';
import { CONFIRM_PATH } from '../confirm/confirm-page.ts';
import { suspendedPasskeysMessages } from './suspended-passkeys-messages.ts';

/** Path of the forms that restore suspended passkeys. */
export const KEEP_PATH = '/console/passkeys/keep';

interface KeepView {
  language: Language;
  formToken: string;
  passkeys: readonly OwnPasskey[];
  /** The result of the last attempt. */
  outcome?: 'refused' | 'mailed' | undefined;
}

/** Renders the forms that restore suspended passkeys; undefined if there are none. */
export function renderKeepForms({ language, formToken, passkeys, outcome }: KeepView): Html | undefined {
  const messages = suspendedPasskeysMessages[language];
  const suspended = passkeys.filter(({ suspendedUntil }) => suspendedUntil !== null);
  if (suspended.length === 0) return undefined;
  const ofAddresses = new Map(suspended.flatMap(({ id, linkEmail }) => (linkEmail === null ? [] : [[linkEmail, id]])));
  const endsAt = suspended.map(({ suspendedUntil }) => suspendedUntil!).toSorted()[0]!;
  return html`
    <h2>${messages.title}</h2>
    <p>${messages.about} ${messages.ends} ${renderDay(endsAt, language, '')}.</p>
    ${outcome === 'mailed' && html`<p role="status">${messages.mailed}</p>`}
    <noscript><p>${messages.needsScript}</p></noscript>
    <form
      method="post"
      action=${KEEP_PATH}
      data-passkey="confirm"
      data-options=${`${CONFIRM_PATH}/passkey/options`}
      hidden
    >
      ${hiddenFields(formToken)}
      <input type="hidden" name="response" value="" />
      <p class="fault" role="alert" hidden=${outcome !== 'refused'}>${messages.fault}</p>
      <button type="submit">${messages.byPasskey}</button>
    </form>
    ${[...ofAddresses].map(
      ([email, id]) =>
        html`<form method="post" action=${`${KEEP_PATH}/link`}>
          ${hiddenFields(formToken)}
          <input type="hidden" name="passkey_id" value=${id} />
          <button class="quiet" type="submit">${messages.byLink(email)}</button>
        </form>`,
    )}
  `;
}

/** Renders the page that the link mailed to a former e-mail address opens. */
export function keepContent(
  path: string,
  { language, formToken }: { language: Language; formToken: string },
): { title: string; content: Html } {
  const messages = suspendedPasskeysMessages[language];
  const content = html`
    <p>${messages.confirm}</p>
    <form method="post" action=${path}>
      ${hiddenFields(formToken)}
      <button type="submit">${messages.keep}</button>
    </form>
  `;
  return { title: messages.confirmTitle, content };
}
