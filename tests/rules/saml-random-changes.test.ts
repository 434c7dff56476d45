import fc from 'fast-check';
import { SamlFault } from '../../src/identity/saml/saml-fault.ts';
import {
  attribute,
  buildAssertion,
  buildResponse,
  createSamlKey,
  element,
  NAMESPACES,
  type SamlKey,
} from '../support/saml-provider.ts';
import { signIn } from '../support/saml-sign-in.ts';

/** Number of changed documents for each form of a signed response. */
const RUNS = 500;

let key: SamlKey;
beforeAll(async () => {
  key = await createSamlKey();
});

const evil = buildAssertion({
  assertion: { ID: '_evil' },
  nameId: 'admin',
  attributes: attribute('email', 'admin@example.org'),
});
/** Pieces that attackers put into documents. */
const pieces = [
  ...[
    '<!-- -->',
    '<![CDATA[x]]>',
    '<?x y?>',
    '&amp;',
    '&#13;',
    '&#x2028;',
    '\u2028',
    '\r\n',
    ' ',
    'admin',
    '/>',
    '"',
    '>',
    '\uFEFF',
  ],
  ...[
    ' xmlns="urn:x"',
    ` xmlns:saml="${NAMESPACES.samlp}"`,
    ' ID="_assertion1"',
    ' xml:id="_x"',
    ' xmlns:x="x:x" x:ID="_y"',
    ' xmlnsx="x"',
  ],
  ...[
    evil,
    element('saml:NameID', { 'xmlns:saml': NAMESPACES.saml }, 'admin'),
    element('ds:Object', { 'xmlns:ds': NAMESPACES.ds }, evil),
  ],
];
const part = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** Finds the elements of a document, as pairs of positions. */
function findElements(xml: string): [start: number, end: number][] {
  return [...xml.matchAll(/<([\w:]+)[^<>]*>/g)].flatMap(({ index, 1: name }): [number, number][] => {
    const end = xml.indexOf(`</${name}>`, index);
    return end < 0 ? [] : [[index, end + name!.length + 3]];
  });
}

const choose = <T>(list: readonly T[], where: number): T | undefined => list[Math.floor(where * list.length)];
/** Chooses an element; the empty text before the root if there is none. */
const chooseElement = (xml: string, where: number) => choose(findElements(xml), where) ?? [0, 0];
const insert = (xml: string, at: number, piece: string) => xml.slice(0, at) + piece + xml.slice(at);

/** Returns the end of a random match of a pattern; 0 if there is none. */
const endOf = (pattern: RegExp, xml: string, where: number) => {
  const match = choose([...xml.matchAll(pattern)], where);
  return match ? match.index + match[0].length : 0;
};

type Change = (xml: string, where: number, other: number) => string;
const changes: Record<string, Change> = {
  insertPiece: (xml, where, other) => insert(xml, Math.floor(where * xml.length), choose(pieces, other)!),
  insertPieceBehindTag: (xml, where, other) => insert(xml, endOf(/>/g, xml, where), choose(pieces, other)!),
  insertPieceInTag: (xml, where, other) => insert(xml, endOf(/<[\w:]+/g, xml, where), choose(pieces, other)!),
  removeCharacter: (xml, where) =>
    xml.slice(0, Math.floor(where * xml.length)) + xml.slice(Math.floor(where * xml.length) + 1),
  removeElement: (xml, where) => {
    const [start, end] = chooseElement(xml, where);
    return xml.slice(0, start) + xml.slice(end);
  },
  repeatElement: (xml, where) => {
    const [start, end] = chooseElement(xml, where);
    return insert(xml, end, xml.slice(start, end));
  },
  moveElement: (xml, where, other) => {
    const [start, end] = chooseElement(xml, where);
    const rest = xml.slice(0, start) + xml.slice(end);
    const target = findElements(rest);
    return insert(rest, choose(target.flat(), other) ?? 0, xml.slice(start, end));
  },
  wrapElement: (xml, where, other) => {
    const [start, end] = chooseElement(xml, where);
    const name = choose(['samlp:Extensions', 'ds:Object', 'saml:Advice', 'x'], other);
    return `${xml.slice(0, start)}<${name} xmlns:ds="${NAMESPACES.ds}">${xml.slice(start, end)}</${name}>${xml.slice(end)}`;
  },
  replaceValue: (xml, where, other) => {
    const values = [...xml.matchAll(/"([^"]+)"/g)].map(({ 1: value }) => value!);
    return xml.replace(`"${choose(values, where)}"`, () => `"${choose(values, other)}"`);
  },
};

test.each(['response', 'assertion', 'both'] as const)('no change to a signed %s signs in somebody else', (signs) => {
  const signed = buildResponse(key, { signs, nameId: 'mallory' });
  const expected = signIn(signed, key);
  let accepted = 0;
  const change = fc.tuple(fc.constantFrom(...Object.keys(changes)), part, part);
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (list) => {
      const xml = list.reduce((text, [name, where, other]) => changes[name]!(text, where, other), signed);
      try {
        expect(signIn(xml, key)).toEqual(expected);
        accepted += 1;
      } catch (error) {
        if (!(error instanceof SamlFault)) throw error;
      }
    }),
    { numRuns: RUNS },
  );
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(RUNS / 2);
});
