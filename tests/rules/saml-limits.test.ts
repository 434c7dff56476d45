import { verifySamlResponse } from '../../src/identity/saml/saml-response.ts';
import {
  attribute,
  buildResponse,
  createSamlKey,
  element,
  encode,
  expectFrom,
  NAMESPACES,
  type ResponseForm,
  type SamlKey,
} from '../support/saml-provider.ts';
import { catchFault, failToSignIn, signIn } from '../support/saml-sign-in.ts';

/**
 * Maximum processor time of a response. Generous: on an idle machine the slowest takes a fifth of it, and without the
 * limits of documents, many seconds.
 */
const MAX_MS = 250;
const RUNS = 3;

let key: SamlKey;
beforeAll(async () => {
  key = await createSamlKey();
});

const repeat = (count: number, build: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => build(index)).join('');
const named = (count: number, build: (index: number) => [name: string, value: string]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => build(index)));
const valueOf = (content: string) =>
  element('saml:Attribute', { Name: 'x' }, element('saml:AttributeValue', {}, content));
const groups = (count: number) =>
  attribute('groups', ...Array.from({ length: count }, (_, index) => `cn=group ${index},ou=groups,dc=example,dc=org`));
const declarations = (count: number, length: number) =>
  named(count, (index) => [`xmlns:n${index}`, `${'u'.repeat(length)}${index}`]);

/** Responses that the provider has signed, each as slow in one respect as the limits allow. */
const slow: [name: string, form: ResponseForm][] = [
  ['values', { attributes: attribute('groups', ...Array.from({ length: 1900 }, (_, index) => `x${index}`)) }],
  ['elements', { attributes: valueOf('<e></e>'.repeat(1900)) }],
  ['pieces of text', { attributes: valueOf('<e></e>t'.repeat(1900)) }],
  [
    'elements at the greatest depth',
    { attributes: valueOf('<d>'.repeat(25) + '<e></e>'.repeat(1850) + '</d>'.repeat(25)) },
  ],
  [
    'attributes',
    {
      attributes: valueOf(
        repeat(280, () =>
          element(
            'e',
            named(20, (index) => [`a${index}`, '']),
          ),
        ),
      ),
    },
  ],
  [
    'namespaces in scope',
    {
      attributes: element(
        'saml:Attribute',
        { Name: 'x', ...declarations(20, 10) },
        element('saml:AttributeValue', declarations(23, 5), '<e></e>'.repeat(1900)),
      ),
    },
  ],
  [
    'uses of long namespaces',
    {
      attributes: element(
        'saml:Attribute',
        { Name: 'x', ...declarations(20, 190) },
        repeat(290, () =>
          element(
            'saml:AttributeValue',
            named(20, (index) => [`n${index}:a`, '']),
          ),
        ),
      ),
    },
  ],
  ['declarations', { attributes: repeat(280, () => element('saml:Attribute', { Name: 'x', ...declarations(20, 1) })) }],
  ['references', { attributes: attribute('x', '&amp;'.repeat(37_000)) }],
  ['characters that are escaped', { attributes: attribute('x', '\n'.repeat(190_000)) }],
  ['text', { attributes: attribute('x', 'x'.repeat(190_000)) }],
  ['characters outside of the basic plane', { attributes: attribute('x', '😀'.repeat(48_000)) }],
  ['a long attribute', { attributes: element('saml:Attribute', { Name: 'x'.repeat(190_000) }) }],
  ['groups', { attributes: groups(1000) }],
];

function measureMs(act: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

const verify = (xml: string, signer: SamlKey) => {
  const posted = encode(xml);
  return () => {
    try {
      verifySamlResponse(posted, expectFrom(signer));
    } catch {
      // Rejected, after as much work as the limits allow.
    }
  };
};

test.each(slow)('a response with as many %s as are allowed takes little time', (_name, form) => {
  for (const signs of ['assertion', 'response', 'both'] as const) {
    expect(measureMs(verify(buildResponse(key, { ...form, signs }), key))).toBeLessThan(MAX_MS);
  }
});

test.each(slow)('a response of a stranger with as many %s as are allowed takes little time', async (_name, form) => {
  const other = await createSamlKey('P-256');
  expect(measureMs(verify(buildResponse(key, { ...form, signs: 'both' }), other))).toBeLessThan(MAX_MS);
});

const excessive: [name: string, detail: RegExp, form: ResponseForm][] = [
  ['more than 200 KB', /larger than 200 KB/, { attributes: attribute('x', 'x'.repeat(200_000)) }],
  ['100,000 elements', /larger/, { attributes: valueOf('<e/>'.repeat(100_000)) }],
  ['2,001 elements', /too many elements/, { attributes: valueOf('<e/>'.repeat(2001)) }],
  [
    '100,000 attributes',
    /larger/,
    {
      attributes: element(
        'saml:Attribute',
        named(100_000, (index) => [`a${index}`, '']),
      ),
    },
  ],
  [
    '20,000 attributes of an element',
    /too many attributes/,
    {
      attributes: element(
        'saml:Attribute',
        named(20_000, (index) => [`${index.toString(36).replace(/^/, 'a')}`, '']),
      ),
    },
  ],
  [
    '25 attributes of an element',
    /too many attributes/,
    {
      attributes: element(
        'saml:Attribute',
        named(25, (index) => [`a${index}`, '']),
      ),
    },
  ],
  [
    '6,001 attributes',
    /too many attributes/,
    {
      attributes: valueOf(
        repeat(301, () =>
          element(
            'e',
            named(20, (index) => [`a${index}`, '']),
          ),
        ),
      ),
    },
  ],
  ['33 levels', /too deeply/, { attributes: valueOf(`${'<d>'.repeat(29)}${'</d>'.repeat(29)}`) }],
  ['25,000 levels', /too deeply/, { attributes: valueOf('<d>'.repeat(25_000)) }],
  [
    '65 namespaces in scope',
    /namespace declarations/,
    {
      attributes: element(
        'saml:Attribute',
        declarations(22, 1),
        element('saml:AttributeValue', declarations(22, 2), element('e', declarations(22, 3))),
      ),
    },
  ],
  ['a namespace of 201 characters', /too long/, { attributes: element('saml:Attribute', declarations(1, 200)) }],
];

test.each(excessive)('a response with %s signs nobody in', (_name, detail, form) => {
  const xml = buildResponse(key, form);
  expect(failToSignIn(xml, key)).toMatchObject({
    code: 'response_invalid',
    detail: expect.stringMatching(detail) as string,
  });
  expect(measureMs(verify(xml, key))).toBeLessThan(MAX_MS);
});

test('a form field of 100 MB is rejected before it is decoded', () => {
  const posted = 'A'.repeat(100_000_000);
  expect(measureMs(() => catchFault(() => verifySamlResponse(posted, expectFrom(key))))).toBeLessThan(MAX_MS);
});

test('a form field of white space is rejected', () => {
  for (const length of [1000, 399_999]) {
    expect(catchFault(() => verifySamlResponse(' '.repeat(length), expectFrom(key))).code).toBe('response_invalid');
  }
});

test('a thousand groups in the wordiest form are accepted', () => {
  const types = { 'xmlns:xsi': NAMESPACES.xsi, 'xsi:type': 'xs:string' };
  const value = (index: number) => element('saml:AttributeValue', types, `group ${index}`);
  const attributes = element('saml:Attribute', { Name: 'groups' }, repeat(1000, value));
  const xml = buildResponse(key, { attributes, signs: 'both' });
  const wordy = xml.replaceAll(' xsi:type=', ` xmlns:xs="${NAMESPACES.xs}" xsi:type=`);
  expect(signIn(wordy, key).attributes.get('groups')).toHaveLength(1000);
});
