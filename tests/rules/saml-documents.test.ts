import {
  ASSERTION_ID,
  attribute,
  buildAssertion,
  buildResponse,
  buildSignature,
  createSamlKey,
  element,
  encode,
  expectFrom,
  NAMESPACES,
  PROVIDER_ID,
  type SamlKey,
  withSignature,
  wrapAssertion,
} from '../support/saml-provider.ts';
import { verifySamlResponse } from '../../src/identity/saml/saml-response.ts';
import { catchFault, failToSignIn, signIn } from '../support/saml-sign-in.ts';

let key: SamlKey;
let xml: string;
beforeAll(async () => {
  key = await createSamlKey();
  xml = buildResponse(key, { signs: 'both' });
});

const entity = '<!DOCTYPE r [<!ENTITY e "grace">]>';
const bomb = `<!DOCTYPE r [<!ENTITY a "${'x'.repeat(100)}">${[...'bcdefgh'].map((name, index) => `<!ENTITY ${name} "${`&${'abcdefgh'[index]};`.repeat(10)}">`).join('')}]>`;

/** Documents that the provider has not signed, or only in part. */
const documents: [name: string, change: (xml: string) => string][] = [
  ['a DOCTYPE', (text) => `<!DOCTYPE samlp:Response>${text}`],
  ['a DOCTYPE in other letters', (text) => `<!doctype samlp:Response>${text}`],
  ['a DOCTYPE after the root', (text) => `${text}<!DOCTYPE r>`],
  ['an external DOCTYPE', (text) => `<!DOCTYPE r SYSTEM "https://attacker.test/r.dtd">${text}`],
  ['an entity', (text) => entity + text.replace('>grace<', '>&e;<')],
  [
    'an external entity',
    (text) => `<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>${text.replace('>grace<', '>&e;<')}`,
  ],
  ['a parameter entity', (text) => `<!DOCTYPE r [<!ENTITY % e SYSTEM "https://attacker.test/">%e;]>${text}`],
  ['entities that expand', (text) => bomb + text.replace('>grace<', '>&h;<')],
  ['attributes with defaults', (text) => `<!DOCTYPE r [<!ATTLIST samlp:Response ID ID "_x">]>${text}`],
  ['an unknown entity', (text) => text.replace('>grace<', '>&nbsp;<')],
  ['an entity without a semicolon', (text) => text.replace('>grace<', '>&amp<')],
  ['a reference to a character that XML forbids', (text) => text.replace('>grace<', '>grace&#0;<')],
  ['a reference to half of a surrogate pair', (text) => text.replace('>grace<', '>grace&#xD800;<')],
  ['a processing instruction before the root', (text) => `<?xml-stylesheet href="x"?>${text}`],
  ['a processing instruction in a NameID', (text) => text.replace('>grace<', '>gr<?x?>ace<')],
  ['a processing instruction with the text of a NameID', (text) => text.replace('>grace<', '><?x grace?>admin<')],
  ['a processing instruction in the signature', (text) => text.replace('<ds:SignedInfo>', '<ds:SignedInfo><?x?>')],
  ['a second XML declaration', (text) => text.replace('<saml:Issuer', '<?xml version="1.0"?><saml:Issuer')],
  ['a comment in a NameID', (text) => text.replace('>grace<', '>gra<!-- -->ce<')],
  ['a comment after a NameID', (text) => text.replace('>grace<', '>grace<!---->.attacker.test<')],
  ['a comment in an attribute', (text) => text.replace('grace@example.org', 'grace@example.org<!---->.attacker.test')],
  ['a comment in an audience', (text) => text.replace('<saml:Audience>', '<saml:Audience><!---->')],
  ['a comment in an issuer', (text) => text.replace(PROVIDER_ID, `${PROVIDER_ID}<!---->`)],
  ['a comment in the signature', (text) => text.replace('<ds:SignatureValue>', '<ds:SignatureValue><!---->')],
  ['a comment before the root', (text) => `<!-- -->${text}`],
  ['a CDATA section in a NameID', (text) => text.replace('>grace<', '><![CDATA[grace]]><')],
  ['an empty CDATA section', (text) => text.replace('>grace<', '>gr<![CDATA[]]>ace<')],
  ['a CDATA section around markup', (text) => text.replace('>grace<', '><![CDATA[<!--]]>grace<![CDATA[-->]]><')],
  [
    'a CDATA section in the signature',
    (text) => text.replace(/<ds:DigestValue>([^<]*)/, '<ds:DigestValue><![CDATA[$1]]>'),
  ],
  ['two roots', (text) => text + text],
  ['text after the root', (text) => `${text}x`],
  ['text before the root', (text) => `x${text}`],
  ['no end', (text) => text.slice(0, -20)],
  [
    'an element without an end',
    (text) => text.replace('</saml:Conditions><saml:AuthnStatement', '<saml:AuthnStatement'),
  ],
  ['an attribute twice', (text) => text.replace(' Version="2.0"', ' Version="2.0" Version="2.0"')],
  [
    'an attribute twice, by two prefixes',
    (text) => text.replace('<saml:NameID', '<saml:NameID xmlns:a="x:x" xmlns:b="x:x" a:x="1" b:x="2"'),
  ],
  ['an attribute without quotes', (text) => text.replace('Version="2.0"', 'Version=2.0')],
  ['an attribute without a value', (text) => text.replace('Version="2.0"', 'Version="2.0" x')],
  ['attributes without a space', (text) => text.replace('" Version', '"Version')],
  ['a < in an attribute', (text) => text.replace('_session1', '_session1<')],
  [']]> in text', (text) => text.replace('>grace<', '>]]>grace<')],
  ['an unknown prefix', (text) => text.replace('<saml:NameID>', '<x:NameID>').replace('</saml:NameID>', '</x:NameID>')],
  ['another namespace of the xml prefix', (text) => text.replace('<samlp:Response', '<samlp:Response xmlns:xml="x:x"')],
  ['a prefix without a namespace', (text) => text.replace('<saml:NameID', '<saml:NameID xmlns:x=""')],
  ['the xmlns prefix', (text) => text.replace('<samlp:Response', '<samlp:Response xmlns:xmlns="x:x"')],
  ['an attribute that looks like a declaration', (text) => text.replace('<saml:NameID', '<saml:NameID xmlnsx="x"')],
  [
    'another ID of the response by a prefix',
    (text) => text.replace('<samlp:Response', `<samlp:Response xmlns:x="x:x" x:ID="${ASSERTION_ID}"`),
  ],
  ['the ID of the assertion in an id', (text) => text.replace('<samlp:Status>', `<samlp:Status id="${ASSERTION_ID}">`)],
  [
    'the ID of the assertion in an xml:id',
    (text) => text.replace('<samlp:Status>', `<samlp:Status xml:id="${ASSERTION_ID}">`),
  ],
  [
    'the ID of the assertion in an Id of the signature',
    (text) => text.replace('<ds:Signature ', `<ds:Signature Id="${ASSERTION_ID}" `),
  ],
  ['two IDs', (text) => text.replace(` ID="${ASSERTION_ID}"`, ` ID="${ASSERTION_ID}" ID="_2"`)],
  ['no ID of the assertion', (text) => text.replace(` ID="${ASSERTION_ID}"`, '')],
  [
    'the ID of the assertion by a prefix',
    (text) => text.replace(` ID="${ASSERTION_ID}"`, ` saml:ID="${ASSERTION_ID}"`),
  ],
  ['the version 1.1 of XML', (text) => `<?xml version="1.1"?>${text}`],
  ['the version 2.0 of XML', (text) => `<?xml version="2.0"?>${text}`],
  ['another declared encoding', (text) => `<?xml version="1.0" encoding="UTF-16"?>${text}`],
  ['UTF-7', (text) => `<?xml version="1.0" encoding="UTF-7"?>${text}`],
  ['Latin-1', (text) => `<?xml version="1.0" encoding="ISO-8859-1"?>${text}`],
  [
    'an element whose prefix changes',
    (text) =>
      text
        .replace('<saml:NameID>', `<samlp:NameID xmlns:samlp="${NAMESPACES.saml}">`)
        .replace('</saml:NameID>', '</samlp:NameID>'),
  ],
  ['a protocol of another version', (text) => text.replace(NAMESPACES.samlp, 'urn:oasis:names:tc:SAML:1.1:protocol')],
  ['a request', (text) => text.replaceAll('samlp:Response', 'samlp:AuthnRequest')],
  ['a logout response', (text) => text.replaceAll('samlp:Response', 'samlp:LogoutResponse')],
  ['an assertion as the root', (text) => /<saml:Assertion.*<\/saml:Assertion>/.exec(text)![0]],
  [
    'a SOAP envelope',
    (text) => element('s:Envelope', { 'xmlns:s': 'http://schemas.xmlsoap.org/soap/envelope/' }, text),
  ],
  ['JSON', (text) => JSON.stringify({ response: text })],
  ['HTML', () => '<!doctype html><title>x</title>'],
  ['nothing but white space', () => '  \n'],
];

test.each(documents)('a document with %s signs nobody in', (_name, change) => {
  const changed = change(xml);
  expect(changed).not.toBe(xml);
  expect(failToSignIn(changed, key).code).toBe('response_invalid');
});

// A provider that lets people choose their names might sign such documents.
test.each(documents.filter(([name]) => /NameID|in an (attribute|audience|issuer)/.test(name)))(
  'a signed document with %s signs nobody in',
  (_name, change) => {
    const plain = change(buildAssertion());
    const signed = withSignature(plain, buildSignature(plain, ASSERTION_ID, key));
    expect(failToSignIn(wrapAssertion(signed), key).code).toBe('response_invalid');
  },
);

/** Changes to a posted response that are not XML. */
const bytes: [name: string, post: (xml: string) => string | Buffer][] = [
  [
    'invalid UTF-8',
    (text) => Buffer.concat([Buffer.from(text.replace('>grace<', '>')), Buffer.from([0xff]), Buffer.from('<')]),
  ],
  ['an overlong form of a character', (text) => replaceByte(text, [0xc0, 0xbc])],
  ['an encoded half of a surrogate pair', (text) => replaceByte(text, [0xed, 0xa0, 0x80])],
  ['NUL', (text) => replaceByte(text, [0])],
  ['a control character', (text) => replaceByte(text, [0x0b])],
  ['UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le')],
  ['random bytes', () => Buffer.from([...Array(256).keys()])],
];

function replaceByte(text: string, replacement: number[]): Buffer {
  const [before, after] = text.split('grace', 2) as [string, string];
  return Buffer.concat([Buffer.from(before), Buffer.from(replacement), Buffer.from(after)]);
}

test.each(bytes)('%s signs nobody in', (_name, post) => {
  const posted = Buffer.from(post(xml)).toString('base64');
  expect(catchFault(() => verifySamlResponse(posted, expectFrom(key))).code).toBe('response_invalid');
});

test.each([
  ...['', ' ', '=', 'A', 'AA', '====', 'AAAA====', '%', 'PHNhbWw+\0', '[object Object]'],
  ...[(text: string) => text.replace(/^./, '-'), (text: string) => `${text}=`, (text: string) => `${text}!`],
  ...[(text: string) => Buffer.from(text, 'base64').toString('base64url'), (text: string) => text.replace('P', ' %50')],
  ...[(text: string) => encodeURIComponent(text), (text: string) => Buffer.from(text).toString('base64')],
  ...[
    (text: string) => Buffer.from(text, 'base64').toString(),
    (text: string) => `=${text}`,
    (text: string) => text.slice(0, -3),
  ],
])('base64 of the form %# signs nobody in', (post) => {
  const text = encode(`${xml}${'\n'.repeat(3 - (xml.length % 3))}`.replace('grace', '>>>???'));
  const posted = typeof post === 'string' ? post : post(text);
  expect(catchFault(() => verifySamlResponse(posted, expectFrom(key))).code).toBe('response_invalid');
});

test('a fault never quotes keys, signatures or attributes', () => {
  const secret = 'attribute-of-grace';
  const built = buildResponse(key, { attributes: attribute('x', secret) });
  for (const [, change] of documents) {
    const { detail, message } = failToSignIn(`${change(built)}<!-- -->`, key);
    expect(message).toBe(detail);
    expect(detail).not.toMatch(/attribute-of-grace|[A-Za-z0-9+/]{43}/);
  }
});

test('the unchanged document signs in', () => {
  expect(signIn(xml, key).nameId).toBe('grace');
});
