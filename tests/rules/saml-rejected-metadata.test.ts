import { describeSamlService, readSamlMetadata } from '../../src/identity/saml/saml-metadata.ts';
import { BINDINGS } from '../../src/identity/saml/saml-provider.ts';
import { buildResponse, createSamlKey, element, NAMESPACES, type SamlKey, SERVICE } from '../support/saml-provider.ts';
import {
  buildMetadata,
  federation,
  keyDescriptor,
  MD,
  service,
  serviceProvider,
  SSO,
  x509,
} from '../support/saml-metadata.ts';
import { catchFault } from '../support/saml-sign-in.ts';

let key: SamlKey;
beforeAll(async () => {
  key = await createSamlKey();
});

const withService =
  (...location: [string, string?]) =>
  () =>
    buildMetadata(key, { services: service('md:SingleSignOnService', ...location) });

/** Returns metadata with a certificate in which one string, read as Latin-1, is replaced by another. */
function withCertificate(before: RegExp, after: string): string {
  const text = Buffer.from(key.certificate, 'base64').toString('latin1');
  const certificate = Buffer.from(text.replaceAll(before, after), 'latin1').toString('base64');
  return buildMetadata(key, { keys: keyDescriptor(x509(certificate)) });
}

const rejected: [name: string, detail: RegExp, build: () => string | Promise<string>][] = [
  ['nothing', /well-formed|empty/, () => ''],
  ['JSON', /well-formed/, () => '{}'],
  ['HTML', /DOCTYPE/, () => '<!DOCTYPE html><html></html>'],
  ['a DOCTYPE', /DOCTYPE/, () => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${buildMetadata(key)}`],
  ['an entity', /well-formed/, () => buildMetadata(key, { entity: { entityID: '&e;' } })],
  ['a processing instruction', /processing instruction/, () => `<?x y?>${buildMetadata(key)}`],
  [
    'a CDATA section',
    /CDATA/,
    () => buildMetadata(key, { keys: keyDescriptor(x509(`<![CDATA[${key.certificate}]]>`)) }),
  ],
  ['the metadata of a service', /no identity provider/, serviceProvider],
  ['our metadata', /no identity provider/, () => describeSamlService(SERVICE)],
  [
    'a provider of SAML 1.1',
    /no identity provider/,
    () => buildMetadata(key, { provider: { protocolSupportEnumeration: 'urn:oasis:names:tc:SAML:1.1:protocol' } }),
  ],
  ['another namespace', /not SAML metadata/, () => buildMetadata(key).replace(MD, 'urn:x')],
  ['a response', /not SAML metadata/, () => buildResponse(key)],
  [
    'two providers',
    /several/,
    () => federation(buildMetadata(key), buildMetadata(key, { entity: { entityID: 'https://other.test' } })),
  ],
  [
    'two providers of an entity',
    /several/,
    () =>
      buildMetadata(key, { roles: element('md:IDPSSODescriptor', { protocolSupportEnumeration: NAMESPACES.samlp }) }),
  ],
  ['a certificate that ends in month 13', /cannot be read/, () => withCertificate(/\d{12}Z/g, '991332000000Z')],
  [
    'a certificate with a key of an unknown kind',
    /cannot be read/,
    // The object identifier of keys for RSA, with another last byte.
    () => withCertificate(/\x86\xf7\x0d\x01\x01\x01/g, '\x86\xf7\x0d\x01\x01\x7f'),
  ],
  ['no entity id', /entityID/, () => buildMetadata(key, { entity: { entityID: undefined } })],
  ['an empty entity id', /entityID/, () => buildMetadata(key, { entity: { entityID: ' ' } })],
  ['a long entity id', /entityID/, () => buildMetadata(key, { entity: { entityID: 'x'.repeat(1025) } })],
  ['no URL', /HTTP-Redirect/, () => buildMetadata(key, { services: '' })],
  ['a URL for posts only', /HTTP-Redirect/, withService(SSO, BINDINGS.post)],
  ['a URL for SOAP only', /HTTP-Redirect/, withService(SSO, 'urn:oasis:names:tc:SAML:2.0:bindings:SOAP')],
  ['an http URL', /https/, withService('http://idp.example.org/sso')],
  ['a loopback URL', /https/, withService('http://127.0.0.1:8080/sso')],
  ['a URL that runs a script', /https/, withService('javascript:alert(1)')],
  ['a data URL', /https/, withService('data:text/html,x')],
  ['a relative URL', /https/, withService('/sso')],
  ['a URL without a host', /https/, withService('https://')],
  ['a URL with credentials', /credentials/, withService('https://user:password@idp.example.org/')],
  ['a URL with a fragment', /fragment/, withService(`${SSO}#x`)],
  ['a URL with a space', /spaces/, withService(`${SSO}?x=a b`)],
  ['a URL with a line break', /spaces/, withService(`${SSO}&#10;Set-Cookie:x`)],
  ['a URL with backslashes', /outside ASCII/, withService('https:\\\\idp.example.org\\sso')],
  ['a URL with a non-ASCII host', /outside ASCII/, withService('https://idp.exämple.org/')],
  ['a long URL', /longer/, withService(`${SSO}?${'x'.repeat(2000)}`)],
  ['no key', /no certificate/, () => buildMetadata(key, { keys: '' })],
  [
    'a key for encryption only',
    /no certificate/,
    () => buildMetadata(key, { keys: keyDescriptor(x509(key.certificate), 'encryption') }),
  ],
  [
    'a key value only',
    /no certificate/,
    () => buildMetadata(key, { keys: keyDescriptor(element('ds:KeyValue', {}), 'signing') }),
  ],
  [
    'a certificate of another namespace',
    /no certificate/,
    () => buildMetadata(key, { keys: keyDescriptor(x509(key.certificate).replaceAll('ds:', 'md:')) }),
  ],
  ['an empty certificate', /cannot be read/, () => buildMetadata(key, { keys: keyDescriptor(x509('')) })],
  [
    'a certificate that cannot be read',
    /cannot be read/,
    () => buildMetadata(key, { keys: keyDescriptor(x509('AAAA')) }),
  ],
  [
    'a certificate that is cut',
    /cannot be read/,
    () => buildMetadata(key, { keys: keyDescriptor(x509(key.certificate.slice(0, 400))) }),
  ],
  [
    'an RSA key of 1024 bits',
    /2048/,
    async () => buildMetadata(key, { keys: keyDescriptor(x509((await createSamlKey('RSA-1024')).certificate)) }),
  ],
  [
    'a weak key next to a strong one',
    /2048/,
    async () =>
      buildMetadata(key, { keys: keyDescriptor(x509(key.certificate, (await createSamlKey('RSA-1024')).certificate)) }),
  ],
  [
    'eleven certificates',
    /more than 10/,
    async () =>
      buildMetadata(key, {
        keys: keyDescriptor(
          x509(
            ...(await Promise.all(Array.from({ length: 11 }, () => createSamlKey('P-256')))).map(
              ({ certificate }) => certificate,
            ),
          ),
        ),
      }),
  ],
  ['more than 500,000 characters', /longer/, () => buildMetadata(key, { entity: { x: 'x'.repeat(500_000) } })],
  ['10,001 elements', /too many elements/, () => federation('<md:X/>'.repeat(10_001))],
  ['33 levels', /too deeply/, () => `<x>`.repeat(33) + '</x>'.repeat(33)],
];

test.each(rejected)('metadata with %s is rejected', async (_name, detail, build) => {
  const xml = await build();
  expect(catchFault(() => readSamlMetadata(xml))).toMatchObject({
    code: 'metadata_invalid',
    detail: expect.stringMatching(detail) as string,
  });
});
