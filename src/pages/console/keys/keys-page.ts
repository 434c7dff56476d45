import { type Schemas, scopes as allScopes } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import type { FormFaults } from '../form-faults.ts';
import { dayOf, formFault, hiddenFields, textField, type Typed } from '../form-parts.ts';
import { keysWords, type KeysWords } from './keys-words.ts';

type ApiKey = Schemas['ApiKey'];

export const KEYS_PATH = '/console/keys';

/** What somebody wants a key to be. */
export interface AskedKey {
  typed: Typed;
  may: 'read' | 'some' | 'all';
  scopes: readonly string[];
}

export interface KeysView {
  language: Language;
  formToken: string;
  /** Names the form, so that it makes one key however often it is sent. */
  once: string;
  working: readonly ApiKey[];
  /** The latest of those that work no more. */
  ended: readonly ApiKey[];
  asked: AskedKey;
  faults: FormFaults;
}

/** The keys of the company, and the form that makes one. */
export function keysContent({ language, working, ended, ...form }: KeysView): Html {
  const words = keysWords[language];
  return html`
    <p>${words.about}</p>
    ${working.length === 0 ? html`<p>${words.none}</p>` : workingTable(working, language, words)}
    <h2 id="make">${words.makeTitle}</h2>
    ${makeForm(form, words)} ${ended.length > 0 && endedTable(ended, language, words)}
  `;
}

function workingTable(keys: readonly ApiKey[], language: Language, words: KeysWords): Html {
  return html`<div class="table" role="region" aria-label=${words.title} tabindex="0">
    <table>
      <thead>
        <tr>
          ${[words.name, words.key, words.may, words.made, words.used, words.until].map(columnHead)}
          <td></td>
        </tr>
      </thead>
      <tbody>
        ${keys.map(
          (key) =>
            html`<tr>
              <th scope="row">${key.name}</th>
              <td><code>sk_${key.publicId}_…</code></td>
              <td>${key.scopes === null ? words.everything : key.scopes.join(', ')}</td>
              <td>${dayOf(key.createdAt, language, '')}</td>
              <td>${dayOf(key.lastUsedAt, language, words.never)}</td>
              <td>${dayOf(key.expiresAt, language, words.unlimited)}</td>
              <td>
                <a href=${`${KEYS_PATH}/${key.id}/revoke`} aria-label=${words.revoke(key.name)}>${words.revokeShort}</a>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function endedTable(keys: readonly ApiKey[], language: Language, words: KeysWords): Html {
  return html`<h2>${words.endedTitle}</h2>
    <div class="table" role="region" aria-label=${words.endedTitle} tabindex="0">
      <table>
        <thead>
          <tr>
            ${[words.name, words.key, words.ended].map(columnHead)}
          </tr>
        </thead>
        <tbody>
          ${keys.map(
            (key) =>
              html`<tr>
                <th scope="row">${key.name}</th>
                <td><code>sk_${key.publicId}_…</code></td>
                <td>
                  ${key.revokedAt === null ? words.expired : words.revoked},${' '}
                  ${dayOf(key.revokedAt ?? key.expiresAt, language, '')}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function columnHead(text: string): Html {
  return html`<th scope="col">${text}</th>`;
}

type Form = Pick<KeysView, 'formToken' | 'once' | 'asked' | 'faults'>;

function makeForm({ formToken, once, asked, faults }: Form, words: KeysWords): Html {
  const { typed, may, scopes } = asked;
  const name = { name: 'name', label: words.name, hint: words.nameHint, also: { autocomplete: 'off', required: true } };
  const until = { name: 'expiresAt', label: words.untilLabel, hint: words.untilHint, also: { type: 'date' } };
  const choice = (value: AskedKey['may']) =>
    html`<label
      ><input type="radio" name="may" value=${value} checked=${may === value} />${words.choices[value]}</label
    >`;
  const box = (scope: string) =>
    html`<label>
      <input type="checkbox" name="scopes" value=${scope} checked=${scopes.includes(scope)} /><code>${scope}</code>
    </label>`;
  return html`<form method="post" action=${KEYS_PATH}>
    ${hiddenFields(formToken, once)} ${formFault(faults.whole)} ${textField(name, typed, faults.fields)}
    ${textField(until, typed, faults.fields)}
    <fieldset>
      <legend>${words.mayLabel}</legend>
      ${choice('read')} ${choice('some')} ${choice('all')}
    </fieldset>
    <fieldset aria-describedby=${faults.fields.scopes ? 'scopes-fault' : undefined}>
      <legend>${words.scopesLabel}</legend>
      ${faults.fields.scopes && html`<p class="fault" id="scopes-fault" role="alert">${faults.fields.scopes}</p>`}
      <div class="columns">${allScopes.map(box)}</div>
    </fieldset>
    <button type="submit">${words.make}</button>
  </form>`;
}

/** A secret that is shown this once. */
export function newKeyContent(name: string, secret: string, language: Language): Html {
  const words = keysWords[language];
  return html`
    <p>${words.newKey(name)}</p>
    <pre tabindex="0"><code>${secret}</code></pre>
    <p class="warning">${words.once}</p>
    <p><a href=${KEYS_PATH}>${words.back}</a></p>
  `;
}

/** Asks before a key is revoked. */
export function revokeContent(key: ApiKey, formToken: string, language: Language): Html {
  const words = keysWords[language];
  return html`
    <p>${words.revokeAbout(key.name)}</p>
    <p><code>sk_${key.publicId}_…</code></p>
    <form method="post" action=${revokePath(key)}>
      ${hiddenFields(formToken)}
      <button type="submit">${words.revokeButton}</button>
    </form>
    <p><a href=${KEYS_PATH}>${words.keep}</a></p>
  `;
}

/** What a revoked key made that still works, with a button that ends it; undefined if there is nothing. */
export function createdContent(key: Schemas['RevokedApiKey'], formToken: string, language: Language): Html | undefined {
  const words = keysWords[language];
  const { apiKeys, sources, webhookEndpoints } = key.created;
  const things = [
    ...apiKeys.map(({ name }) => words.createdKey(name)),
    ...sources.map(({ name }) => words.createdSource(name)),
    ...webhookEndpoints.map(({ url }) => words.createdEndpoint(url)),
  ];
  if (things.length === 0) return undefined;
  return html`
    <p>${words.createdAbout(key.name)}</p>
    <ul>
      ${things.map((thing) => html`<li>${thing}</li>`)}
    </ul>
    <form method="post" action=${revokePath(key)}>
      ${hiddenFields(formToken)}
      <input type="hidden" name="includeCreated" value="yes" />
      <button type="submit">${words.endCreated}</button>
    </form>
    <p><a href=${KEYS_PATH}>${words.keepCreated}</a></p>
  `;
}

function revokePath({ id }: Pick<ApiKey, 'id'>): string {
  return `${KEYS_PATH}/${id}/revoke`;
}
