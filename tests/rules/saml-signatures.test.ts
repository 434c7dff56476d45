import { createHmac, sign, X509Certificate } from 'node:crypto';
import {
  ASSERTION_ID,
  buildResponse,
  createSamlKey,
  element,
  ENVELOPED,
  EXC_C14N,
  inclusive,
  MORE,
  NAMESPACES,
  type SamlKey,
  type SignatureForm,
  signText,
  TRANSFORMS,
} from '../support/saml-provider.ts';
import { failToSignIn } from '../support/saml-sign-in.ts';

let key: SamlKey;
let curve: SamlKey;
beforeAll(async () => {
  [key, curve] = [await createSamlKey(), await createSamlKey('P-256')];
});

const SHA1 = `${NAMESPACES.ds}sha1`;
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const { ds } = NAMESPACES;
const transform = (algorithm: string, content = '') => element('ds:Transform', { Algorithm: algorithm }, content);
const digestValue = (value: string) => element('ds:DigestValue', {}, value);
const pattern = /<ds:DigestValue>[^<]*<\/ds:DigestValue>/;

/** Forms of signatures that the provider itself could make, but that do not cover enough to be accepted. */
const forms: [name: string, detail: RegExp, form: SignatureForm][] = [
  ['RSA with SHA-1', /signature algorithm/, { method: `${ds}rsa-sha1` }],
  ['RSA with MD5', /signature algorithm/, { method: `${MORE}rsa-md5` }],
  ['RSA with RIPEMD-160', /signature algorithm/, { method: `${MORE}rsa-ripemd160` }],
  ['ECDSA with SHA-1', /signature algorithm/, { method: `${MORE}ecdsa-sha1` }],
  ['DSA', /signature algorithm/, { method: 'http://www.w3.org/2009/xmldsig11#dsa-sha256' }],
  ['no algorithm', /signature algorithm/, { method: '' }],
  ['the algorithm none', /signature algorithm/, { method: 'none' }],
  ['an algorithm with white space', /signature algorithm/, { method: ` ${MORE}rsa-sha256` }],
  ['an algorithm of the prototype', /signature algorithm/, { method: 'constructor' }],
  ['an algorithm of JSON Web Signatures', /signature algorithm/, { method: 'RS256' }],
  ['ECDSA, though the key is RSA', /does not match/, { method: `${MORE}ecdsa-sha256` }],
  [
    'RSA with another hash than named',
    /does not match/,
    { method: `${MORE}rsa-sha512`, signer: (text) => signText(text, key.key, 'sha256') },
  ],
  ['a SHA-1 digest', /digest algorithm/, { digestMethod: SHA1 }],
  ['an MD5 digest', /digest algorithm/, { digestMethod: `${MORE}md5` }],
  ['a digest of the prototype', /digest algorithm/, { digestMethod: '__proto__' }],
  ['no URI', /refer to an element/, { editInfo: (info) => info.replace(/ URI="[^"]*"/, '') }],
  ['an empty URI', /refer to an element/, { uri: '' }],
  ['the URI #', /refer to an element/, { uri: '#' }],
  ['a URI without #', /refer to an element/, { uri: ASSERTION_ID }],
  ['an external URI', /refer to an element/, { uri: 'https://attacker.test/assertion.xml' }],
  ['an external URI with the ID', /refer to an element/, { uri: `https://attacker.test/#${ASSERTION_ID}` }],
  ['a file', /refer to an element/, { uri: 'file:///etc/passwd' }],
  ['an XPointer', /refer to an element/, { uri: `#xpointer(id('${ASSERTION_ID}'))` }],
  ['the XPointer of the root', /refer to an element/, { uri: '#xpointer(/)' }],
  ['a URI with quotes', /refer to an element/, { uri: `#'] | //*[@ID='${ASSERTION_ID}` }],
  ['the ID of another element', /refer to the element/, { uri: '#_response1' }],
  ['the ID in other letters', /refer to the element/, { uri: '#_ASSERTION1' }],
  ['no transforms', /Reference/, { editInfo: (info) => info.replace(/<ds:Transforms>.*<\/ds:Transforms>/, '') }],
  ['no canonicalisation of the element', /Transforms/, { transforms: transform(ENVELOPED) }],
  ['no enveloped signature', /Transforms/, { transforms: transform(EXC_C14N) }],
  ['transforms in another order', /first transform/, { transforms: transform(EXC_C14N) + transform(ENVELOPED) }],
  ['three transforms', /Transforms/, { transforms: TRANSFORMS + transform(EXC_C14N) }],
  [
    'an XPath transform',
    /first transform/,
    { transforms: transform('http://www.w3.org/TR/1999/REC-xpath-19991116') + transform(EXC_C14N) },
  ],
  [
    'an XPath filter',
    /exclusive/,
    { transforms: transform(ENVELOPED) + transform('http://www.w3.org/2002/06/xmldsig-filter2') },
  ],
  [
    'an XSLT transform',
    /exclusive/,
    { transforms: transform(ENVELOPED) + transform('http://www.w3.org/TR/1999/REC-xslt-19991116') },
  ],
  ['a base64 transform', /exclusive/, { transforms: transform(ENVELOPED) + transform(`${ds}base64`) }],
  [
    'a transform with content',
    /unexpected form/,
    { transforms: transform(ENVELOPED, transform(EXC_C14N)) + transform(EXC_C14N) },
  ],
  [
    'an unknown parameter of the canonicalisation',
    /unexpected form/,
    { transforms: transform(ENVELOPED) + transform(EXC_C14N, transform(C14N)) },
  ],
  [
    'the default namespace among its prefixes',
    /unexpected form/,
    { transforms: transform(ENVELOPED) + transform(EXC_C14N, inclusive('#default xs')) },
  ],
  [
    'two lists of prefixes',
    /unexpected form/,
    { transforms: transform(ENVELOPED) + transform(EXC_C14N, inclusive('xs') + inclusive('xs')) },
  ],
  [
    'a list of prefixes that is too long',
    /unexpected form/,
    { transforms: transform(ENVELOPED) + transform(EXC_C14N, inclusive('x '.repeat(101))) },
  ],
  [
    'canonicalisation with comments',
    /exclusive/,
    { transforms: transform(ENVELOPED) + transform(`${EXC_C14N}WithComments`) },
  ],
  ['inclusive canonicalisation', /exclusive/, { transforms: transform(ENVELOPED) + transform(C14N) }],
  ['SignedInfo with comments', /exclusive/, { editInfo: (info) => info.replace(EXC_C14N, `${EXC_C14N}WithComments`) }],
  ['SignedInfo with inclusive canonicalisation', /exclusive/, { editInfo: (info) => info.replace(EXC_C14N, C14N) }],
  ['no reference', /SignedInfo/, { references: () => '' }],
  ['two references', /SignedInfo|unexpected place/, { references: (reference) => reference + reference }],
  [
    'a reference to the response before that to the assertion',
    /unexpected place/,
    { references: (reference) => reference.replace(ASSERTION_ID, '_response1') + reference },
  ],
  ['a manifest', /SignedInfo|unexpected place/, { references: (reference) => element('ds:Manifest', {}, reference) }],
  [
    'two digests',
    /unexpected place/,
    { editInfo: (info) => info.replace(pattern, (one) => digestValue('AAAA') + one) },
  ],
  [
    'a digest in another namespace before its digest',
    /unexpected place/,
    {
      editInfo: (info) => info.replace(pattern, (one) => element('x:DigestValue', { 'xmlns:x': 'x:x' }, 'AAAA') + one),
    },
  ],
  [
    'a digest with an element',
    /unexpected form|base64|unexpected place/,
    {
      editInfo: (info) =>
        info.replace(pattern, (one) => digestValue(element('ds:X', {}, one.slice(16, -17)) + one.slice(16, -17))),
    },
  ],
  ['an empty digest', /base64/, { editInfo: (info) => info.replace(pattern, digestValue('')) }],
  ['a digest that is not base64', /base64/, { editInfo: (info) => info.replace(pattern, digestValue('***')) }],
  [
    'the digest of nothing',
    /was changed/,
    { editInfo: (info) => info.replace(pattern, digestValue('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=')) },
  ],
  [
    'a truncated digest',
    /was changed/,
    { editInfo: (info) => info.replace(pattern, (one) => digestValue(one.slice(16, 36))) },
  ],
  [
    'a truncated HMAC',
    /unexpected form/,
    { editInfo: (info) => info.replace(/(<ds:SignatureMethod[^>]*>)/, `$1${element('ds:HMACOutputLength', {}, '1')}`) },
  ],
  ['an empty signature', /base64/, { signer: () => '' }],
  ['a signature that is not base64', /base64/, { signer: () => '%%%%' }],
  ['a signature of zeros', /does not match/, { signer: () => Buffer.alloc(256).toString('base64') }],
  ['a signature of other text', /does not match/, { signer: (text) => signText(`${text} `, key.key, 'sha256') }],
];

test.each(forms)('a signature with %s signs nobody in', (_name, detail, signature) => {
  const fault = failToSignIn(buildResponse(key, { signature }), key);
  expect(fault).toMatchObject({ code: 'response_invalid', detail: expect.stringMatching(detail) as string });
  expect(failToSignIn(buildResponse(key, { signature, signs: 'both' }), key).code).toBe('response_invalid');
});

const secrets: [name: string, read: (certificate: X509Certificate) => string | Buffer][] = [
  ['public key in PEM', ({ publicKey }) => publicKey.export({ type: 'spki', format: 'pem' })],
  ['public key in DER', ({ publicKey }) => publicKey.export({ type: 'spki', format: 'der' })],
  ['certificate in PEM', (certificate) => certificate.toString()],
  ['certificate in DER', ({ raw }) => raw],
  ['certificate in base64', ({ raw }) => raw.toString('base64')],
  ['empty secret', () => ''],
];

describe.each(['sha1', 'sha256', 'sha512'])('an HMAC with %s', (hash) => {
  test.each(secrets)('and the %s signs nobody in', (_name, read) => {
    const secret = read(new X509Certificate(Buffer.from(key.certificate, 'base64')));
    const method = hash === 'sha1' ? `${ds}hmac-sha1` : `${MORE}hmac-${hash}`;
    const signer = (text: string) => createHmac(hash, secret).update(text).digest('base64');
    expect(failToSignIn(buildResponse(key, { signature: { method, signer } }), key).detail).toMatch(/algorithm/);
  });
});

test('an RSA signature is not tried with an EC key, nor vice versa', () => {
  expect(failToSignIn(buildResponse(key, {}), curve).detail).toMatch(/does not match/);
  expect(failToSignIn(buildResponse(curve, {}), key).detail).toMatch(/does not match/);
});

test('an ECDSA signature in ASN.1 signs nobody in', () => {
  const signer = (text: string) => sign('sha256', Buffer.from(text), curve.key).toString('base64');
  expect(failToSignIn(buildResponse(curve, { signature: { signer } }), curve).detail).toMatch(/does not match/);
});

test('ECDSA signatures of zeros sign nobody in', () => {
  for (const length of [0, 1, 64, 65, 1000]) {
    const signer = () => Buffer.alloc(length).toString('base64');
    expect(failToSignIn(buildResponse(curve, { signature: { signer } }), curve).code).toBe('response_invalid');
  }
});

test('keys that are too weak are not tried', async () => {
  const weak = await createSamlKey('RSA-1024');
  expect(failToSignIn(buildResponse(weak), weak).detail).toMatch(/does not match/);
  expect(failToSignIn(buildResponse(weak), []).detail).toMatch(/does not match/);
});
