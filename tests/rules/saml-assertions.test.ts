import {
  at,
  attribute,
  audiences,
  buildResponse,
  createSamlKey,
  element,
  NAMESPACES,
  PROVIDER_ID,
  type ResponseForm,
  type SamlKey,
  SERVICE,
  STATUS,
} from '../support/saml-provider.ts';
import { failToSignIn, signIn } from '../support/saml-sign-in.ts';

let key: SamlKey;
beforeAll(async () => {
  key = await createSamlKey();
});

const ACS = SERVICE.assertionConsumerUrl;
const OTHER = 'https://other.example.net/';
const issuer = (text: string, attributes = {}) => {
  return element('saml:Issuer', { 'xmlns:saml': NAMESPACES.saml, ...attributes }, text);
};
const nameId = (content: string) => `<saml:NameID>${content}</saml:NameID>`;
const edit = (from: string | RegExp, to: string): ResponseForm => ({ editAssertion: (xml) => xml.replace(from, to) });
const editResponse = (from: string | RegExp, to: string): ResponseForm => ({
  editResponse: (xml) => xml.replace(from, to),
});

/** Responses that the provider has signed, but that must not sign anybody in. */
const invalid: [name: string, detail: RegExp, form: ResponseForm][] = [
  // The response.
  ['of SAML 1.1', /Version/, { response: { Version: '1.1' } }],
  ['without a version', /Version/, { response: { Version: undefined } }],
  ['to another request', /InResponseTo/, { response: { InResponseTo: '_other' } }],
  ['to no request', /InResponseTo/, { response: { InResponseTo: undefined } }],
  ['to an empty request', /InResponseTo/, { response: { InResponseTo: '' } }],
  ['with another destination', /Destination/, { response: { Destination: OTHER } }],
  ['with a destination below ours', /Destination/, { response: { Destination: `${ACS}/` } }],
  ['with our destination in other letters', /Destination/, { response: { Destination: ACS.toUpperCase() } }],
  ['without a destination', /Destination/, { response: { Destination: undefined } }],
  ['with another issuer', /issuer of the Response/, { responseIssuer: issuer(OTHER) }],
  ['with an empty issuer', /issuer of the Response/, { responseIssuer: issuer('') }],
  ['with two issuers', /several/, { responseIssuer: issuer(PROVIDER_ID) + issuer(OTHER) }],
  ['with an issuer of another format', /issuer/, { responseIssuer: issuer(PROVIDER_ID, { Format: 'urn:x' }) }],
  ['without a status', /Status/, { status: '' }],
  ['with two statuses', /Status/, editResponse(/(<samlp:Status>.*<\/samlp:Status>)/, '$1$1')],
  ['with a status without a code', /StatusCode/, { status: element('samlp:Status', {}) }],
  ['without an assertion', /no assertion/, editResponse(/<saml:Assertion.*<\/saml:Assertion>/, '')],
  ['with an assertion of another namespace', /no assertion/, editResponse(`"${NAMESPACES.saml}" ID`, '"urn:x" ID')],
  // The assertion.
  ['with an assertion of SAML 1.1', /Version/, { assertion: { Version: '1.1' } }],
  ['with an assertion without a version', /Version/, { assertion: { Version: undefined } }],
  ['with another issuer of the assertion', /issuer of the Assertion/, { issuer: OTHER }],
  ['with an issuer of the assertion that only begins as ours', /issuer/, { issuer: `${PROVIDER_ID}.attacker.test` }],
  ['with an empty issuer of the assertion', /issuer/, { issuer: '' }],
  ['with an issuer that contains an element', /contains other/, { issuer: `${PROVIDER_ID}${element('saml:X', {})}` }],
  ['without an IssueInstant', /IssueInstant/, { assertion: { IssueInstant: undefined } }],
  // The subject.
  ['without a subject', /Subject/, edit(/<saml:Subject>.*<\/saml:Subject>/, '')],
  ['with two subjects', /Subject/, edit(/(<saml:Subject>.*<\/saml:Subject>)/, '$1$1')],
  ['without a NameID', /NameID/, edit(/<saml:NameID>.*<\/saml:NameID>/, '')],
  ['with two NameIDs', /NameID/, edit(/(<saml:NameID>.*<\/saml:NameID>)/, '$1$1')],
  ['with a NameID of another namespace', /NameID/, edit(nameId('grace'), '<x:NameID xmlns:x="x:x">grace</x:NameID>')],
  ['with a BaseID', /NameID/, edit(nameId('grace'), '<saml:BaseID></saml:BaseID>')],
  ['with an encrypted NameID', /encrypted/, edit(nameId('grace'), '<saml:EncryptedID></saml:EncryptedID>')],
  ['with an empty NameID', /empty/, { nameId: '' }],
  ['with a NameID of spaces', /empty/, { nameId: ' \n ' }],
  ['with a NameID that contains an element', /contains other/, { nameId: `grace${element('saml:X', {}, '@evil')}` }],
  ['with a long NameID', /longer/, { nameId: 'x'.repeat(257) }],
  ['with a control character in the NameID', /control/, { nameId: 'gr\u007face' }],
  ['with a line break in the NameID', /control/, { nameId: 'gr\nace' }],
  [
    'with a transient NameID',
    /different at every/,
    { nameIdAttributes: { Format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' } },
  ],
  // The confirmation.
  ['without a confirmation', /bearer/, edit(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, '')],
  [
    'with the confirmation of a key holder',
    /bearer/,
    { confirmationMethod: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' },
  ],
  [
    'with the confirmation of a voucher',
    /bearer/,
    { confirmationMethod: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' },
  ],
  ['with a bearer of SAML 1.1', /bearer/, { confirmationMethod: 'urn:oasis:names:tc:SAML:1.0:cm:bearer' }],
  [
    'without confirmation data',
    /SubjectConfirmationData/,
    edit(/<saml:SubjectConfirmationData.*<\/saml:SubjectConfirmationData>/, ''),
  ],
  ['with another recipient', /Recipient/, { confirmation: { Recipient: OTHER } }],
  ['without a recipient', /Recipient/, { confirmation: { Recipient: undefined } }],
  ['with a confirmation for another request', /InResponseTo/, { confirmation: { InResponseTo: '_other' } }],
  ['with a confirmation for no request', /InResponseTo/, { confirmation: { InResponseTo: undefined } }],
  ['with a confirmation without an end', /NotOnOrAfter/, { confirmation: { NotOnOrAfter: undefined } }],
  // The conditions.
  ['without conditions', /Conditions/, edit(/<saml:Conditions.*<\/saml:Conditions>/, '')],
  ['with two conditions', /Conditions/, edit(/(<saml:Conditions.*<\/saml:Conditions>)/, '$1$1')],
  ['without an audience restriction', /AudienceRestriction/, { restrictions: '' }],
  ['with an empty audience restriction', /audience/, { restrictions: audiences() }],
  ['with another audience', /audience/, { restrictions: audiences(OTHER) }],
  ['with another audience after ours', /audience/, { restrictions: audiences(SERVICE.entityId, OTHER) }],
  ['with another audience before ours', /audience/, { restrictions: audiences(OTHER, SERVICE.entityId) }],
  ['with another restriction after ours', /audience/, { restrictions: audiences(SERVICE.entityId) + audiences(OTHER) }],
  ['with an audience that only begins as ours', /audience/, { restrictions: audiences(`${SERVICE.entityId}2`) }],
  ['with an audience in other letters', /audience/, { restrictions: audiences(SERVICE.entityId.toUpperCase()) }],
  [
    'with an audience of another namespace',
    /condition/,
    {
      restrictions: audiences(SERVICE.entityId)
        .replaceAll('saml:', 'x:')
        .replace('<x:AudienceRestriction', '<x:AudienceRestriction xmlns:x="x:x"'),
    },
  ],
  [
    'with an unknown condition',
    /condition/,
    { restrictions: audiences(SERVICE.entityId) + element('saml:Condition', {}) },
  ],
  // Statements.
  ['without an authentication', /AuthnStatement/, edit(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, '')],
  ['with an authentication without a time', /AuthnInstant/, { authn: { AuthnInstant: undefined } }],
  ['with an attribute without a name', /Name/, { attributes: element('saml:Attribute', {}) }],
];

test.each(invalid)('a response %s signs nobody in', (_name, detail, form) => {
  for (const signs of ['response', 'assertion', 'both'] as const) {
    const fault = failToSignIn(buildResponse(key, { ...form, signs }), key);
    expect(fault).toMatchObject({ code: 'response_invalid', detail: expect.stringMatching(detail) as string });
  }
});

const late: [name: string, form: ResponseForm][] = [
  ['an assertion that has expired', { conditions: { NotOnOrAfter: at(-120) } }],
  ['an assertion of the last year', { conditions: { NotOnOrAfter: '2025-03-02T08:30:00Z' } }],
  ['an assertion from the future', { conditions: { NotBefore: at(121) } }],
  ['a confirmation that has expired', { confirmation: { NotOnOrAfter: at(-120) } }],
  ['a confirmation from the future', { confirmation: { NotBefore: at(121) } }],
  ['an assertion that was issued more than an hour ago', { assertion: { IssueInstant: at(-3720) } }],
  ['an assertion that was issued in the future', { assertion: { IssueInstant: at(121) } }],
  ['an authentication in the future', { authn: { AuthnInstant: at(121) } }],
  ['a session that has ended', { authn: { SessionNotOnOrAfter: at(-120) } }],
];

test.each(late)('%s signs nobody in', (_name, form) => {
  expect(failToSignIn(buildResponse(key, form), key).code).toBe('response_expired');
});

test.each([
  ...[
    '',
    'now',
    '2026-03-02',
    '2026-03-02T08:35:00',
    '2026-03-02T08:35:00+02:00',
    '2026-03-02 08:35:00Z',
    '1772440500',
  ],
  ...['2026-13-02T08:35:00Z', '2026-03-02T25:35:00Z', '+012026-03-02T08:35:00Z', '2026-03-02T08:35:00Z ', 'Infinity'],
])('the time %j signs nobody in', (time) => {
  const attributes = { NotOnOrAfter: time };
  expect(failToSignIn(buildResponse(key, { conditions: attributes }), key).detail).toMatch(/not a time/);
  expect(failToSignIn(buildResponse(key, { confirmation: attributes }), key).detail).toMatch(/not a time/);
});

describe('a response that reports a failure', () => {
  const status = (code: string, detail = '', message = '') =>
    element(
      ...(['samlp:Status', {}] as const),
      element('samlp:StatusCode', { Value: code }, detail && element('samlp:StatusCode', { Value: detail })),
      message && element('samlp:StatusMessage', {}, message),
    );

  test('signs nobody in, whether or not it is signed and has an assertion', () => {
    const form = { status: status(`${STATUS}Responder`, `${STATUS}AuthnFailed`, 'Ask\n your &lt;admin&gt;') };
    for (const signs of ['response', 'assertion', 'both', 'none'] as const) {
      const fault = failToSignIn(buildResponse(key, { ...form, signs }), key);
      expect(fault.code).toBe('status_refused');
      expect(fault.detail).toMatch(/"Responder", "AuthnFailed"\. Its message: "Ask your <admin>"$/);
    }
    const fault = failToSignIn(
      buildResponse(key, { ...form, ...editResponse(/<saml:Assertion.*<\/saml:Assertion>/, ''), signs: 'none' }),
      key,
    );
    expect(fault.code).toBe('status_refused');
  });

  test('with success as its second code signs nobody in', () => {
    const form = { status: status(`${STATUS}Requester`, `${STATUS}Success`) };
    expect(failToSignIn(buildResponse(key, form), key).code).toBe('status_refused');
  });

  test.each(['', 'Success', ` ${STATUS}Success`, `${STATUS}success`, `${STATUS}Success2`])(
    'with the code %j signs nobody in',
    (code) => {
      expect(failToSignIn(buildResponse(key, { status: status(code) }), key).code).toBe('status_refused');
    },
  );

  test('is quoted in part', () => {
    const fault = failToSignIn(buildResponse(key, { status: status('x'.repeat(5000), '', 'y'.repeat(5000)) }), key);
    expect(fault.detail.length).toBeLessThan(600);
  });

  test('to another request is not quoted', () => {
    const form = { status: status(`${STATUS}Responder`), response: { InResponseTo: '_other' } };
    expect(failToSignIn(buildResponse(key, form), key).code).toBe('response_invalid');
  });
});

test('a response of one provider signs nobody in at another one that has the same key', () => {
  const { service, provider } = {
    service: { ...SERVICE, entityId: OTHER },
    provider: { entityId: OTHER, signInUrl: OTHER, certificates: [key.certificate] },
  };
  expect(failToSignIn(buildResponse(key), key, { provider }).detail).toMatch(/issuer/);
  expect(failToSignIn(buildResponse(key), key, { service }).detail).toMatch(/audience/);
});

test('a response is valid until its time, and for its own request', () => {
  const xml = buildResponse(key);
  expect(failToSignIn(xml, key, { now: new Date(at(420)) }).code).toBe('response_expired');
  expect(failToSignIn(xml, key, { requestId: '_another' }).code).toBe('response_invalid');
  expect(signIn(xml, key, { now: new Date(at(419)) }).assertionId).toBe('_assertion1');
});

test('an assertion in a signed response needs a valid ID', () => {
  for (const ID of [undefined, '', 'a b', 'x'.repeat(257)]) {
    expect(failToSignIn(buildResponse(key, { assertion: { ID }, signs: 'response' }), key).detail).toMatch(/ID/);
  }
});

test('a session index that cannot be stored is ignored', () => {
  for (const SessionIndex of [undefined, '', 'x'.repeat(257), 'x\u007f']) {
    expect(signIn(buildResponse(key, { authn: { SessionIndex } }), key)).not.toHaveProperty('sessionIndex');
  }
});

test('attributes without text are left out, and the others are kept in their order', () => {
  const attributes =
    attribute('empty') +
    attribute('blank', ' ', '') +
    attribute('name', ' a ', 'b') +
    attribute('control', 'x\u007fy') +
    attribute('name', 'c') +
    attribute('nested', element('saml:NameID', {}, 'x'));
  expect([...signIn(buildResponse(key, { attributes }), key).attributes]).toEqual([['name', ['a', 'b', 'c']]]);
});
