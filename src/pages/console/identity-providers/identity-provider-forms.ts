import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import type { FormFaults } from '../form-faults.ts';
import { formFault, hiddenFields, textField } from '../../shared/parts/fields.ts';
import { type IdentityProvidersMessages, identityProvidersMessages } from './identity-providers-messages.ts';
import { IDENTITY_PROVIDERS_PATH, POPULATIONS, type PROTOCOLS } from './identity-providers-page.ts';

type IdentityProvider = Schemas['IdentityProvider'];
export type Protocol = (typeof PROTOCOLS)[number];

const USES = ['off', 'optional', 'required'] as const satisfies readonly Schemas['ProviderUseInput'][];
export const CLAIMS = ['email', 'firstName', 'lastName', 'groups'] as const;
/** Number of empty rows for further groups. */
const FREE_ROWS = 3;

/** A role that a group can have. */
export interface RoleChoice {
  /** The name of a built-in role, or the id of one that the company created. */
  value: string;
  label: string;
}

interface FormView {
  language: Language;
  formToken: string;
  /** The values of the form, by field. */
  typed: Readonly<Record<string, string>>;
  faults: FormFaults;
}

/**
 * Renders the form that adds a provider.
 * @param once one-time id of the form, so that submitting it twice adds only one provider
 */
export function addContent(protocol: Protocol, { language, formToken, typed, faults }: FormView, once: string): Html {
  const messages = identityProvidersMessages[language];
  const fields =
    protocol === 'saml'
      ? samlFields({ typed, faults }, messages.metadataHint, messages)
      : oidcFields({ typed, faults }, messages.secretHint, messages);
  return html`
    <form method="post" action=${`${IDENTITY_PROVIDERS_PATH}/add/${protocol}`}>
      ${hiddenFields(formToken, once)} ${formFault(faults.whole)} ${nameField({ typed, faults }, messages)} ${fields}
      ${createsLearnersField({ typed, faults }, messages)}
      <button type="submit">${messages.add}</button>
    </form>
    <p><a href=${IDENTITY_PROVIDERS_PATH}>${messages.back}</a></p>
  `;
}

/** Renders the form that changes a provider. */
export function changeContent(
  { id, protocol, hasClientSecret }: Pick<IdentityProvider, 'id' | 'protocol' | 'hasClientSecret'>,
  { language, formToken, typed, faults }: FormView,
  roles: readonly RoleChoice[],
): Html {
  const messages = identityProvidersMessages[language];
  const view = { typed, faults };
  const fields =
    protocol === 'saml'
      ? samlFields(view, messages.keepMetadataHint, messages)
      : html`${oidcFields(view, messages.keepSecretHint, messages)}
        ${hasClientSecret && checkbox('removeSecret', messages.removeSecret, typed)}`;
  const selects = POPULATIONS.map((name) => {
    const choices = USES.map((use) => ({ value: use, label: messages.uses[use] }));
    return selectField({ name, label: messages[name], choices }, typed);
  });
  return html`
    <form method="post" action=${`${IDENTITY_PROVIDERS_PATH}/${id}`}>
      ${hiddenFields(formToken)} ${formFault(faults.whole)} ${nameField(view, messages)} ${fields}
      ${createsLearnersField(view, messages)} ${selects} ${claimsFields(view, messages)}
      ${rolesFields(typed, roles, messages)}
      <button type="submit">${messages.save}</button>
    </form>
    <p><a href=${IDENTITY_PROVIDERS_PATH}>${messages.back}</a></p>
  `;
}

type View = Pick<FormView, 'typed' | 'faults'>;

const REQUIRED = { autocomplete: 'off', required: true };

function nameField({ typed, faults: { fields } }: View, { name, nameHint }: IdentityProvidersMessages): Html {
  return textField({ name: 'name', label: name, hint: nameHint, also: REQUIRED }, typed, fields);
}

function oidcFields(
  { typed, faults: { fields } }: View,
  secretHint: string,
  messages: IdentityProvidersMessages,
): Html {
  const { issuer, issuerHint, clientId, clientSecret } = messages;
  const secret = { name: 'clientSecret', label: clientSecret, hint: secretHint };
  return html`
    ${textField({ name: 'issuer', label: issuer, hint: issuerHint, also: REQUIRED }, typed, fields)}
    ${textField({ name: 'clientId', label: clientId, also: REQUIRED }, typed, fields)}
    ${textField({ ...secret, also: { type: 'password', autocomplete: 'off' } }, {}, fields)}
  `;
}

function samlFields({ typed, faults: { fields } }: View, hint: string, messages: IdentityProvidersMessages): Html {
  const fault = fields.metadata;
  const address = { name: 'metadataUrl', label: messages.metadataUrl, hint: messages.metadataUrlHint };
  return html`
    ${textField({ ...address, also: { type: 'url', autocomplete: 'off' } }, typed, fields)}
    <label for="metadata">${messages.metadata}</label>
    <textarea
      id="metadata"
      name="metadata"
      rows="6"
      spellcheck="false"
      aria-describedby=${fault ? 'metadata-hint metadata-fault' : 'metadata-hint'}
      aria-invalid=${fault ? 'true' : undefined}
    >
${typed.metadata ?? ''}</textarea>
    <p class="hint" id="metadata-hint">${hint}</p>
    ${fault && html`<p class="fault" id="metadata-fault" role="alert">${fault}</p>`}
  `;
}

function createsLearnersField(
  { typed, faults: { fields } }: View,
  { createsLearners }: IdentityProvidersMessages,
): Html {
  return checkbox('createsLearners', createsLearners, typed, fields.createsLearners);
}

function checkbox(name: string, label: string, typed: FormView['typed'], fault?: string): Html {
  const marks = fault && { 'aria-invalid': 'true', 'aria-describedby': `${name}-fault` };
  return html`<label>
      <input type="checkbox" name=${name} value="yes" checked=${typed[name] === 'yes'} ...${marks || {}} />
      ${label}
    </label>
    ${fault && html`<p class="fault" id=${`${name}-fault`} role="alert">${fault}</p>`}`;
}

interface SelectField {
  name: string;
  label: string;
  choices: readonly RoleChoice[];
}

function selectField({ name, label, choices }: SelectField, typed: FormView['typed']): Html {
  const option = (choice: RoleChoice) =>
    html`<option value=${choice.value} selected=${typed[name] === choice.value}>${choice.label}</option>`;
  return html`<label for=${name}>${label}</label>
    <select id=${name} name=${name}>
      ${choices.map(option)}
    </select>`;
}

function claimsFields({ typed, faults: { fields } }: View, messages: IdentityProvidersMessages): Html {
  return html`<fieldset>
    <legend>${messages.claims}</legend>
    <p class="hint">${messages.claimsHint}</p>
    ${CLAIMS.map((claim) => {
      const field = { name: `claim-${claim}`, label: messages.claim[claim], also: REQUIRED };
      return textField(field, typed, claim === 'email' && fields.claims ? { [field.name]: fields.claims } : {});
    })}
  </fieldset>`;
}

function rolesFields(
  typed: FormView['typed'],
  roles: readonly RoleChoice[],
  messages: IdentityProvidersMessages,
): Html {
  const used = Object.keys(typed).filter((name) => /^group-\d+$/.test(name) && typed[name] !== '').length;
  const rows = Array.from({ length: used + FREE_ROWS }, (_, index) => {
    const group = { name: `group-${index}`, label: messages.group(index + 1), also: { autocomplete: 'off' } };
    const role = { name: `role-${index}`, label: messages.roleOf(index + 1), choices: roles };
    return html`${textField(group, typed, {})} ${selectField(role, typed)}`;
  });
  return html`<fieldset>
    <legend>${messages.roles}</legend>
    <p class="hint">${messages.rolesHint}</p>
    ${rows}
  </fieldset>`;
}
