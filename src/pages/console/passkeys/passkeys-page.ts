import type { Passkey } from '../../../identity/passkey-repository.ts';
import type { Language } from '../../../contract/languages.ts';
import { assetOf } from '../../../http/html/assets.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { ADMINS_PATH } from '../admins/admins-page.ts';
import { dayOf, hiddenFields, textField } from '../form-parts.ts';
import { passkeysWords, type PasskeysWords } from './passkeys-words.ts';

export const PASSKEYS_PATH = '/console/passkeys';
/** Of who is not signed in. */
export const PASSKEY_ENTRANCE = '/console/passkey-sign-in';

const LIBRARY = assetOf(new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser')));
const SCRIPT = assetOf(new URL('assets/passkeys.js', import.meta.url));
export const PASSKEY_ASSETS = [LIBRARY, SCRIPT];

/** What a page needs whose form asks the device for a passkey. */
export const PASSKEY_PAGE = { scripts: PASSKEY_ASSETS.map(({ path }) => path), also: { 'connect-src': "'self'" } };

export interface PasskeysView {
  language: Language;
  formToken: string;
  passkeys: readonly Passkey[];
  /** False where the address of the service is one for which browsers have no passkeys. */
  canAdd: boolean;
  /** What was wrong with the last attempt to add one. */
  fault?: 'name' | 'device' | undefined;
}

/** The passkeys and the sessions of the admin. */
export function passkeysContent({ language, formToken, passkeys, canAdd, fault }: PasskeysView): Html {
  const words = passkeysWords[language];
  return html`
    <p>${words.about}</p>
    ${passkeys.length === 0 ? html`<p>${words.none}</p>` : passkeysTable(passkeys, PASSKEYS_PATH, language)}
    ${canAdd && addForm(formToken, words, fault)}
    <h2>${words.sessionsTitle}</h2>
    <p>${words.sessions}</p>
    <form method="post" action="/console/sign-out-everywhere">
      ${hiddenFields(formToken)}
      <button type="submit">${words.endAll}</button>
    </form>
  `;
}

/**
 * Renders a table of passkeys, each with a link to its removal.
 * @param path the page that the passkeys are listed on
 */
export function passkeysTable(passkeys: readonly Passkey[], path: string, language: Language): Html {
  const words = passkeysWords[language];
  return html`<div class="table" role="region" aria-label=${words.title} tabindex="0">
    <table>
      <thead>
        <tr>
          ${[words.name, words.made, words.used].map((text) => html`<th scope="col">${text}</th>`)}
          <td></td>
        </tr>
      </thead>
      <tbody>
        ${passkeys.map(
          ({ id, name, createdAt, lastUsedAt }) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>${dayOf(createdAt, language, '')}</td>
              <td>${dayOf(lastUsedAt, language, words.never)}</td>
              <td>
                <a href=${`${path}/${id}/remove`} aria-label=${words.remove(name)}>${words.removeShort}</a>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function addForm(formToken: string, words: PasskeysWords, fault: PasskeysView['fault']): Html {
  const name = { name: 'name', label: words.name, hint: words.nameHint, also: { autocomplete: 'off', required: true } };
  const faults: Record<string, string> = fault === 'name' ? { name: words.nameFault } : {};
  return html`
    <h2>${words.addTitle}</h2>
    <noscript><p>${words.needsScript}</p></noscript>
    <form method="post" action=${PASSKEYS_PATH} data-passkey="add" data-options=${`${PASSKEYS_PATH}/options`} hidden>
      ${hiddenFields(formToken)}
      <input type="hidden" name="response" value="" />
      ${textField(name, {}, faults)}
      <p class="fault" role="alert" hidden=${fault !== 'device'}>${words.addFault}</p>
      <button type="submit">${words.add}</button>
    </form>
  `;
}

/** The form by which a passkey signs in. */
export function enterForm(language: Language, hasFailed: boolean): Html {
  const words = passkeysWords[language];
  return html`
    <form
      method="post"
      action=${PASSKEY_ENTRANCE}
      data-passkey="enter"
      data-options=${`${PASSKEY_ENTRANCE}/options`}
      hidden
    >
      <input type="hidden" name="response" value="" />
      <p class="fault" role="alert" hidden=${!hasFailed}>${words.enterFault}</p>
      <button class="quiet" type="submit">${words.enter}</button>
    </form>
  `;
}

interface Removal {
  /** The page that the passkey is listed on. */
  path: string;
  formToken: string;
  language: Language;
  /** The admin whose passkey it is; undefined for the reader's own. */
  ownerName?: string;
}

/** Asks before a passkey is removed. */
export function removeContent({ id, name }: Passkey, { path, formToken, language, ownerName }: Removal): Html {
  const words = passkeysWords[language];
  return html`
    <p>${ownerName === undefined ? words.removeAbout(name) : words.removeOfAnother(name, ownerName)}</p>
    <form method="post" action=${`${path}/${id}/remove`}>
      ${hiddenFields(formToken)}
      <button type="submit">${words.removeButton}</button>
    </form>
    <p><a href=${path}>${words.keep}</a></p>
  `;
}

/** The passkeys of another admin. */
export function passkeysOfAnother(
  admin: { firstName: string; lastName: string; email: string },
  { passkeys, path, language }: { passkeys: readonly Passkey[]; path: string; language: Language },
): Html {
  const words = passkeysWords[language];
  return html`
    <p>${words.ofAnother(`${admin.firstName} ${admin.lastName}`, admin.email)}</p>
    ${passkeys.length === 0 ? html`<p>${words.noneOfAnother}</p>` : passkeysTable(passkeys, path, language)}
    <p><a href=${ADMINS_PATH}>${words.backToAdmins}</a></p>
  `;
}
