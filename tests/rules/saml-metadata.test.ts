import { describeSamlService, readSamlMetadata } from '../../src/identity/saml/saml-metadata.ts';
import { certificatesExpireAt } from '../../src/identity/saml/signing-certificates.ts';
import { BINDINGS } from '../../src/identity/saml/saml-provider.ts';
import {
  at,
  attribute,
  buildResponse,
  createSamlKey,
  element,
  NAMESPACES,
  PROVIDER_ID,
  type SamlKey,
} from '../support/saml-provider.ts';
import {
  buildMetadata,
  federation,
  keyDescriptor,
  service,
  serviceProvider,
  SLO,
  SSO,
  x509,
} from '../support/saml-metadata.ts';
import { catchFault, signIn } from '../support/saml-sign-in.ts';

let key: SamlKey;
let next: SamlKey;
beforeAll(async () => {
  [key, next] = [await createSamlKey(), await createSamlKey('P-256', at(86_400 * 30))];
});

const reject = (xml: string, options = {}) => catchFault(() => readSamlMetadata(xml, options));

const provider = () => ({ entityId: PROVIDER_ID, signInUrl: SSO, certificates: [key.certificate] });

test('metadata is read', () => {
  expect(readSamlMetadata(buildMetadata(key))).toEqual(provider());
});

test('a provider that was read signs in', () => {
  expect(signIn(buildResponse(key), [], { provider: readSamlMetadata(buildMetadata(key)) }).nameId).toBe('grace');
});

const toPem = ({ certificate }: SamlKey) => {
  return `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)!.join('\n')}\n-----END CERTIFICATE-----`;
};

const accepted: [name: string, build: () => string, expected: () => object][] = [
  [
    'an XML declaration, comments and white space',
    () => `\uFEFF<?xml version="1.0" encoding="utf-8"?>\n<!-- x -->\n${buildMetadata(key)}\n`,
    provider,
  ],
  [
    'a URL to log out',
    () =>
      buildMetadata(key, { services: service('md:SingleLogoutService', SLO) + service('md:SingleSignOnService', SSO) }),
    () => ({ ...provider(), logout: { binding: 'redirect', url: SLO } }),
  ],
  [
    'other bindings',
    () =>
      buildMetadata(key, {
        services: service('md:SingleSignOnService', 'http://x', BINDINGS.post) + service('md:SingleSignOnService', SSO),
      }),
    provider,
  ],
  [
    'a URL with a query',
    () => buildMetadata(key, { services: service('md:SingleSignOnService', `${SSO}?idpid=C01&amp;x=1`) }),
    () => ({ ...provider(), signInUrl: `${SSO}?idpid=C01&x=1` }),
  ],
  [
    'two keys',
    () =>
      buildMetadata(key, {
        keys: keyDescriptor(x509(key.certificate), 'signing') + keyDescriptor(x509(next.certificate), 'signing'),
      }),
    () => ({ ...provider(), certificates: [key.certificate, next.certificate] }),
  ],
  [
    'two certificates of a key',
    () => buildMetadata(key, { keys: keyDescriptor(x509(key.certificate, next.certificate)) }),
    () => ({ ...provider(), certificates: [key.certificate, next.certificate] }),
  ],
  [
    'the same certificate twice',
    () =>
      buildMetadata(key, {
        keys: keyDescriptor(x509(key.certificate), 'signing') + keyDescriptor(x509(key.certificate)),
      }),
    provider,
  ],
  ['a key without a use', () => buildMetadata(key, { keys: keyDescriptor(x509(key.certificate)) }), provider],
  [
    'a key for encryption',
    () =>
      buildMetadata(key, {
        keys: keyDescriptor(x509(next.certificate), 'encryption') + keyDescriptor(x509(key.certificate), 'signing'),
      }),
    provider,
  ],
  [
    'a weak key for encryption',
    () =>
      buildMetadata(key, {
        keys: keyDescriptor(x509('AAAA'), 'encryption') + keyDescriptor(x509(key.certificate), 'signing'),
      }),
    provider,
  ],
  [
    'line breaks in the certificate',
    () => buildMetadata(key, { keys: keyDescriptor(x509(`\n${key.certificate.replaceAll(/(.{64})/g, '$1\r\n')}\n`)) }),
    provider,
  ],
  ['a certificate in PEM', () => buildMetadata(key, { keys: keyDescriptor(x509(toPem(key))) }), provider],
  [
    'base64 of a certificate in PEM',
    () => buildMetadata(key, { keys: keyDescriptor(x509(Buffer.from(toPem(key)).toString('base64'))) }),
    provider,
  ],
  [
    'several protocols',
    () =>
      buildMetadata(key, { provider: { protocolSupportEnumeration: `urn:mace:shibboleth:1.0 ${NAMESPACES.samlp}` } }),
    provider,
  ],
  [
    'other roles, as AD FS has',
    () =>
      buildMetadata(key, {
        roles:
          element('md:SPSSODescriptor', {}, keyDescriptor(x509(next.certificate))) +
          element(
            'md:RoleDescriptor',
            { 'xmlns:xsi': NAMESPACES.xsi, 'xsi:type': 'fed:SecurityTokenServiceType' },
            keyDescriptor(x509(next.certificate)),
          ),
      }),
    provider,
  ],
  [
    'a signature, which is not needed',
    () =>
      buildMetadata(key).replace(
        '<md:IDP',
        `${element('ds:Signature', { 'xmlns:ds': NAMESPACES.ds }, element('ds:KeyInfo', {}, x509(next.certificate)))}<md:IDP`,
      ),
    provider,
  ],
  ['a federation of one provider', () => federation(buildMetadata(key)), provider],
  ['a federation of one provider and a service', () => federation(serviceProvider(), buildMetadata(key)), provider],
  ['a federation in a federation', () => federation(federation(buildMetadata(key))), provider],
  [
    'no prefixes',
    () => buildMetadata(key).replaceAll('md:', '').replace('xmlns:md', 'xmlns').replaceAll('xmlns:ds', 'xmlns:ds'),
    provider,
  ],
  [
    'a request for signed requests, as Keycloak has',
    () => buildMetadata(key, { provider: { WantAuthnRequestsSigned: 'true' } }),
    provider,
  ],
  [
    'an attribute list of the provider',
    () =>
      buildMetadata(key, {
        services:
          service('md:SingleSignOnService', SSO) +
          attribute('x', 'y').replace('<saml:Attribute', `<saml:Attribute xmlns:saml="${NAMESPACES.saml}"`),
      }),
    provider,
  ],
];

test.each(accepted)('metadata with %s is read', (_name, build, expected) => {
  expect(readSamlMetadata(build())).toEqual(expected());
});

const withService = (address: string) => buildMetadata(key, { services: service('md:SingleSignOnService', address) });

test.each(['127.0.0.1:8080', '[::1]:8080', 'localhost'])('http is accepted at %s if loopback is allowed', (host) => {
  const metadata = withService(`http://${host}/sso`);
  expect(readSamlMetadata(metadata, { allowLoopback: true }).signInUrl).toBe(`http://${host}/sso`);
  expect(reject(withService('http://10.0.0.1/sso'), { allowLoopback: true }).code).toBe('metadata_invalid');
  expect(reject(withService('http://localhost.attacker.test/'), { allowLoopback: true }).code).toBe('metadata_invalid');
});

test('the expiry of the last certificate is reported', () => {
  expect(certificatesExpireAt({ certificates: [key.certificate] })).toBe('2026-03-03T08:30:00.000Z');
  expect(certificatesExpireAt({ certificates: [next.certificate, key.certificate, 'junk'] })).toBe(
    '2026-04-01T08:30:00.000Z',
  );
  expect(certificatesExpireAt({ certificates: [] })).toBeUndefined();
});

const ours = {
  entityId: 'https://a.test/?x=1&y="2"',
  assertionConsumerUrl: 'https://a.test/<acs>',
  logoutUrl: 'https://a.test/<logout>',
};

test('our metadata describes the service, and escapes its names', () => {
  expect(describeSamlService(ours)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://a.test/?x=1&amp;y=&quot;2&quot;">
  <SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</NameIDFormat>
    <NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>
    <NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified</NameIDFormat>
    <AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://a.test/&lt;acs&gt;" index="0" isDefault="true"/>
  </SPSSODescriptor>
</EntityDescriptor>
`);
});

test('our metadata names the single logout service and the key that signs its messages', () => {
  const lines = describeSamlService(ours, 'AAAA').split('\n');
  const location = 'Location="https://a.test/&lt;logout&gt;"/>';
  expect(lines.slice(3, 6)).toEqual([
    `    <KeyDescriptor use="signing"><KeyInfo xmlns="${NAMESPACES.ds}"><X509Data><X509Certificate>AAAA</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`,
    `    <SingleLogoutService Binding="${BINDINGS.redirect}" ${location}`,
    `    <SingleLogoutService Binding="${BINDINGS.post}" ${location}`,
  ]);
});

describe('the single logout service of a provider', () => {
  const sso = service('md:SingleSignOnService', SSO);
  const read = (...services: string[]) =>
    readSamlMetadata(buildMetadata(key, { services: services.join('') + sso })).logout;
  const slo = (location: string, binding?: string) => service('md:SingleLogoutService', location, binding);

  test('has the URL of the HTTP-Redirect binding if the provider offers that binding', () => {
    expect(read(slo('https://x', BINDINGS.post), slo(SLO))).toEqual({ binding: 'redirect', url: SLO });
    expect(read(slo('https://x', 'urn:oasis:names:tc:SAML:2.0:bindings:SOAP'))).toBeUndefined();
    expect(read(slo(SLO, BINDINGS.post))).toEqual({ binding: 'post', url: SLO });
  });

  test('can have another URL for responses', () => {
    const split = slo(SLO).replace('Location', `ResponseLocation="${SLO}/response" Location`);
    expect(read(split)).toEqual({ binding: 'redirect', url: SLO, responseUrl: `${SLO}/response` });
  });

  test.each(['http://idp.example.org/slo', 'javascript:alert(1)', 'https://user@idp.example.org/', ''])(
    'is left out if its URL is %j, and people can still sign in',
    (address) => {
      expect(read(slo(address))).toBeUndefined();
      expect(read(slo(SLO).replace('Location', `ResponseLocation="${address || 'x'}" Location`))).toBeUndefined();
    },
  );
});
