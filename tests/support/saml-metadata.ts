import { BINDINGS } from '../../src/identity/saml/saml-provider.ts';
import { element, NAMESPACES, PROVIDER_ID, type SamlKey } from './saml-provider.ts';

export const MD = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const SSO = 'https://idp.example.org/saml/sso';
export const SLO = 'https://idp.example.org/saml/slo';

type Attributes = Record<string, string | undefined>;

export const keyDescriptor = (certificates: string, use?: string) =>
  element('md:KeyDescriptor', { use }, element('ds:KeyInfo', { 'xmlns:ds': NAMESPACES.ds }, certificates));
export const x509 = (...certificates: string[]) => {
  return element('ds:X509Data', {}, ...certificates.map((one) => element('ds:X509Certificate', {}, one)));
};
export const service = (name: string, Location: string, Binding: string = BINDINGS.redirect) =>
  element(name, { Binding, Location });

export interface MetadataForm {
  entity?: Attributes;
  provider?: Attributes;
  keys?: string;
  services?: string;
  roles?: string;
}

export function buildMetadata(key: SamlKey, form: MetadataForm = {}): string {
  const { keys = keyDescriptor(x509(key.certificate), 'signing'), services = service('md:SingleSignOnService', SSO) } =
    form;
  const provider = element(
    'md:IDPSSODescriptor',
    { protocolSupportEnumeration: NAMESPACES.samlp, ...form.provider },
    keys,
    services,
  );
  return element(
    'md:EntityDescriptor',
    { 'xmlns:md': MD, entityID: PROVIDER_ID, ...form.entity },
    provider,
    form.roles ?? '',
  );
}

export const federation = (...entities: string[]) => element('md:EntitiesDescriptor', { 'xmlns:md': MD }, ...entities);
export const serviceProvider = () =>
  element(
    'md:EntityDescriptor',
    { 'xmlns:md': MD, entityID: 'https://sp.example.org' },
    element('md:SPSSODescriptor', {}),
  );
