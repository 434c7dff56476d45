import { inflateRawSync } from 'node:zlib';
import { type SamlRequestOptions, requestSamlSignIn } from '../../src/identity/saml/saml-request.ts';
import { parseStrictXml } from '../../src/identity/saml/strict-xml.ts';
import { NAMESPACES, NOW, PROVIDER_ID, REQUEST_ID, SERVICE } from '../support/saml-provider.ts';

const provider = { entityId: PROVIDER_ID, signInUrl: 'https://idp.example.org/saml/sso', certificates: [] };
const LIMITS = { code: 'response_invalid', maxElements: 10, maxAttributes: 20, allowsComments: false } as const;

function request(changes: Partial<typeof provider> = {}, options: SamlRequestOptions = {}, service = SERVICE) {
  const address = requestSamlSignIn({ ...provider, ...changes }, service, 'state', REQUEST_ID, {
    now: NOW,
    ...options,
  });
  const { searchParams } = new URL(address);
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest')!, 'base64')).toString();
  return { address, searchParams, root: parseStrictXml(xml, LIMITS) };
}

test('a request asks for a response by POST', () => {
  const { address, searchParams, root } = request();
  expect(address).toMatch(/^https:\/\/idp\.example\.org\/saml\/sso\?SAMLRequest=[\w%]+&RelayState=state$/);
  expect([...searchParams.keys()]).toEqual(['SAMLRequest', 'RelayState']);
  expect(root).toMatchObject({ name: 'AuthnRequest', namespace: NAMESPACES.samlp });
  expect(Object.fromEntries(root.attributes)).toEqual({
    AssertionConsumerServiceURL: SERVICE.assertionConsumerUrl,
    Destination: provider.signInUrl,
    ID: REQUEST_ID,
    IssueInstant: '2026-03-02T08:30:00Z',
    ProtocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
    Version: '2.0',
  });
  expect(root.children).toMatchObject([
    { name: 'Issuer', namespace: NAMESPACES.saml, text: SERVICE.entityId },
    { name: 'NameIDPolicy', namespace: NAMESPACES.samlp },
  ]);
});

test('a request can ask to authenticate again', () => {
  expect(request({}, { forceAuthn: true }).root.attributes.get('ForceAuthn')).toBe('true');
});

test('the query of the URL is kept', () => {
  const signInUrl = 'https://accounts.example.org/o/saml2/idp?idpid=C01&x=%C3%BC';
  const { address, root } = request({ signInUrl });
  expect(address.startsWith(`${signInUrl}&SAMLRequest=`)).toBe(true);
  expect(root.attributes.get('Destination')).toBe(signInUrl);
});

test('names are escaped', () => {
  const service = { entityId: '"><x a=\'&', assertionConsumerUrl: 'https://a.test/?x="&y=<', logoutUrl: '' };
  const { root } = request({}, {}, service);
  expect(root.children[0]!.text).toBe(service.entityId);
  expect(root.attributes.get('AssertionConsumerServiceURL')).toBe(service.assertionConsumerUrl);
});

test('a relay state of up to 80 bytes is sent unchanged', () => {
  const state = `&=+ %"${'ü'.repeat(37)}`;
  const address = requestSamlSignIn(provider, SERVICE, state, REQUEST_ID);
  expect(new URL(address).searchParams.get('RelayState')).toBe(state);
  expect(() => requestSamlSignIn(provider, SERVICE, `${state}x`, REQUEST_ID)).toThrow(RangeError);
});

test.each([
  '',
  '_short',
  '0b9c5f3e-8f0e-4f0a-9a53-4a2f5d1c7e11',
  `_${'x'.repeat(256)}`,
  '_1234567890123456"',
  '_12345678901234567\n',
])('the ID %j is rejected', (id) =>
  expect(() => requestSamlSignIn(provider, SERVICE, 'state', id)).toThrow(RangeError),
);
