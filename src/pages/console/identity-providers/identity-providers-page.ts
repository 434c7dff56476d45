import type { Caller } from '../../../auth/caller.ts';
import { hasAllOf } from '../../../auth/roles.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { canCall } from '../admin.ts';
import type { FormFaults } from '../form-faults.ts';
import { formFault, hiddenFields, renderDay, textField } from '../form-parts.ts';
import { type IdentityProvidersMessages, identityProvidersMessages } from './identity-providers-messages.ts';

type IdentityProvider = Schemas['IdentityProvider'];

export const IDENTITY_PROVIDERS_PATH = '/console/identity-providers';

const USES = ['off', 'optional', 'required'] as const satisfies readonly Schemas['ProviderUseInput'][];
export const PASSKEY_RULE_PATH = `${IDENTITY_PROVIDERS_PATH}/admin-passkeys`;
const PASSKEY_RULES = ['optional', 'required'] as const satisfies readonly Schemas['AdminPasskeysInput'][];
type PasskeyRule = Schemas['CompanySettings']['adminPasskeys'];

/** The groups of people for which a provider is switched on. */
export const POPULATIONS = ['admins', 'learners'] as const;

interface FormView {
  language: Language;
  formToken: string;
  /** The values of the form, by field. */
  typed: Readonly<Record<string, string>>;
  faults: FormFaults;
}

export interface IdentityProvidersView extends FormView {
  /** The admin, who sees only the actions that the role permits. */
  caller: Pick<Caller, 'scopes'>;
  /** The name of the form, so that sending the form twice adds only one provider. */
  once: string;
  providers: readonly IdentityProvider[];
  /** The rule for passkeys; undefined if the role cannot read it. */
  adminPasskeys: PasskeyRule | undefined;
  /** The faults of the form that changes `adminPasskeys`. */
  passkeyFaults: FormFaults;
}

/** Renders the identity providers of the company, and the form that adds one. */
export function identityProvidersContent({ caller, providers, once, ...view }: IdentityProvidersView): Html {
  const { language, formToken, typed, faults } = view;
  const messages = identityProvidersMessages[language];
  return html`
    ${renderPasskeyRule(hasAllOf(caller, null), view, messages)}
    <h2>${messages.providersTitle}</h2>
    <p>${messages.about}</p>
    ${providers.length === 0 && html`<p>${messages.none}</p>`}
    ${providers.map((provider) => renderProvider(provider, { caller, language }, messages))}
    ${
      canCall(caller, 'createIdentityProvider') &&
      html`<h2 id="add">${messages.addTitle}</h2>
        <form method="post" action=${IDENTITY_PROVIDERS_PATH}>
          ${hiddenFields(formToken, once)} ${formFault(faults.whole)}
          ${settingsFields({ typed, faults }, messages.secretHint, messages)}
          <button type="submit">${messages.add}</button>
        </form>`
    }
  `;
}

/** Renders the rule for passkeys, with the form that changes it for those who can. */
function renderPasskeyRule(
  canChange: boolean,
  view: Pick<IdentityProvidersView, 'adminPasskeys' | 'passkeyFaults' | 'formToken'>,
  messages: IdentityProvidersMessages,
): Html {
  const { adminPasskeys, passkeyFaults, formToken } = view;
  if (adminPasskeys === undefined) return html``;
  const { passkeysTitle, passkeysAbout, passkeyRule, passkeyRules, save } = messages;
  const option = (rule: (typeof PASSKEY_RULES)[number]) =>
    html`<option value=${rule} selected=${adminPasskeys === rule}>${passkeyRules[rule]}</option>`;
  return html`
    <h2>${passkeysTitle}</h2>
    <p>${passkeysAbout}</p>
    ${
      canChange
        ? html`<form method="post" action=${PASSKEY_RULE_PATH}>
            ${hiddenFields(formToken)} ${formFault(passkeyFaults.whole)}
            <label for="adminPasskeys">${passkeyRule}</label>
            <select id="adminPasskeys" name="adminPasskeys">
              ${PASSKEY_RULES.map(option)}
            </select>
            <button type="submit">${save}</button>
          </form>`
        : html`<p>${passkeyRule}: ${passkeyRules[adminPasskeys]}</p>`
    }
  `;
}

function renderProvider(
  provider: IdentityProvider,
  { caller, language }: Pick<IdentityProvidersView, 'caller' | 'language'>,
  messages: IdentityProvidersMessages,
): Html {
  const { id, name, testedAt, callbackUrl } = provider;
  const path = `${IDENTITY_PROVIDERS_PATH}/${id}`;
  const rows = (['issuer', 'clientId', 'callbackUrl', 'consoleUrl', 'learnUrl'] as const).map((field) => {
    return html`<dt>${messages[field]}</dt>
      <dd><code>${provider[field]}</code></dd>`;
  });
  const uses = POPULATIONS.map((population) => {
    return html`<dt>${messages[population]}</dt>
      <dd>${formatUse(provider[population], messages)}</dd>`;
  });
  return html`<section aria-labelledby=${`provider-${id}`}>
    <h2 id=${`provider-${id}`}>${name}</h2>
    <dl>
      ${uses} ${rows}
      <dt>${messages.tested}</dt>
      <dd>${renderDay(testedAt, language, messages.never)}</dd>
    </dl>
    ${
      canCall(caller, 'updateIdentityProvider') &&
      html`<p>
        <a href=${new URL('test', callbackUrl).pathname} aria-label=${messages.test(name)}>${messages.testShort}</a>
        <a href=${path} aria-label=${messages.change(name)}>${messages.changeShort}</a>
        <a href=${`${path}/remove`} aria-label=${messages.remove(name)}>${messages.removeShort}</a>
      </p>`
    }
  </section>`;
}

/** Formats a use. A use that is unknown to this release shows as it is. */
function formatUse(use: string, { uses }: IdentityProvidersMessages): string {
  return (uses as Record<string, string>)[use] ?? use;
}

function settingsFields(
  { typed, faults: { fields } }: Pick<FormView, 'typed' | 'faults'>,
  secretHint: string,
  messages: IdentityProvidersMessages,
): Html {
  const field = (name: 'name' | 'issuer' | 'clientId', hint?: string) =>
    textField(
      { name, label: messages[name], ...(hint && { hint }), also: { autocomplete: 'off', required: true } },
      typed,
      fields,
    );
  const secret = { name: 'clientSecret', label: messages.clientSecret, hint: secretHint };
  return html`
    ${field('name', messages.nameHint)} ${field('issuer', messages.issuerHint)} ${field('clientId')}
    ${textField({ ...secret, also: { type: 'password', autocomplete: 'off' } }, {}, fields)}
    <label>
      <input type="checkbox" name="createsLearners" value="yes" checked=${typed.createsLearners === 'yes'} />
      ${messages.createsLearners}
    </label>
  `;
}

/** Renders the form that changes a provider. */
export function changeContent({ id }: IdentityProvider, { language, formToken, typed, faults }: FormView): Html {
  const messages = identityProvidersMessages[language];
  const selects = POPULATIONS.map((name) => {
    const option = (use: (typeof USES)[number]) =>
      html`<option value=${use} selected=${typed[name] === use}>${messages.uses[use]}</option>`;
    return html`<label for=${name}>${messages[name]}</label>
      <select id=${name} name=${name}>
        ${USES.map(option)}
      </select>`;
  });
  return html`
    <form method="post" action=${`${IDENTITY_PROVIDERS_PATH}/${id}`}>
      ${hiddenFields(formToken)} ${formFault(faults.whole)}
      ${settingsFields({ typed, faults }, messages.keepSecretHint, messages)} ${selects}
      <button type="submit">${messages.save}</button>
    </form>
    <p><a href=${IDENTITY_PROVIDERS_PATH}>${messages.back}</a></p>
  `;
}

/** Renders the confirmation before a provider is deleted. */
export function removeContent({ id, name }: IdentityProvider, language: Language, formToken: string): Html {
  const messages = identityProvidersMessages[language];
  return html`
    <p>${messages.removeAbout(name)}</p>
    <form method="post" action=${`${IDENTITY_PROVIDERS_PATH}/${id}/remove`}>
      ${hiddenFields(formToken)}
      <button type="submit">${messages.removeButton}</button>
    </form>
    <p><a href=${IDENTITY_PROVIDERS_PATH}>${messages.back}</a></p>
  `;
}
