import { type Html, html } from '../http/html/html.ts';
import { page, pageHeaders } from '../http/html/page.ts';
import { MAX_TRIES } from './approvals.ts';
import { approvalWords as words } from './approval-words.ts';
import type { RedirectTarget } from './redirect-target.ts';
import { namesOf } from './scopes.ts';

export interface Page {
  headers: Readonly<Record<string, string>>;
  html: string;
}

/** The application that asks for access, as far as it is known. */
export interface Asking {
  clientName: string | undefined;
  /** The host of the client's metadata document, when it has one. */
  documentHost: string | undefined;
  target: RedirectTarget;
  /** A value that the form must send back. */
  formToken: string;
}

/** Why a key is asked for again, and how many have been tried. */
export interface WrongKey {
  tries: number;
  /** It works, but not for anything that is asked for. */
  isPowerless: boolean;
}

/** The first step: the key is asked for. */
export function keyPage(asking: Asking, wrong?: WrongKey): Page {
  const fault = wrong && (wrong.isPowerless ? words.powerlessKey : words.wrongKey)(MAX_TRIES - wrong.tries);
  const described = { 'aria-describedby': fault ? 'fault hint' : 'hint', ...(fault && { 'aria-invalid': 'true' }) };
  return formPage(
    asking,
    words.keyTitle,
    html`<p>${words.asks(nameOf(asking))} ${words.unverified}</p>
      ${whereTo(asking)}`,
    html`
      <label for="key">${words.keyLabel}</label>
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
      <p id="hint">${words.keyHint}</p>
      <button type="submit" name="action" value="check">${words.check}</button>
      <button class="quiet" type="submit" name="action" value="deny">${words.deny}</button>
    `,
  );
}

/** The second step: the page shows everything and asks for a yes or a no. */
export function approvePage(
  asking: Asking,
  key: { publicId: string; companyName: string },
  opened: readonly string[],
): Page {
  const names = namesOf(opened);
  return formPage(
    asking,
    words.approveTitle,
    html`
      <dl>
        <dt>${words.organisation}</dt>
        <dd><strong>${key.companyName}</strong></dd>
        <dt>${words.key}</dt>
        <dd>sk_${key.publicId}_…</dd>
        <dt>${words.application}</dt>
        <dd>${nameOf(asking)}. ${words.unverified}</dd>
        <dt>${words.shared}</dt>
        <dd>${names === undefined ? words.readOnly : words.readOnlyOf(names)}</dd>
        <dt>${words.duration}</dt>
        <dd>${words.until}</dd>
      </dl>
      ${whereTo(asking)}
    `,
    html`
      <button type="submit" name="action" value="approve">${words.approve}</button>
      <button class="quiet" type="submit" name="action" value="deny">${words.deny}</button>
      <button class="quiet" type="submit" name="action" value="back">${words.otherKey}</button>
    `,
  );
}

/** What is said instead of a form. */
export function failurePage(status: number, sentence: string): Page {
  return plainPage(status >= 500 ? words.unavailable : sentence);
}

/** The page for a faulty request of an application: a person reads it, but only the application's developers can mend it. */
export function faultyRequestPage(status: number, sentence: string): Page {
  return status >= 500
    ? plainPage(words.unavailable)
    : plainPage(words.faultyRequest, `${words.forMakers} ${sentence}`);
}

function plainPage(...paragraphs: string[]): Page {
  const content = html`<div>${paragraphs.map((text) => html`<p>${text}</p>`)}</div>`;
  return { headers: headersFor("'none'"), html: page({ language: 'en', title: words.failureTitle, content }) };
}

function formPage(asking: Asking, title: string, content: Html, fields: Html): Page {
  const whole = html`
    ${content}
    <form method="post">
      <input type="hidden" name="form_token" value=${asking.formToken} />
      ${fields}
    </form>
  `;
  // Chrome holds the redirect that answers the form against the policy too, so the application's address is in it.
  const headers = headersFor(`'self' ${asking.target.source}`);
  return { headers, html: page({ language: 'en', title, content: whole }) };
}

/** Without a referrer the form would be sent with the origin `null`, which is refused. */
function headersFor(formAction: string): Readonly<Record<string, string>> {
  return pageHeaders({ formAction, referrerPolicy: 'same-origin' });
}

function nameOf({ clientName }: Asking): string {
  return clientName === undefined ? words.unnamed : `“${clientName}”`;
}

function whereTo({ target, documentHost }: Asking): Html {
  const before = { web: '', loopback: `${words.goesToLoopback} `, app: `${words.goesToApp} ` }[target.kind];
  return html`
    <p>${words.goesTo} ${before}<strong>${target.name}</strong>.</p>
    ${documentHost !== undefined && html`<p>${words.documentAt} <strong>${documentHost}</strong>.</p>`}
    ${target.kind === 'loopback' && html`<p class="warning">${words.loopbackWarning}</p>`}
  `;
}
