import type { Schemas } from '../../../contract/contract.ts';
import { toRoleFields, toRoleValue } from '../admins/role-field.ts';
import { CLAIMS, type Protocol } from './identity-provider-forms.ts';
import { POPULATIONS } from './identity-providers-page.ts';

type IdentityProvider = Schemas['IdentityProvider'];
type Values = Record<string, string>;

/** Form fields that can have faults. */
export const FIELDS = ['name', 'issuer', 'clientId', 'clientSecret', 'metadataUrl', 'metadata', 'claims'] as const;

/** Fields that keep their stored value if they are submitted empty. */
const KEPT_WHEN_EMPTY = new Set<string>(['clientSecret', 'metadataUrl', 'metadata']);
const OF_PROTOCOL = {
  oidc: ['name', 'issuer', 'clientId', 'clientSecret'],
  saml: ['name', 'metadataUrl', 'metadata'],
} as const;

/** Returns the values that the form shows for a provider. */
export function toValues(provider: IdentityProvider): Values {
  const { name, issuer, clientId, admins, learners, createsLearners, claims, roles, metadataUrl } = provider;
  return {
    ...{ name, issuer, clientId, admins, learners, createsLearners: createsLearners ? 'yes' : '' },
    metadataUrl: metadataUrl ?? '',
    ...Object.fromEntries(CLAIMS.map((claim) => [`claim-${claim}`, claims[claim]])),
    ...Object.fromEntries(roles.map(({ group }, index) => [`group-${index}`, group])),
    ...Object.fromEntries(roles.map((role, index) => [`role-${index}`, toRoleValue(role)])),
  };
}

/** Reads the settings of a new provider. Optional strings that are empty are left out. */
export function readNewProvider(form: URLSearchParams, protocol: Protocol): Schemas['CreateIdentityProviderInput'] {
  return { ...readSettings(form, protocol), protocol } as Schemas['CreateIdentityProviderInput'];
}

/** Reads all settings of a provider. A metadata URL that has not changed is left out. */
export function readChanges(
  form: URLSearchParams,
  { protocol, metadataUrl }: Pick<IdentityProvider, 'protocol' | 'metadataUrl'>,
): Schemas['UpdateIdentityProviderInput'] {
  const settings = readSettings(form, protocol);
  if (settings.metadataUrl === metadataUrl) delete settings.metadataUrl;
  if (form.get('removeSecret') === 'yes') settings.clientSecret = null;
  return {
    ...settings,
    ...Object.fromEntries(POPULATIONS.map((name) => [name, form.get(name) ?? ''])),
    claims: Object.fromEntries(CLAIMS.map((claim) => [claim, readText(form, `claim-${claim}`)])),
    roles: readRoles(form),
  };
}

function readSettings(form: URLSearchParams, protocol: Protocol): Record<string, string | boolean | null> {
  const given = OF_PROTOCOL[protocol].map((name): [string, string] => [name, readText(form, name)]);
  const settings = given.filter(([name, value]) => !KEPT_WHEN_EMPTY.has(name) || value !== '');
  return { ...Object.fromEntries(settings), createsLearners: form.get('createsLearners') === 'yes' };
}

/** Reads the rows with a group, in the order of the form. */
function readRoles(form: URLSearchParams): Schemas['RoleOfGroupInput'][] {
  const numbers = [...form.keys()].flatMap((name) => /^group-(\d+)$/.exec(name)?.[1] ?? []);
  return numbers.flatMap((number) => {
    const group = readText(form, `group-${number}`);
    return group === '' ? [] : [{ group, ...toRoleFields(form.get(`role-${number}`)) }];
  });
}

function readText(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').trim();
}
