import { type Caller, hasScope } from '../../../auth/caller.ts';
import { type Schemas, scopes as allScopes } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { canCall } from '../admin.ts';
import { AUDIT_LOG_PATH } from '../audit-log/audit-log-page.ts';
import type { FormFaults } from '../form-faults.ts';
import { renderDay, formFault, hiddenFields, textField, type FieldValues } from '../../shared/parts/fields.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { keysMessages, type KeysMessages } from './keys-messages.ts';

type ApiKey = Schemas['ApiKey'];

export const KEYS_PATH = '/console/keys';

/** Values entered in the form for a new key. */
export interface KeyInput {
  typed: FieldValues;
  may: 'read' | 'some' | 'all';
  scopes: readonly string[];
}

export interface KeysView {
  language: Language;
  /** The admin, who can give a key only their own permissions. */
  caller: Pick<Caller, 'scopes'>;
  formToken: string;
  /** One-time id of the form, so that submitting it twice creates only one key. */
  once: string;
  working: readonly ApiKey[];
  /** The latest keys that no longer work. */
  ended: readonly ApiKey[];
  input: KeyInput;
  faults: FormFaults;
}

/** Renders the keys of the company, and the form that creates one. */
export function keysContent({ language, working, ended, ...form }: KeysView): Html {
  const messages = keysMessages[language];
  const canWrite = canCall(form.caller, 'createApiKey');
  const table = () =>
    workingTable(working, { language, canWrite, canReadLog: canCall(form.caller, 'listAuditLog') }, messages);
  return html`
    <p>${messages.about}</p>
    ${working.length === 0 ? html`<p>${messages.none}</p>` : table()} ${canWrite && makeForm(form, messages)}
    ${ended.length > 0 && endedTable(ended, language, messages)}
  `;
}

interface TableView {
  language: Language;
  canWrite: boolean;
  /** Whether the name of a key links to the changes that the key has made. */
  canReadLog: boolean;
}

function workingTable(
  keys: readonly ApiKey[],
  { language, canWrite, canReadLog }: TableView,
  messages: KeysMessages,
): Html {
  const toRow = (key: ApiKey) => [
    canReadLog ? html`<a href=${`${AUDIT_LOG_PATH}?actorId=${key.id}`}>${key.name}</a>` : key.name,
    html`<code>sk_${key.publicId}_…</code>`,
    key.scopes === null ? messages.everything : key.scopes.join(', '),
    renderDay(key.createdAt, language, ''),
    renderDay(key.lastUsedAt, language, messages.never),
    renderDay(key.expiresAt, language, messages.unlimited),
    canWrite && revokeLink(key, messages),
  ];
  const columns = [messages.name, messages.key, messages.may, messages.made, messages.used, messages.until];
  return dataTable({ caption: messages.title, columns, rows: keys.map(toRow) });
}

function revokeLink({ id, name }: ApiKey, messages: KeysMessages): Html {
  return html`<a href=${`${KEYS_PATH}/${id}/revoke`} aria-label=${messages.revoke(name)}>${messages.revokeShort}</a>`;
}

function endedTable(keys: readonly ApiKey[], language: Language, messages: KeysMessages): Html {
  const toRow = (key: ApiKey) => [
    key.name,
    html`<code>sk_${key.publicId}_…</code>`,
    html`${key.revokedAt === null ? messages.expired : messages.revoked},${' '}
    ${renderDay(key.revokedAt ?? key.expiresAt, language, '')}`,
  ];
  const columns = [messages.name, messages.key, messages.ended];
  return html`<h2>${messages.endedTitle}</h2>
    ${dataTable({ caption: messages.endedTitle, columns, rows: keys.map(toRow) })}`;
}

type Form = Pick<KeysView, 'caller' | 'formToken' | 'once' | 'input' | 'faults'>;

function makeForm({ caller, formToken, once, input, faults }: Form, messages: KeysMessages): Html {
  const { typed, may, scopes } = input;
  const name = {
    name: 'name',
    label: messages.name,
    hint: messages.nameHint,
    also: { autocomplete: 'off', required: true },
  };
  const until = { name: 'expiresAt', label: messages.untilLabel, hint: messages.untilHint, also: { type: 'date' } };
  const choice = (value: KeyInput['may']) =>
    html`<label
      ><input type="radio" name="may" value=${value} checked=${may === value} />${messages.choices[value]}</label
    >`;
  const box = (scope: string) =>
    html`<label>
      <input type="checkbox" name="scopes" value=${scope} checked=${scopes.includes(scope)} /><code>${scope}</code>
    </label>`;
  const givable = allScopes.filter((scope) => hasScope(caller, scope));
  return html`<h2 id="make">${messages.makeTitle}</h2>
    <form method="post" action=${KEYS_PATH}>
      ${hiddenFields(formToken, once)} ${formFault(faults.whole)} ${textField(name, typed, faults.fields)}
      ${textField(until, typed, faults.fields)}
      <fieldset>
        <legend>${messages.mayLabel}</legend>
        ${choice('read')} ${choice('some')} ${choice('all')}
      </fieldset>
      <fieldset aria-describedby=${faults.fields.scopes ? 'scopes-fault' : undefined}>
        <legend>${messages.scopesLabel}</legend>
        ${faults.fields.scopes && html`<p class="fault" id="scopes-fault" role="alert">${faults.fields.scopes}</p>`}
        <div class="columns">${givable.map(box)}</div>
      </fieldset>
      <button type="submit">${messages.make}</button>
    </form>`;
}

/** Renders the secret of a new API key, which is shown only once. */
export function newKeyContent(name: string, secret: string, language: Language): Html {
  const messages = keysMessages[language];
  return html`
    <p>${messages.newKey(name)}</p>
    <pre tabindex="0"><code>${secret}</code></pre>
    <p class="warning">${messages.once}</p>
    <p><a href=${KEYS_PATH}>${messages.back}</a></p>
  `;
}

/** Renders the page that confirms the revocation of a key. */
export function revokeContent(key: ApiKey, formToken: string, language: Language): Html {
  const messages = keysMessages[language];
  return confirmation({
    about: html`<p>${messages.revokeAbout(key.name)}</p>
      <p><code>sk_${key.publicId}_…</code></p>`,
    action: revokePath(key),
    hidden: hiddenFields(formToken),
    button: messages.revokeButton,
    keep: { href: KEYS_PATH, text: messages.keep },
  });
}

/**
 * Renders the keys, sources and webhook endpoints that a revoked key created and that still work, with a button that
 * ends them; undefined if there are none.
 */
export function createdContent(key: Schemas['RevokedApiKey'], formToken: string, language: Language): Html | undefined {
  const messages = keysMessages[language];
  const { apiKeys, sources, webhookEndpoints } = key.created;
  const things = [
    ...apiKeys.map(({ name }) => messages.createdKey(name)),
    ...sources.map(({ name }) => messages.createdSource(name)),
    ...webhookEndpoints.map(({ url }) => messages.createdEndpoint(url)),
  ];
  if (things.length === 0) return undefined;
  return html`
    <p>${messages.createdAbout(key.name)}</p>
    <ul>
      ${things.map((thing) => html`<li>${thing}</li>`)}
    </ul>
    <form method="post" action=${revokePath(key)}>
      ${hiddenFields(formToken)}
      <input type="hidden" name="includeCreated" value="yes" />
      <button type="submit">${messages.endCreated}</button>
    </form>
    <p><a href=${KEYS_PATH}>${messages.keepCreated}</a></p>
  `;
}

function revokePath({ id }: Pick<ApiKey, 'id'>): string {
  return `${KEYS_PATH}/${id}/revoke`;
}
