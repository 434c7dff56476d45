import type { Caller } from '../../../auth/caller.ts';
import { hasAllScopes } from '../../../auth/roles.ts';
import { formatFullName } from '../../../db/expressions.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { type Language, LANGUAGES } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { type AdminsMessages, adminsMessages } from './admins-messages.ts';
import { canCall } from '../admin.ts';
import type { FormFaults } from '../form-faults.ts';
import { provisioningMessages } from './provisioning-messages.ts';
import { findRole, formatRole, roleField } from './role-field.ts';
import { cutHint, renderDay, formFault, hiddenFields, textField, type FieldValues } from '../../shared/parts/fields.ts';
import { dataTable } from '../../shared/parts/table.ts';

export const ADMINS_PATH = '/console/admins';
export const PROVISIONING_PATH = `${ADMINS_PATH}/provisioning`;

/** The name of each language in that language. */
const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', fr: 'français' };

export interface AdminsView {
  language: Language;
  formToken: string;
  /** One-time id of the form, so that submitting it twice sends only one invitation. */
  once: string;
  /** The signed-in admin, who sees only the actions that the role permits. */
  caller: Pick<Caller, 'scopes'>;
  admins: readonly Schemas['Admin'][];
  /** The roles of the company that the admin can read. */
  roles: readonly Schemas['Role'][];
  /** Whether there are more admins than the page shows. */
  isCut: boolean;
  typed: FieldValues;
  faults: FormFaults;
}

/** Renders the admins of the company, and the form that invites one. */
export function adminsContent({ language, admins, isCut, ...form }: AdminsView): Html {
  const { caller, roles } = form;
  const messages = adminsMessages[language];
  const columns = [messages.name, messages.email, messages.role, messages.state, messages.since];
  const toRow = (admin: Schemas['Admin']) => [
    html`<a href=${`${ADMINS_PATH}/${admin.id}`}><bdi>${formatFullName(admin)}</bdi></a>`,
    admin.email,
    formatRole(findRole(admin, roles), messages),
    formatState(admin, messages),
    renderDay(admin.invitedAt, language, '–'),
  ];
  return html`
    <p>${messages.about}</p>
    ${hasAllScopes(caller, null) && canCall(caller, 'getAdminProvisioning') && html`<p><a href=${PROVISIONING_PATH}>${provisioningMessages[language].title}</a></p>`}
    ${dataTable({ caption: messages.title, columns, rows: admins.map(toRow) })} ${cutHint(isCut, language)}
    ${canCall(caller, 'createAdmin') && inviteForm(form, messages)}
  `;
}

/** Names the state of an admin. */
export function formatState({ status, managedBy }: Schemas['Admin'], messages: AdminsMessages): string {
  if (status !== 'active') return messages.invited;
  return managedBy === null ? messages.active : messages.fromDirectory;
}

type Form = Pick<AdminsView, 'caller' | 'roles' | 'formToken' | 'once' | 'typed' | 'faults'>;

function inviteForm({ caller, roles, formToken, once, typed, faults }: Form, messages: AdminsMessages): Html {
  const field = (name: 'firstName' | 'lastName' | 'email', type: string) =>
    textField(
      { name, label: messages[name], also: { type, autocomplete: 'off', required: true } },
      typed,
      faults.fields,
    );
  return html`<h2 id="invite">${messages.inviteTitle}</h2>
    <form method="post" action=${ADMINS_PATH}>
      ${hiddenFields(formToken, once)} ${formFault(faults.whole)} ${field('firstName', 'text')}
      ${field('lastName', 'text')} ${field('email', 'email')}
      <label for="locale">${messages.language}</label>
      <select id="locale" name="locale">
        ${LANGUAGES.map(
          (one) =>
            html`<option value=${one} lang=${one} selected=${typed.locale === one}>${LANGUAGE_NAMES[one]}</option>`,
        )}
      </select>
      ${roleField({ caller, roles, chosen: typed.role ?? 'administrator', fault: faults.fields.role }, messages)}
      <button type="submit">${messages.invite}</button>
    </form>`;
}
