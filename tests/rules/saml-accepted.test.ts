import { verifySamlResponse } from '../../src/identity/saml/saml-response.ts';
import {
  ASSERTION_ID,
  at,
  attribute,
  buildResponse,
  createSamlKey,
  DIGESTS,
  element,
  encode,
  expectFrom,
  inclusive,
  MORE,
  NAMESPACES,
  type ResponseForm,
  type SamlKey,
  SERVICE,
  transformsWith,
} from '../support/saml-provider.ts';
import { signIn } from '../support/saml-sign-in.ts';

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const URI_FORMAT = 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri';

let key: SamlKey;
beforeAll(async () => {
  key = await createSamlKey();
});

const complete = {
  nameId: 'grace',
  nameIdAttributes: expect.any(Object) as object,
  nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  sessionIndex: '_session1',
  authenticatedAt: new Date(at(-10)),
  assertionId: ASSERTION_ID,
  expiresAt: new Date(at(420)),
  attributes: new Map([['email', ['grace@example.org']]]),
};

test.each(['response', 'assertion', 'both'] as const)('a response that signs the %s is accepted', (signs) => {
  expect(signIn(buildResponse(key, { signs }), key)).toEqual(complete);
});

test.each(['RSA-3072', 'P-256', 'P-384', 'P-521'] as const)('a key of the type %s is accepted', async (type) => {
  const other = await createSamlKey(type);
  expect(signIn(buildResponse(other, { signs: 'both' }), other)).toEqual(complete);
});

test.each(['sha256', 'sha384', 'sha512'] as const)('RSA with %s is accepted', (hash) => {
  const signature = { method: `${MORE}rsa-${hash}`, digestMethod: DIGESTS[hash] };
  expect(signIn(buildResponse(key, { signature }), key)).toEqual(complete);
});

test.each(['sha256', 'sha384', 'sha512'] as const)('ECDSA with %s is accepted', async (hash) => {
  const curve = await createSamlKey('P-384');
  const signature = { method: `${MORE}ecdsa-${hash}`, digestMethod: DIGESTS[hash] };
  expect(signIn(buildResponse(curve, { signature }), curve)).toEqual(complete);
});

test('each of several certificates is accepted, whichever key signs', async () => {
  const [next, curve] = [await createSamlKey(), await createSamlKey('P-256')];
  for (const signer of [key, next, curve]) {
    expect(signIn(buildResponse(signer), [key, next, curve])).toEqual(complete);
  }
});

test('an expired certificate is accepted, because only its key is trusted', async () => {
  const expired = await createSamlKey('RSA-2048', at(-86_400));
  expect(signIn(buildResponse(expired), expired)).toEqual(complete);
});

test('a certificate that cannot be read does not affect the others', () => {
  const provider = { ...expectFrom(key).provider, certificates: ['', 'AAAA', key.certificate] };
  expect(signIn(buildResponse(key), key, { provider })).toEqual(complete);
});

const rewritings: [name: string, rewrite: (xml: string) => string][] = [
  ['an XML declaration', (xml) => `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`],
  ['a byte order mark', (xml) => `\uFEFF${xml}`],
  ['empty tags', (xml) => xml.replaceAll(/<([\w:]+)([^<>]*)><\/\1>/g, '<$1$2/>')],
  ['single quotes', (xml) => xml.replaceAll('"', "'")],
  ['spaces in tags', (xml) => xml.replaceAll('="', ' =\n "').replaceAll(/(<\/[\w:]+)>/g, '$1 >')],
  ['attributes in another order', (xml) => xml.replace(/( IssueInstant="[^"]*")( Version="2.0")/, '$2$1')],
  ['character references', (xml) => xml.replaceAll('grace', '&#103;r&#x61;ce')],
  [
    'namespaces declared at the root',
    (xml) => {
      const declaration = ` xmlns:saml="${NAMESPACES.saml}"`;
      return xml.replaceAll(declaration, '').replace('<samlp:Response', `<samlp:Response${declaration}`);
    },
  ],
  [
    'line breaks in the signature',
    (xml) => {
      return xml.replace(/(<ds:SignatureValue>)([^<]*)/, (_, tag: string, value: string) => {
        return `${tag}\r\n${value.replaceAll(/(.{64})/g, '$1&#13;\n')}\n`;
      });
    },
  ],
];

test('the identifier of SHA-384 that AD FS writes is accepted', () => {
  const signature = { digestMethod: 'http://www.w3.org/2001/04/xmlenc#sha384' };
  expect(signIn(buildResponse(key, { signature }), key)).toEqual(complete);
});

test('an ID that begins with a digit, as some providers write it, is accepted', () => {
  const assertionId = '28338c8c-39ab-4b94-bcdc-46f68f99d962';
  expect(signIn(buildResponse(key, { assertion: { ID: assertionId } }), key)).toEqual({ ...complete, assertionId });
});

test.each(rewritings)('%s, with the same canonical form, is accepted', (_name, rewrite) => {
  expect(signIn(rewrite(buildResponse(key, { signs: 'assertion' })), key)).toEqual(complete);
});

test('base64 with line breaks is accepted', () => {
  const lines = encode(buildResponse(key)).replaceAll(/(.{76})/g, '$1\r\n');
  expect(verifySamlResponse(`${lines}\n`, expectFrom(key))).toEqual(complete);
});

const typed = (name: string, ...values: string[]) => {
  const value = (text: string) =>
    element('saml:AttributeValue', { 'xmlns:xsi': NAMESPACES.xsi, 'xsi:type': 'xs:string' }, text);
  return element('saml:Attribute', { Name: name }, ...values.map(value));
};

/** Forms of responses shown in providers' documentation. */
const shapes: Record<
  string,
  { form: ResponseForm; attributes: Record<string, string[]>; rewrite?: (xml: string) => string }
> = {
  'Entra ID': {
    form: {
      isUnprefixed: true,
      nameIdAttributes: { Format: EMAIL_FORMAT },
      attributes: attribute(`${CLAIMS}/emailaddress`, 'grace@example.org') + attribute(`${CLAIMS}/groups`, 'a', 'b'),
    },
    attributes: { [`${CLAIMS}/emailaddress`]: ['grace@example.org'], [`${CLAIMS}/groups`]: ['a', 'b'] },
  },
  Okta: {
    form: {
      signs: 'both',
      signature: { transforms: transformsWith('xs') },
      attributes: element(
        ...(['saml:Attribute', { Name: 'firstName', NameFormat: URI_FORMAT }] as const),
        element(
          'saml:AttributeValue',
          { 'xmlns:xs': NAMESPACES.xs, 'xmlns:xsi': NAMESPACES.xsi, 'xsi:type': 'xs:string' },
          'Grace',
        ),
      ),
    },
    attributes: { firstName: ['Grace'] },
  },
  'AD FS': {
    form: {
      isUnprefixed: true,
      assertion: { IssueInstant: '2026-03-02T08:29:58.1234567Z' },
      authn: { SessionIndex: ASSERTION_ID },
      attributes: attribute(`${CLAIMS}/upn`, 'grace@corp.example.org'),
    },
    attributes: { [`${CLAIMS}/upn`]: ['grace@corp.example.org'] },
  },
  Keycloak: {
    form: {
      signs: 'response',
      authn: { SessionNotOnOrAfter: at(36_000) },
      attributes: typed('Role', 'viewer') + typed('Role', 'editor'),
    },
    attributes: { Role: ['viewer', 'editor'] },
    // The declaration of the prefix in the value is not part of the canonical form.
    rewrite: (xml) => xml.replaceAll(' xsi:type=', ` xmlns:xs="${NAMESPACES.xs}" xsi:type=`),
  },
  Google: {
    form: { signs: 'response', nameIdAttributes: { Format: EMAIL_FORMAT }, attributes: typed('department', 'R&amp;D') },
    attributes: { department: ['R&D'] },
    rewrite: (xml) => `<?xml version="1.0" encoding="UTF-8" standalone="no"?>${xml}`,
  },
  Shibboleth: {
    form: {
      signature: { transforms: transformsWith('xsd'), c14nContent: '' },
      nameIdAttributes: {
        Format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        SPNameQualifier: SERVICE.entityId,
      },
      attributes:
        element(
          ...([
            'saml:Attribute',
            { FriendlyName: 'mail', Name: 'urn:oid:0.9.2342.19200300.100.1.3', NameFormat: URI_FORMAT },
          ] as const),
          element('saml:AttributeValue', {}, '\n  grace@example.org\n'),
        ) +
        element(
          ...([
            'saml:Attribute',
            { FriendlyName: 'eduPersonTargetedID', Name: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.10' },
          ] as const),
          element('saml:AttributeValue', {}, element('saml:NameID', {}, 'opaque')),
        ),
    },
    attributes: { 'urn:oid:0.9.2342.19200300.100.1.3': ['grace@example.org'] },
  },
  SimpleSAMLphp: {
    form: { signs: 'both', signature: { c14nContent: inclusive('xs') }, attributes: typed('uid', 'grace', '') },
    attributes: { uid: ['grace'] },
  },
  'a provider of unusual names': {
    form: {
      nameId: 'Zoë 李 😀 \'"&amp;&lt;&gt;',
      attributes: attribute('__proto__', 'x') + attribute('constructor', 'y'),
    },
    attributes: { ['__proto__']: ['x'], constructor: ['y'] },
  },
};

test.each(Object.entries(shapes))('a response in the form of %s is accepted', (_name, shape) => {
  const { form, attributes, rewrite = (xml: string) => xml } = shape;
  const result = signIn(rewrite(buildResponse(key, form)), key);
  expect(Object.entries(attributes)).toEqual([...result.attributes]);
});

test('the whole text of a NameID is read, with every character', () => {
  expect(signIn(buildResponse(key, { nameId: 'Zoë 李 😀 \'"&amp;&lt;&gt;' }), key).nameId).toBe('Zoë 李 😀 \'"&<>');
});

test('namespaces and attributes are sorted by code point', () => {
  const prefixes = { 'xmlns:B': 'x:B', 'xmlns:_c': 'x:c', 'xmlns:a': 'x:a', 'xmlns:a-b': 'x:a-b' };
  const value = element('saml:AttributeValue', { ...prefixes, 'B:x': '', 'a:x': '', 'a-b:x': '', '_c:x': '' }, 'Grace');
  const sorted = value.replace('B:x="" _c:x="" a-b:x="" a:x=""', 'B:x="" a:x="" a-b:x="" _c:x=""');
  const attributes = element('saml:Attribute', { Name: 'name' }, sorted);
  expect(signIn(buildResponse(key, { attributes }), key).attributes.get('name')).toEqual(['Grace']);
});

test('line separators are kept, because XML 1.0 does not treat them as line ends', () => {
  const attributes = attribute('title', 'a\u2028b');
  expect(signIn(buildResponse(key, { attributes }), key).attributes.get('title')).toEqual(['a\u2028b']);
});

test('the end of the session is reported', () => {
  const result = signIn(buildResponse(key, { authn: { SessionNotOnOrAfter: at(3600) } }), key);
  expect(result.sessionExpiresAt).toEqual(new Date(at(3600)));
});

test('an id is remembered for an hour at most, however long the assertion is valid', () => {
  const end = '2999-01-01T00:00:00Z';
  const form = { confirmation: { NotOnOrAfter: end }, conditions: { NotOnOrAfter: end } };
  expect(signIn(buildResponse(key, form), key).expiresAt).toEqual(new Date(at(3718)));
});

test('clocks can differ by two minutes', () => {
  const early = {
    conditions: { NotBefore: at(119) },
    assertion: { IssueInstant: at(119) },
    authn: { AuthnInstant: at(119) },
  };
  const late = { conditions: { NotOnOrAfter: at(-119) }, confirmation: { NotOnOrAfter: at(-119) } };
  expect(signIn(buildResponse(key, early), key)).toMatchObject({ nameId: 'grace' });
  expect(signIn(buildResponse(key, late), key)).toMatchObject({ nameId: 'grace', expiresAt: new Date(at(1)) });
});

test('one valid bearer confirmation among others is enough', () => {
  const editAssertion = (xml: string) => {
    const other = element('saml:SubjectConfirmation', { Method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' });
    return xml.replace('<saml:SubjectConfirmation ', `${other}<saml:SubjectConfirmation `);
  };
  expect(signIn(buildResponse(key, { editAssertion }), key)).toEqual(complete);
});

test('an unsigned response without an issuer is accepted around a signed assertion', () => {
  expect(signIn(buildResponse(key, { responseIssuer: '' }), key)).toEqual(complete);
});
