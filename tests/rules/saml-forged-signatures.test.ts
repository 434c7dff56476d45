import {
  ASSERTION_ID,
  buildAssertion,
  buildResponse,
  buildSignature,
  createSamlKey,
  DIGESTS,
  element,
  EXC_C14N,
  MORE,
  NAMESPACES,
  type SamlKey,
  withSignature,
  wrapAssertion,
} from '../support/saml-provider.ts';
import { failToSignIn, signIn } from '../support/saml-sign-in.ts';

let key: SamlKey;
let attacker: SamlKey;
beforeAll(async () => {
  [key, attacker] = [await createSamlKey(), await createSamlKey()];
});

const { ds } = NAMESPACES;
const SHA1 = `${ds}sha1`;
const digestValue = (value: string) => element('ds:DigestValue', {}, value);
const pattern = /<ds:DigestValue>[^<]*<\/ds:DigestValue>/;

describe('the KeyInfo of the document', () => {
  const x509 = (certificate: string) => element('ds:X509Data', {}, element('ds:X509Certificate', {}, certificate));
  const keyInfo = (content: string) => element('ds:KeyInfo', {}, content);

  test('with the certificate of the attacker signs nobody in', () => {
    const signature = { keyInfo: keyInfo(x509(attacker.certificate)) };
    expect(failToSignIn(buildResponse(attacker, { signature }), key).detail).toMatch(/does not match/);
  });

  test('with both certificates signs nobody in', () => {
    for (const pair of [
      [key, attacker],
      [attacker, key],
    ]) {
      const signature = { keyInfo: keyInfo(pair.map(({ certificate }) => x509(certificate)).join('')) };
      expect(failToSignIn(buildResponse(attacker, { signature }), key).detail).toMatch(/does not match/);
    }
  });

  test('with a key value, a name or a URL of the attacker signs nobody in', () => {
    const { n, e } = attacker.key.export({ format: 'jwk' });
    const value = element('ds:RSAKeyValue', {}, element('ds:Modulus', {}, n!), element('ds:Exponent', {}, e!));
    const contents = [
      element('ds:KeyValue', {}, value),
      element('ds:KeyName', {}, 'attacker'),
      element('ds:RetrievalMethod', { URI: 'https://attacker.test/key' }),
    ];
    for (const content of contents) {
      expect(failToSignIn(buildResponse(attacker, { signature: { keyInfo: keyInfo(content) } }), key).code).toBe(
        'response_invalid',
      );
    }
  });

  test('is ignored if the signature is valid', () => {
    for (const content of [
      '',
      x509(key.certificate),
      x509(attacker.certificate),
      x509('junk'),
      element('ds:KeyName', {}, 'x'),
    ]) {
      expect(signIn(buildResponse(key, { signature: { keyInfo: keyInfo(content) } }), key).nameId).toBe('grace');
    }
  });

  test('with another SignedInfo signs nobody in', () => {
    const other = element('ds:SignedInfo', {}, element('ds:CanonicalizationMethod', { Algorithm: EXC_C14N }));
    expect(failToSignIn(buildResponse(key, { signature: { keyInfo: keyInfo(other) } }), key).code).toBe(
      'response_invalid',
    );
  });
});

// The attacker has a signed assertion, and changes its signature (CVE-2025-29774, CVE-2025-29775).
describe('a changed signature', () => {
  const plain = buildAssertion();
  const evil = buildAssertion({ nameId: 'admin' });
  const build = (content: string, change: (signature: string, evilDigest: string) => string) => {
    const signature = buildSignature(plain, ASSERTION_ID, key);
    const evilDigest = pattern.exec(buildSignature(evil, ASSERTION_ID, attacker))![0].slice(16, -17);
    return wrapAssertion(withSignature(content, change(signature, evilDigest)));
  };
  const signedInfo = /<ds:SignedInfo>.*<\/ds:SignedInfo>/;
  const changes: [name: string, change: (signature: string, evilDigest: string) => string][] = [
    ['the digest of evil content', (one, evilDigest) => one.replace(pattern, digestValue(evilDigest))],
    [
      'the digest in a comment of the digest',
      (one, evilDigest) => one.replace('<ds:DigestValue>', `<ds:DigestValue><!--${evilDigest}-->`),
    ],
    [
      'a comment that hides the digest',
      (one, evilDigest) => one.replace(pattern, (old) => digestValue(`${evilDigest}<!--${old.slice(16, -17)}-->`)),
    ],
    [
      'a processing instruction in the digest',
      (one, evilDigest) => one.replace('<ds:DigestValue>', `<ds:DigestValue><?${evilDigest}?>`),
    ],
    [
      'another SignedInfo before the signed one',
      (one, evilDigest) => one.replace(signedInfo, (old) => old.replace(pattern, digestValue(evilDigest)) + old),
    ],
    [
      'another SignedInfo after the signed one',
      (one, evilDigest) => one.replace(signedInfo, (old) => old + old.replace(pattern, digestValue(evilDigest))),
    ],
    [
      'the signed SignedInfo in an object',
      (one, evilDigest) =>
        one
          .replace(signedInfo, (old) => old.replace(pattern, digestValue(evilDigest)))
          .replace('</ds:Signature>', `${element('ds:Object', {}, signedInfo.exec(one)![0])}</ds:Signature>`),
    ],
    [
      'the signed SignedInfo in the KeyInfo',
      (one, evilDigest) =>
        one
          .replace(signedInfo, (old) => old.replace(pattern, digestValue(evilDigest)))
          .replace('</ds:Signature>', `${element('ds:KeyInfo', {}, signedInfo.exec(one)![0])}</ds:Signature>`),
    ],
    [
      'the signed SignedInfo in another namespace',
      (one, evilDigest) =>
        one.replace(
          signedInfo,
          (old) =>
            old.replace(pattern, digestValue(evilDigest)) +
            old.replaceAll('ds:', 'x:').replace('<x:SignedInfo', '<x:SignedInfo xmlns:x="x:x"'),
        ),
    ],
    [
      'another reference before the signed one',
      (one) => one.replace('<ds:Reference', `<ds:Reference URI="#_evil"></ds:Reference><ds:Reference`),
    ],
    ['another method', (one) => one.replace(DIGESTS.sha256, DIGESTS.sha512)],
    [
      'an attribute of another namespace',
      (one) => one.replace(`Algorithm="${MORE}rsa-sha256"`, (old) => `xmlns:x="x:x" x:Algorithm="${SHA1}" ${old}`),
    ],
    [
      'two signature values',
      (one) => one.replace('<ds:SignatureValue>', '<ds:SignatureValue>AAAA</ds:SignatureValue><ds:SignatureValue>'),
    ],
    ['no signature value', (one) => one.replace(/<ds:SignatureValue>.*<\/ds:SignatureValue>/, '')],
    ['no SignedInfo', (one) => one.replace(signedInfo, '')],
    [
      'the namespace of another standard',
      (one) => one.replace(`xmlns:ds="${ds}"`, 'xmlns:ds="http://www.w3.org/2009/xmldsig11#"'),
    ],
  ];

  test.each(changes)('with %s signs nobody in', (_name, change) => {
    expect(failToSignIn(build(evil, change), key).code).toBe('response_invalid');
    expect(failToSignIn(build(plain, change), key).code).toBe('response_invalid');
  });
});
