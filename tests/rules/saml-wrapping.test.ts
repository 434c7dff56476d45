import {
  ASSERTION_ID,
  attribute,
  buildAssertion,
  buildResponse,
  buildSignature,
  createSamlKey,
  element,
  NAMESPACES,
  RESPONSE_ID,
  type ResponseForm,
  type SamlKey,
  wrapAssertion,
  withSignature,
} from '../support/saml-provider.ts';
import { failToSignIn, signIn } from '../support/saml-sign-in.ts';

// The attacker has a response for "mallory", which the provider has signed, and wants to sign in as "grace".

let key: SamlKey;
let attacker: SamlKey;
/** The signed parts that the attacker has. */
let response: string;
let assertion: string;
let signature: string;
let plain: string;
let responseSignature: string;

const mallory: ResponseForm = { nameId: 'mallory', attributes: attribute('email', 'mallory@example.org') };

beforeAll(async () => {
  [key, attacker] = [await createSamlKey(), await createSamlKey()];
  plain = buildAssertion(mallory);
  signature = buildSignature(plain, ASSERTION_ID, key);
  assertion = withSignature(plain, signature);
  response = wrapAssertion(plain, mallory);
  responseSignature = buildSignature(response, RESPONSE_ID, key);
});

/** Writes the assertion of the attacker, with another ID than the signed one. */
const evil = (id = '_evil') => buildAssertion({ assertion: { ID: id } });
const inResponse = (...content: string[]) => wrapAssertion(content.join(''));
const inObject = (content: string) => element('ds:Object', { 'xmlns:ds': NAMESPACES.ds }, content);
const inExtensions = (content: string) => element('samlp:Extensions', {}, content);
/** Puts content into a signature, after its value. */
const extend = (signed: string, content: string) => signed.replace('</ds:Signature>', `${content}</ds:Signature>`);
const evilResponse = (content: string) => wrapAssertion(content, { response: { ID: '_evilResponse' } });
const signedResponse = () => withSignature(response, responseSignature);

const attacks: [name: string, build: () => string][] = [
  // The eight attacks of "On Breaking SAML" (2012), as tools number them.
  [
    'XSW1: a copy of the signed response in the signature of an evil response',
    () => withSignature(evilResponse(evil()), extend(responseSignature, response)),
  ],
  [
    'XSW2: a copy of the signed response before its detached signature',
    () => withSignature(evilResponse(evil()), response + responseSignature),
  ],
  ['XSW3: an evil assertion before the signed one', () => inResponse(evil(), assertion)],
  [
    'XSW4: the signed assertion in an evil one',
    () => inResponse(evil().replace('</saml:Assertion>', `${assertion}</saml:Assertion>`)),
  ],
  [
    'XSW5: the signature in an evil assertion, and the signed assertion at the end',
    () => inResponse(withSignature(evil(), signature), plain),
  ],
  [
    'XSW6: the signed assertion in its signature in an evil assertion',
    () => inResponse(withSignature(evil(), extend(signature, plain))),
  ],
  ['XSW7: an evil assertion in extensions', () => inResponse(inExtensions(evil()), assertion)],
  [
    'XSW8: the signed assertion in an object of its signature in an evil assertion',
    () => inResponse(withSignature(evil(), extend(signature, inObject(plain)))),
  ],
  // Variants.
  ['an evil assertion after the signed one', () => inResponse(assertion, evil())],
  ['an evil assertion with the ID of the signed one', () => inResponse(evil(ASSERTION_ID), assertion)],
  ['the signed assertion twice', () => inResponse(assertion, assertion)],
  [
    'the signature in an evil assertion with the same ID, and the signed assertion in an object',
    () => inResponse(withSignature(evil(ASSERTION_ID), extend(signature, inObject(plain)))),
  ],
  [
    'the signature in an evil assertion with the same ID',
    () => inResponse(withSignature(evil(ASSERTION_ID), signature)),
  ],
  ['the signed assertion in extensions, and an evil one', () => inResponse(inExtensions(assertion), evil())],
  [
    'the signed assertion in the status detail, and an evil one',
    () =>
      inResponse(evil()).replace('</samlp:Status>', `${element('samlp:StatusDetail', {}, assertion)}</samlp:Status>`),
  ],
  [
    'the signed assertion as advice of an evil one',
    () =>
      inResponse(
        evil().replace('<saml:AuthnStatement', `${element('saml:Advice', {}, assertion)}<saml:AuthnStatement`),
      ),
  ],
  [
    'the signed assertion in an attribute of an evil one',
    () => inResponse(buildAssertion({ assertion: { ID: '_evil' }, attributes: attribute('x', assertion) })),
  ],
  [
    'the signed assertion in the confirmation data of an evil one',
    () => inResponse(evil().replace('</saml:SubjectConfirmationData>', `${assertion}</saml:SubjectConfirmationData>`)),
  ],
  [
    'the signed response around an evil response',
    () =>
      withSignature(
        response.replace('</samlp:Response>', `${evilResponse(evil())}</samlp:Response>`),
        responseSignature,
      ),
  ],
  ['an evil response around the signed response', () => evilResponse(signedResponse())],
  ['the signed response in extensions of an evil one', () => evilResponse(inExtensions(signedResponse()) + evil())],
  [
    'the signed response in an object of its signature',
    () => withSignature(evilResponse(evil()), extend(responseSignature, inObject(response))),
  ],
  [
    'the signature of the response in an evil response with the same ID',
    () => withSignature(wrapAssertion(evil()), responseSignature),
  ],
  [
    'the signature of the assertion in the response',
    () => withSignature(wrapAssertion(evil()), signature).replace('</samlp:Response>', `${plain}</samlp:Response>`),
  ],
  ['the signature of the response in the assertion', () => wrapAssertion(withSignature(evil(), responseSignature))],
  [
    'an evil assertion without a namespace after the signed one',
    () => inResponse(assertion, evil().replaceAll('saml:', '').replace('xmlns:saml', 'xmlns:x')),
  ],
  [
    'an evil assertion of SAML 1.1 after the signed one',
    () => inResponse(assertion, evil().replace(NAMESPACES.saml, 'urn:oasis:names:tc:SAML:1.0:assertion')),
  ],
  [
    'an evil assertion that is encrypted, next to the signed one',
    () => inResponse(assertion, element('saml:EncryptedAssertion', { 'xmlns:saml': NAMESPACES.saml })),
  ],
  [
    'a second signature in the assertion',
    () => inResponse(withSignature(assertion, signature.replaceAll('mallory', 'grace'))),
  ],
  [
    'a second signature, by the attacker, before the valid one',
    () => inResponse(withSignature(assertion, buildSignature(plain, ASSERTION_ID, attacker))),
  ],
  ['a valid signature in extensions', () => inResponse(inExtensions(signature), plain)],
  [
    'a valid signature in the status',
    () => inResponse(plain).replace('</samlp:Status>', `${signature}</samlp:Status>`),
  ],
  [
    'a valid signature in the subject',
    () => inResponse(plain.replace('</saml:Subject>', `${signature}</saml:Subject>`)),
  ],
  [
    'a valid signature before the response',
    () => inResponse(plain).replace('<samlp:Response', `${signature}<samlp:Response`),
  ],
  [
    'a foreign element in the signature',
    () => inResponse(withSignature(plain, extend(signature, element('x:x', { 'xmlns:x': 'x:x' }, '')))),
  ],
];

test.each(attacks)('%s signs nobody in', (_name, build) => {
  expect(failToSignIn(build(), key)).toMatchObject({ code: 'response_invalid' });
});

test.each(attacks)('%s signs nobody in, if the response has another signature, by the attacker', (_name, build) => {
  const xml = build();
  const id = /ID="([^"]+)"/.exec(xml)![1]!;
  expect(failToSignIn(withSignature(xml, buildSignature(xml, id, attacker)), key).code).toBe('response_invalid');
});

describe('a change to a signed value', () => {
  const changes: [name: string, from: string | RegExp, to: string][] = [
    ['NameID', '>mallory<', '>grace<'],
    ['attribute', 'mallory@example.org', 'grace@example.org'],
    ['audience', '<saml:Audience>', '<saml:Audience> '],
    ['time', /NotOnOrAfter="[^"]*"/, 'NotOnOrAfter="2999-01-01T00:00:00Z"'],
    ['session', 'SessionIndex="_session1"', 'SessionIndex="_session2"'],
    ['namespace', 'saml:AttributeStatement', 'saml:AttributeStatement xmlns:saml="urn:x"'],
    ['white space', '</saml:Subject>', ' </saml:Subject>'],
  ];

  test.each(changes)('of the kind %s signs nobody in', (_name, from, to) => {
    for (const signs of ['response', 'assertion', 'both'] as const) {
      const xml = buildResponse(key, { ...mallory, signs });
      const changed = xml
        .replace(from, to)
        .replace('</saml:AttributeStatement xmlns:saml="urn:x">', '</saml:AttributeStatement>');
      expect(changed).not.toBe(xml);
      expect(failToSignIn(changed, key).code).toBe('response_invalid');
    }
  });
});

describe('a response that is signed in part', () => {
  test('without any signature signs nobody in', () => {
    expect(failToSignIn(buildResponse(key, { signs: 'none' }), key).detail).toMatch(/^Neither/);
  });

  test('by the key of the attacker signs nobody in', () => {
    for (const signs of ['response', 'assertion', 'both'] as const) {
      expect(failToSignIn(buildResponse(attacker, { signs }), key).detail).toMatch(/does not match the certificates/);
    }
  });

  test('with a valid response around an assertion that the attacker signed signs nobody in', () => {
    const inner = withSignature(plain, buildSignature(plain, ASSERTION_ID, attacker));
    const outer = wrapAssertion(inner);
    expect(failToSignIn(withSignature(outer, buildSignature(outer, RESPONSE_ID, key)), key).code).toBe(
      'response_invalid',
    );
  });

  test('with a valid assertion in a response that the attacker signed signs nobody in', () => {
    const outer = wrapAssertion(assertion);
    const xml = withSignature(outer, buildSignature(outer, RESPONSE_ID, attacker));
    expect(failToSignIn(xml, key).code).toBe('response_invalid');
  });

  test('and moved within its parent still signs in the signed person', () => {
    const xml = response.replace('<samlp:Status>', `${responseSignature}<samlp:Status>`);
    expect(signIn(xml, key).nameId).toBe('mallory');
  });

  test('signs in the signed person, whatever is next to the signed assertion', () => {
    const subject = evil().replaceAll(/<(\/?)saml:Assertion/g, '<$1saml:Subject');
    expect(signIn(inResponse(inExtensions(subject), subject.replace('_evil', '_evil2'), assertion), key).nameId).toBe(
      'mallory',
    );
  });
});
