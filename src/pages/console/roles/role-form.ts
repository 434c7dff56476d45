import { type Caller, hasScope } from '../../../auth/caller.ts';
import { type Schemas, scopes as allScopes } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { type FieldValues, formFault, hiddenFields, textAreaField, textField } from '../../shared/parts/fields.ts';
import type { FormFaults } from '../form-faults.ts';
import { groupScopes, ROLES_PATH, toActionName, toRolePath } from './roles-page.ts';
import { rolesMessages } from './roles-messages.ts';

export interface RoleFormView {
  language: Language;
  /** Signed-in admin. They can give only permissions that their own role includes. */
  caller: Pick<Caller, 'scopes'>;
  formToken: string;
  once: string;
  /** The role to change; undefined for a new one. */
  role: Schemas['Role'] | undefined;
  /** The version of the role on which the form is based. */
  version: string;
  /** The number of admins who have the role; undefined if the signed-in admin cannot read them. */
  holderCount: number | undefined;
  typed: FieldValues;
  scopes: readonly string[];
  faults: FormFaults;
}

/** Renders the form that creates or changes a role. */
export function roleFormContent({ language, caller, role, typed, scopes, faults, ...form }: RoleFormView): Html {
  const messages = rolesMessages[language];
  const givable = allScopes.filter((scope) => hasScope(caller, scope));
  const box = (scope: string) =>
    html`<label>
      <input type="checkbox" name="scopes" value=${scope} checked=${scopes.includes(scope)} />
      ${toActionName(scope, language)}
    </label>`;
  const operation = role ? ('updateRole' as const) : ('createRole' as const);
  const path = role?.id ? { path: { roleId: role.id } } : {};
  return html`
    <p><a href=${role ? toRolePath(role) : ROLES_PATH}>${messages.back}</a></p>
    ${role && form.holderCount !== undefined && html`<p>${messages.editAbout(form.holderCount)}</p>`}
    <form method="post" action=${role ? toRolePath(role, '/edit') : ROLES_PATH}>
      ${hiddenFields(form.formToken, form.once)} <input type="hidden" name="version" value=${form.version} />
      ${formFault(faults.whole)}
      ${textField({ name: 'name', label: messages.name, also: { required: true, maxlength: '200', autocomplete: 'off' } }, typed, faults.fields)}
      ${textAreaField({ name: 'description', label: messages.description, hint: messages.descriptionHint, also: { maxlength: '500' } }, typed, faults.fields)}
      <h2>${messages.scopes}</h2>
      <p class="hint">${messages.scopesAbout}</p>
      ${faults.fields.scopes && html`<p class="fault" id="scopes-fault" role="alert">${faults.fields.scopes}</p>`}
      ${groupScopes(givable, language).map(
        ([name, own]) =>
          html`<fieldset aria-describedby=${faults.fields.scopes && 'scopes-fault'}>
            <legend>${name}</legend>
            <div class="columns">${own.map(box)}</div>
          </fieldset>`,
      )}
      <button type="submit">${messages.save}</button>
    </form>
    ${apiCalls([{ operationId: operation, ...path }], language)}
  `;
}
