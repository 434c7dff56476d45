import { type Html, html } from '../http/html/html.ts';
import { page, pageHeaders } from '../http/html/page.ts';
import { MAX_TRIES } from './approvals.ts';
import { approvalMessages as messages } from './approval-messages.ts';
import type { RedirectTarget } from './redirect-target.ts';
import { formatScopeNames } from './scopes.ts';

export interface Page {
  headers: Readonly<Record<string, string>>;
  html: string;
}

/** The application that requests access, if it is known. */
export interface Asking {
  clientName: string | undefined;
  /** Host of the client's metadata document, if it has one. */
  documentHost: string | undefined;
  target: RedirectTarget;
  /** Token that the form must send back. */
  formToken: string;
}

/** Reason why the page asks for a key again, and the number of keys tried. */
export interface WrongKey {
  tries: number;
  /** Whether the key works, but grants nothing that the application requests. */
  isPowerless: boolean;
}

/** Renders the first step, which asks for the key. */
export function keyPage(asking: Asking, wrong?: WrongKey): Page {
  const fault = wrong && (wrong.isPowerless ? messages.powerlessKey : messages.wrongKey)(MAX_TRIES - wrong.tries);
  const described = { 'aria-describedby': fault ? 'fault hint' : 'hint', ...(fault && { 'aria-invalid': 'true' }) };
  return formPage(
    asking,
    messages.keyTitle,
    html`<p>${messages.asks(formatClientName(asking))} ${messages.unverified}</p>
      ${whereTo(asking)}`,
    html`
      <label for="key">${messages.keyLabel}</label>
      <input
        id="key"
        name="key"
        type="password"
        autocomplete="off"
        spellcheck="false"
        autocapitalize="none"
        ...${described}
      />
      ${fault && html`<p class="fault" id="fault" role="alert">${fault}</p>`}
      <p id="hint">${messages.keyHint}</p>
      <button type="submit" name="action" value="check">${messages.check}</button>
      <button class="quiet" type="submit" name="action" value="deny">${messages.deny}</button>
    `,
  );
}

/** Renders the second step, which shows the request and asks for a decision. */
export function approvePage(
  asking: Asking,
  key: { publicId: string; companyName: string },
  opened: readonly string[],
): Page {
  const names = formatScopeNames(opened);
  return formPage(
    asking,
    messages.approveTitle,
    html`
      <dl>
        <dt>${messages.organisation}</dt>
        <dd><strong>${key.companyName}</strong></dd>
        <dt>${messages.key}</dt>
        <dd>sk_${key.publicId}_…</dd>
        <dt>${messages.application}</dt>
        <dd>${formatClientName(asking)}. ${messages.unverified}</dd>
        <dt>${messages.shared}</dt>
        <dd>${names === undefined ? messages.readOnly : messages.readOnlyScopes(names)}</dd>
        <dt>${messages.duration}</dt>
        <dd>${messages.until}</dd>
      </dl>
      ${whereTo(asking)}
    `,
    html`
      <button type="submit" name="action" value="approve">${messages.approve}</button>
      <button class="quiet" type="submit" name="action" value="deny">${messages.deny}</button>
      <button class="quiet" type="submit" name="action" value="back">${messages.otherKey}</button>
    `,
  );
}

/** Renders a failure in place of a form. */
export function failurePage(status: number, sentence: string): Page {
  return plainPage(status >= 500 ? messages.unavailable : sentence);
}

/** Renders a faulty request of an application. A person reads it, but only the application's developers can fix it. */
export function faultyRequestPage(status: number, sentence: string): Page {
  return status >= 500
    ? plainPage(messages.unavailable)
    : plainPage(messages.faultyRequest, `${messages.forMakers} ${sentence}`);
}

function plainPage(...paragraphs: string[]): Page {
  const content = html`<div>${paragraphs.map((text) => html`<p>${text}</p>`)}</div>`;
  return { headers: headersFor("'none'"), html: page({ language: 'en', title: messages.failureTitle, content }) };
}

function formPage(asking: Asking, title: string, content: Html, fields: Html): Page {
  const whole = html`
    ${content}
    <form method="post">
      <input type="hidden" name="form_token" value=${asking.formToken} />
      ${fields}
    </form>
  `;
  // Chrome also applies `form-action` to the redirect after the form, so it includes the application's URL.
  const headers = headersFor(`'self' ${asking.target.source}`);
  return { headers, html: page({ language: 'en', title, content: whole }) };
}

/**
 * Builds the headers of a page with a form. They keep the referrer: without a referrer, the browser would send the form
 * with the origin `null`, which is rejected.
 */
function headersFor(formAction: string): Readonly<Record<string, string>> {
  return pageHeaders({ formAction, referrerPolicy: 'same-origin' });
}

function formatClientName({ clientName }: Asking): string {
  return clientName === undefined ? messages.unnamed : `“${clientName}”`;
}

function whereTo({ target, documentHost }: Asking): Html {
  const before = { web: '', loopback: `${messages.goesToLoopback} `, app: `${messages.goesToApp} ` }[target.kind];
  return html`
    <p>${messages.goesTo} ${before}<strong>${target.name}</strong>.</p>
    ${documentHost !== undefined && html`<p>${messages.documentAt} <strong>${documentHost}</strong>.</p>`}
    ${target.kind === 'loopback' && html`<p class="warning">${messages.loopbackWarning}</p>`}
  `;
}
