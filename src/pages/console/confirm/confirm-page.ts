import type { ConfirmationWay } from '../../../identity/confirm-session.ts';
import { buildConfirmPath } from '../../../identity/providers/identity-providers.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { confirmMessages, type ConfirmMessages } from '../../shared/confirm-messages.ts';
import type { PendingRequest } from './pending-request.ts';

export const CONFIRM_PATH = '/console/confirm';

export interface ConfirmView {
  language: Language;
  formToken: string;
  companyId: string;
  way: ConfirmationWay;
  pending: PendingRequest;
  /** Whether a link has just been mailed. */
  isLinkSent: boolean;
}

/**
 * Renders the page that asks an admin to confirm who they are. Its form has the fields of the form that the admin
 * submitted, so that "Continue" submits it again. If the request was for a page, the form opens that page.
 */
export function confirmContent({ language, formToken, companyId, way, pending, isLinkSent }: ConfirmView): Html {
  const messages = confirmMessages[language];
  const action = pending.method === 'POST' ? pending.path : `${CONFIRM_PATH}/continue`;
  const isByPasskey = way.method === 'passkey';
  const byScript = isByPasskey && {
    ...{ 'data-passkey': 'confirm', 'data-options': `${CONFIRM_PATH}/passkey/options` },
    ...{ 'data-confirm': `${CONFIRM_PATH}/passkey`, hidden: true },
  };
  const fields: [string, string][] = [
    ['form_token', formToken],
    ['confirm_method', pending.method],
    ['confirm_path', pending.path],
    ...pending.fields,
  ];
  return html`
    <p>${messages.about}</p>
    ${isByPasskey && html`<noscript><p>${messages.needsScript}</p></noscript>`}
    <form method="post" action=${action} ...${byScript || {}}>
      ${fields.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
      ${renderWay(way, { companyId, isLinkSent, messages })}
    </form>
  `;
}

function renderWay(
  way: ConfirmationWay,
  { companyId, isLinkSent, messages }: { companyId: string; isLinkSent: boolean; messages: ConfirmMessages },
): Html {
  const proceed = html`<button type="submit">${messages.continue}</button>`;
  switch (way.method) {
    case 'passkey':
      return html`<p class="fault" role="alert" hidden>${messages.passkeyFault}</p>
        <button type="submit">${messages.withPasskey}</button>`;
    case 'identity_provider': {
      const path = buildConfirmPath(companyId, way.providerId);
      return html`<p>${messages.providerAbout}</p>
        <p><a class="button" href=${path} target="_blank" rel="noopener">${messages.withProvider}</a></p>
        ${proceed}`;
    }
    case 'sign_in_link': {
      const send = html`<button class="quiet" type="submit" formaction=${`${CONFIRM_PATH}/mail`}>
        ${messages.sendLink}
      </button>`;
      return isLinkSent
        ? html`<p role="status">${messages.linkSent}</p>
            ${proceed}`
        : html`<p>${messages.linkAbout}</p>
            ${send} ${proceed}`;
    }
    case 'none':
      return html`<p>${messages.none}</p>`;
  }
}
