import { fullNameOf } from '../../../db/expressions.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { type Language, LANGUAGES } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { type AdminsWords, adminsWords } from './admins-words.ts';
import type { FormFaults } from '../form-faults.ts';
import { cutHint, dayOf, formFault, hiddenFields, textField, type Typed } from '../form-parts.ts';

export const ADMINS_PATH = '/console/admins';

/** What each language calls itself. */
const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', fr: 'français' };

export interface AdminsView {
  language: Language;
  formToken: string;
  /** Names the form, so that it invites once however often it is sent. */
  once: string;
  admins: readonly Schemas['Admin'][];
  /** There are more. */
  isCut: boolean;
  typed: Typed;
  faults: FormFaults;
}

/** The admins of the company, and the form that invites one. */
export function adminsContent({ language, admins, isCut, ...form }: AdminsView): Html {
  const words = adminsWords[language];
  return html`
    <p>${words.about}</p>
    <div class="table" role="region" aria-label=${words.title} tabindex="0">
      <table>
        <thead>
          <tr>
            ${[words.name, words.email, words.state, words.since].map((text) => html`<th scope="col">${text}</th>`)}
            <td></td>
          </tr>
        </thead>
        <tbody>
          ${admins.map(
            (admin) =>
              html`<tr>
                <th scope="row">${fullNameOf(admin)}</th>
                <td>${admin.email}</td>
                <td>${admin.status === 'active' ? words.active : words.invited}</td>
                <td>${dayOf(admin.invitedAt, language, '–')}</td>
                <td>${admin.status === 'active' && passkeysLink(admin, words)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${cutHint(isCut, language)}
    <h2 id="invite">${words.inviteTitle}</h2>
    ${inviteForm(form, words)}
  `;
}

function passkeysLink({ id, firstName, lastName }: Schemas['Admin'], words: AdminsWords): Html {
  const label = words.passkeysOf(`${firstName} ${lastName}`);
  return html`<a href=${`${ADMINS_PATH}/${id}/passkeys`} aria-label=${label}>${words.passkeys}</a>`;
}

type Form = Pick<AdminsView, 'formToken' | 'once' | 'typed' | 'faults'>;

function inviteForm({ formToken, once, typed, faults }: Form, words: AdminsWords): Html {
  const field = (name: 'firstName' | 'lastName' | 'email', type: string) =>
    textField({ name, label: words[name], also: { type, autocomplete: 'off', required: true } }, typed, faults.fields);
  return html`<form method="post" action=${ADMINS_PATH}>
    ${hiddenFields(formToken, once)} ${formFault(faults.whole)} ${field('firstName', 'text')}
    ${field('lastName', 'text')} ${field('email', 'email')}
    <label for="locale">${words.language}</label>
    <select id="locale" name="locale">
      ${LANGUAGES.map(
        (one) =>
          html`<option value=${one} lang=${one} selected=${typed.locale === one}>${LANGUAGE_NAMES[one]}</option>`,
      )}
    </select>
    <button type="submit">${words.invite}</button>
  </form>`;
}
