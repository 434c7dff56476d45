import { isDeepStrictEqual } from 'node:util';
import { at, type Json, type JsonObject, list, object, text, child, resolved } from './contract-document.ts';
import { breaking, compatible, type Direction, type Located, type Verdict } from './findings.ts';
import type { NormalForm, NormalOperation } from './normal-document.ts';
import { atBase, atHead } from './operation-rules.ts';

/** The same schema before and after, on its way in or out. */
interface Pair {
  before: JsonObject;
  after: JsonObject;
  direction: Direction;
}

/** What the engine does not judge inside of bodies, parameters and headers: defaults, read-only and write-only properties. */
export function schemaFindings(base: NormalForm, head: NormalForm): Located[] {
  const found: Located[] = [];
  const pairs: Pair[] = [];
  const seen = new Map<string, WeakMap<object, WeakSet<object>>>();

  const pair = (before: Json | undefined, after: Json | undefined, direction: Direction): void => {
    const [[old], [now]] = [resolved(base.document, before), resolved(head.document, after)];
    const known = seen.get(direction) ?? new WeakMap<object, WeakSet<object>>();
    const partners = known.get(old) ?? new WeakSet<object>();
    seen.set(direction, known.set(old, partners));
    if (partners.has(now)) return;
    partners.add(now);
    pairs.push({ before: old, after: now, direction });
  };
  const each = (
    before: Json | undefined,
    after: Json | undefined,
    visit: (old: JsonObject, now: JsonObject) => void,
  ): void => {
    for (const [name, value] of Object.entries(object(before)))
      if (name in object(after))
        visit(resolved(base.document, value)[0], resolved(head.document, object(after)[name])[0]);
  };
  const holder = (direction: Direction) => (old: JsonObject, now: JsonObject) => {
    if (old.schema !== undefined && now.schema !== undefined) pair(old.schema, now.schema, direction);
    each(old.content, now.content, (before, after) => {
      pair(before.schema, after.schema, direction);
      found.push(
        ...encodingRule(before, after, direction).map((verdict) => atHead(head.originOf(after), verdict, direction)),
      );
    });
  };

  for (const [key, before] of base.operations) {
    const after = head.operations.get(key);
    if (!after) continue;
    each(byReference(before), byReference(after), holder('request'));
    holder('request')(object(before.normal.requestBody), object(after.normal.requestBody));
    each(before.normal.responses, after.normal.responses, (old, now) => {
      holder('response')(old, now);
      each(old.headers, now.headers, (header, replaced) => {
        holder('response')(header, replaced);
        if (header.required === true && replaced.required !== true)
          found.push(atHead(head.originOf(replaced), headerRule, 'response'));
      });
    });
  }
  for (const { before, after, direction } of pairs) {
    found.push(...rulesOf(base, head, { before, after, direction }));
    each(before.properties, after.properties, (old, now) => pair(old, now, direction));
    for (const name of ['items', 'additionalProperties'])
      if (before[name] && after[name]) pair(before[name], after[name], direction);
    for (const name of ['oneOf', 'anyOf', 'allOf'])
      if (list(before[name]).length === list(after[name]).length)
        for (const [index, one] of list(before[name]).entries()) pair(one, list(after[name])[index], direction);
  }
  return found;
}

const headerRule = breaking(
  'response-header-became-optional',
  'The response header is no longer always sent.',
  'it may be absent',
  'clients that read the header',
);

function byReference({ normal }: NormalOperation): JsonObject {
  return Object.fromEntries(list(normal.parameters).map((parameter) => [text(object(parameter).$ref), parameter]));
}

function rulesOf(base: NormalForm, head: NormalForm, { before, after, direction }: Pair): Located[] {
  return [
    ...defaultRule(base, head, { before, after, direction }),
    ...propertyRules(base, head, { before, after, direction }),
    ...extensibleRule(base, head, { before, after, direction }),
    ...discriminatorRule({ before, after, direction }).map((verdict) =>
      atHead(head.originOf(after), verdict, direction),
    ),
  ];
}

function defaultRule(base: NormalForm, head: NormalForm, { before, after, direction }: Pair): Located[] {
  if (direction !== 'request' || before.default === undefined || isDeepStrictEqual(before.default, after.default))
    return [];
  const [old, now] = [before.default, after.default].map((value) => JSON.stringify(value));
  const why = 'the same call does something else';
  const whom = 'callers who leave the value out';
  if (now === undefined)
    return [
      atBase(
        child(base.originOf(before), 'default'),
        breaking('default-removed', `The default ${old} was removed.`, why, whom),
        direction,
      ),
    ];
  const verdict = breaking('default-changed', `The default changed from ${old} to ${now}.`, why, whom);
  return [atHead(child(head.originOf(after), 'default'), verdict, direction)];
}

/** The values that are known of an open list: of more of them readers were warned, and fewer of them are taken. */
function extensibleRule(base: NormalForm, head: NormalForm, { before, after, direction }: Pair): Located[] {
  const [[old], [now, nowPlace]] = [knownValues(base, before), knownValues(head, after)];
  if (old === undefined || now === undefined) return [];
  const [gained, lost] = [now.filter((value) => !old.includes(value)), old.filter((value) => !now.includes(value))].map(
    (values) => values.map((value) => JSON.stringify(value)).join(', '),
  );
  const found: Located[] = [];
  if (gained) {
    const what = `The list of known values gained ${gained}.`;
    found.push(atHead(nowPlace, compatible('extensible-values-added', what), direction));
  }
  if (lost && direction === 'request') {
    const what = `The list of known values lost ${lost}.`;
    const why = 'what was allowed until now is refused';
    found.push(atHead(nowPlace, breaking('enum-values-removed', what, why, 'callers who send one of them'), direction));
  }
  return found;
}

/** The normal form leaves extensions out; they are in the source. */
function knownValues(form: NormalForm, schema: JsonObject): [values: Json[] | undefined, pointer: string] {
  const [said, pointer] = resolved(form.source, at(form.source, form.originOf(schema)), form.originOf(schema));
  const values = said['x-extensible-enum'];
  return [values === undefined ? undefined : list(values), child(pointer, 'x-extensible-enum')];
}

function propertyRules(base: NormalForm, head: NormalForm, { before, after, direction }: Pair): Located[] {
  const isOpen = after.additionalProperties !== false && after.unevaluatedProperties !== false;
  return Object.entries(object(before.properties)).flatMap(([name, value]) => {
    const [[old], replaced] = [resolved(base.document, value), object(after.properties)[name]];
    if (replaced === undefined) {
      if (direction === 'response' || !isOpen || old.readOnly === true) return [];
      const why = 'the property is no longer read, and is not among the generated type’s';
      const verdict = breaking(
        'property-removed',
        `Property \`${name}\` was removed.`,
        why,
        'callers who send the property',
      );
      return [atBase(base.originOf(object(value)), verdict, direction)];
    }
    const [now] = resolved(head.document, replaced);
    const verdict = accessRule(name, old, now, list(after.required).includes(name), direction);
    return verdict ? [atHead(head.originOf(object(replaced)), verdict, direction)] : [];
  });
}

function accessRule(
  name: string,
  old: JsonObject,
  now: JsonObject,
  isRequired: boolean,
  direction: Direction,
): Verdict | null {
  const [became, ceased] = [
    (keyword: string) => old[keyword] !== true && now[keyword] === true,
    (keyword: string) => old[keyword] === true && now[keyword] !== true,
  ];
  if (direction === 'request' && became('readOnly'))
    return breaking(
      'property-became-read-only',
      `Property \`${name}\` is now read-only.`,
      'bodies with it are refused',
      'callers who send the property',
    );
  if (direction === 'response' && became('writeOnly'))
    return breaking(
      'property-became-write-only',
      `Property \`${name}\` is now write-only.`,
      'it is no longer answered',
      'clients that read the property',
    );
  if (!isRequired) return null;
  if (direction === 'request' && ceased('readOnly'))
    return breaking(
      'required-properties-added',
      `Property \`${name}\` must now be sent.`,
      'bodies without it are refused',
      'callers who leave the property out',
    );
  return null;
}

function discriminatorRule({ before, after, direction }: Pair): Verdict[] {
  const [old, now] = [object(before.discriminator), object(after.discriminator)];
  const isKept = Object.entries(object(old.mapping)).every(([value]) => value in object(now.mapping));
  if (before.discriminator === undefined || (old.propertyName === now.propertyName && isKept)) return [];
  const whom =
    direction === 'request'
      ? 'callers who send one of the variants'
      : 'clients that read the value and tell its variants apart';
  return [breaking('discriminator-changed', 'The discriminator changed.', 'variants are told apart another way', whom)];
}

function encodingRule(before: JsonObject, after: JsonObject, direction: Direction): Verdict[] {
  if (direction === 'response') return [];
  return Object.entries(object(after.encoding)).flatMap(([part, value]) => {
    const [old, now] = [object(object(before.encoding)[part]).contentType, object(value).contentType].map(typesIn);
    if (now!.length === 0 || (old!.length > 0 && old!.every((type) => now!.includes(type)))) return [];
    const what = `Part \`${part}\` takes fewer content types: ${now!.join(', ')}.`;
    return [
      breaking('part-content-type-removed', what, 'parts of another type are refused', 'callers who send the part'),
    ];
  });
}

function typesIn(value: Json | undefined): string[] {
  return typeof value === 'string' ? value.split(',').map((type) => type.trim().toLowerCase()) : [];
}
