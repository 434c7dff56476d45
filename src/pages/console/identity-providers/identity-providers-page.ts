import type { Caller } from '../../../auth/caller.ts';
import { hasAllScopes } from '../../../auth/roles.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { canCall } from '../admin.ts';
import type { FormFaults } from '../form-faults.ts';
import { formFault, hiddenFields, renderDay } from '../../shared/parts/fields.ts';
import { type IdentityProvidersMessages, identityProvidersMessages } from './identity-providers-messages.ts';

type IdentityProvider = Schemas['IdentityProvider'];

export const IDENTITY_PROVIDERS_PATH = '/console/identity-providers';
export const PROTOCOLS = ['oidc', 'saml'] as const;

export const PASSKEY_RULE_PATH = `${IDENTITY_PROVIDERS_PATH}/admin-passkeys`;
const PASSKEY_RULES = ['optional', 'required'] as const satisfies readonly Schemas['AdminPasskeysInput'][];
type PasskeyRule = Schemas['CompanySettings']['adminPasskeys'];

/** The groups of people for whom a provider is enabled. */
export const POPULATIONS = ['admins', 'learners'] as const;

export interface IdentityProvidersView {
  language: Language;
  formToken: string;
  /** The admin, who sees only the actions that the role permits. */
  caller: Pick<Caller, 'scopes'>;
  providers: readonly IdentityProvider[];
  /** The rule for passkeys; undefined if the role cannot read it. */
  adminPasskeys: PasskeyRule | undefined;
  /** The faults of the form that changes `adminPasskeys`. */
  passkeyFaults: FormFaults;
}

/** Renders the rule for passkeys, and the identity providers of the company. */
export function identityProvidersContent({ caller, providers, ...view }: IdentityProvidersView): Html {
  const { language } = view;
  const messages = identityProvidersMessages[language];
  return html`
    ${renderPasskeyRule(hasAllScopes(caller, null), view, messages)}
    <h2>${messages.providersTitle}</h2>
    <p>${messages.about}</p>
    ${providers.length === 0 && html`<p>${messages.none}</p>`}
    ${providers.map((provider) => renderProvider(provider, { caller, language }, messages))}
    ${
      canCall(caller, 'createIdentityProvider') &&
      html`<h2 id="add">${messages.addTitle}</h2>
        <ul>
          ${PROTOCOLS.map((protocol) => {
            return html`<li>
              <a href=${`${IDENTITY_PROVIDERS_PATH}/add/${protocol}`}>
                ${messages.addProtocol(messages.protocols[protocol])}
              </a>
            </li>`;
          })}
        </ul>`
    }
  `;
}

/** Renders the rule for passkeys, with the form that changes it if the role permits that. */
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
  const names = provider.protocol === 'saml' ? { ...messages, ...messages.saml } : messages;
  const rows = (['issuer', 'clientId', 'callbackUrl', 'consoleUrl', 'learnUrl'] as const).map((field) => {
    return html`<dt>${names[field]}</dt>
      <dd><code>${provider[field]}</code></dd>`;
  });
  const { certificatesExpireAt } = provider;
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
      ${
        certificatesExpireAt !== null &&
        html`<dt>${messages.certificatesExpireAt}</dt>
          <dd>${renderDay(certificatesExpireAt, language, messages.never)}</dd>`
      }
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

/** Formats a value of `adminUse` or `learnerUse`. A value that is unknown to this release is shown unchanged. */
function formatUse(use: string, { uses }: IdentityProvidersMessages): string {
  return (uses as Record<string, string>)[use] ?? use;
}

/** Renders the page that confirms the deletion of a provider. */
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
