import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, list, object } from '../document.ts';
import { ofType, listTypes } from '../normal/canonical-schema.ts';
import { overlap } from './overlap.ts';
import { type Pair, resolvedOn, type Side, addFinding } from './pairs.ts';

/** The variants of both sides, and the keywords that are compared with them. */
export interface Unions {
  keyword: 'oneOf' | 'anyOf' | 'allOf';
  before: Json[];
  after: Json[];
  covers: (keyword: string) => boolean;
}

/**
 * Returns the unions of a pair whose sides have different union keywords; undefined for other pairs. If only one side
 * is a union, the other side counts as one variant.
 */
export function unlikeUnions(pair: Pair): Unions | undefined {
  const { base, head } = pair;
  const [old, now] = [findUnionKeyword(base), findUnionKeyword(head)];
  if (old && now && old !== now) {
    const covers = (keyword: string) => keyword === 'oneOf' || keyword === 'anyOf';
    return { keyword: now, before: list(base[old]), after: list(head[now]), covers };
  }
  const covers = (keyword: string) => !besideVariants.has(keyword);
  if (now && isPure(head) && isSingle(base))
    return { keyword: now, before: listSingles(pair, 'base'), after: list(head[now]), covers };
  if (old && isPure(base) && isSingle(head))
    return { keyword: old, before: list(base[old]), after: listSingles(pair, 'head'), covers };
  return undefined;
}

function findUnionKeyword(schema: JsonObject): 'oneOf' | 'anyOf' | undefined {
  if ('oneOf' in schema) return 'anyOf' in schema ? undefined : 'oneOf';
  return 'anyOf' in schema ? 'anyOf' : undefined;
}

/** Keywords that apply to the whole value, independent of its variant. */
const besideVariants = new Set(['default', 'readOnly', 'writeOnly']);

function isPure(schema: JsonObject): boolean {
  return Object.keys(schema).every(
    (keyword) => ['oneOf', 'anyOf', 'discriminator'].includes(keyword) || besideVariants.has(keyword),
  );
}

/** Reports whether a schema counts as one variant. A schema that allows everything does not. */
function isSingle(schema: JsonObject): boolean {
  return (
    !('oneOf' in schema) && !('anyOf' in schema) && Object.keys(schema).some((keyword) => !besideVariants.has(keyword))
  );
}

/** Splits a schema of several types into one schema per type. */
function listSingles({ walk, ...pair }: Pair, side: Side): Json[] {
  const kept = Object.entries(pair[side]).filter(([keyword]) => !besideVariants.has(keyword));
  const schema: JsonObject = Object.fromEntries(kept);
  const types = listTypes(schema);
  const singles = types.length > 1 ? types.map((type) => ofType(schema, type)) : [schema];
  return singles.map((one) => walk.forms[side].derive(one, pair[side]));
}

/**
 * Finds a partner for each variant: an equal one, otherwise the most similar one of the same type. A removed variant
 * hurts senders, an added one readers. For `allOf`, a removed variant hurts readers, an added one senders.
 */
export function compareVariants(
  pair: Pair,
  { keyword, before, after }: Omit<Unions, 'covers'>,
  compare: (pair: Pair, old: Json, now: Json) => void,
): void {
  const kept = new Set(
    before.map(getReference).filter((one) => one !== undefined && after.some((other) => getReference(other) === one)),
  );
  const expand = (side: Side, variants: Json[]) => variants.flatMap((one) => expanded(pair, side, one, kept));
  const old = expand('base', before);
  const left = expand('head', after);
  const take = (partner: Json | undefined) => {
    if (partner !== undefined) left.splice(left.indexOf(partner), 1);
    return partner;
  };
  const partners = old.map((one) => {
    const schema = resolvedOn(pair, 'base', one);
    const isSame = (other: Json) =>
      isDeepStrictEqual(other, one) || isDeepStrictEqual(resolvedOn(pair, 'head', other), schema);
    return [one, schema, take(left.find((other) => isDeepStrictEqual(other, one)) ?? left.find(isSame))] as const;
  });
  for (const [one, schema, same] of partners) {
    const partner = same ?? take(mostAlike(pair, schema, left));
    if (partner === undefined) tellVariant(pair, keyword, 'base', one);
    else compare(pair, one, partner);
  }
  for (const one of left) tellVariant(pair, keyword, 'head', one);
  if (keyword === 'oneOf' && pair.direction === 'request') tellOverlap(pair, before, after);
}

function getReference(variant: Json): string | undefined {
  const { $ref } = object(variant);
  return typeof $ref === 'string' ? $ref : undefined;
}

/**
 * Replaces a variant that refers to a union with the union's variants, unless the other side also refers to that union.
 */
function expanded(pair: Pair, side: Side, variant: Json, kept: Set<string | undefined>, seen: string[] = []): Json[] {
  const reference = getReference(variant);
  if (reference === undefined || kept.has(reference) || seen.includes(reference)) return [variant];
  const schema = resolvedOn(pair, side, variant);
  const keyword = findUnionKeyword(schema);
  if (keyword === undefined || Object.keys(schema).length > 1) return [variant];
  return list(schema[keyword]).flatMap((one) => expanded(pair, side, one, kept, [...seen, reference]));
}

function mostAlike(pair: Pair, schema: JsonObject, others: Json[]): Json | undefined {
  const names = Object.keys(object(schema.properties));
  const likeness = (other: Json) => {
    const properties = object(resolvedOn(pair, 'head', other).properties);
    return names.filter((name) => Object.hasOwn(properties, name)).length;
  };
  const fitting = others.filter((other) => getKind(resolvedOn(pair, 'head', other)) === getKind(schema));
  return fitting.toSorted((one, other) => likeness(other) - likeness(one))[0];
}

/** Returns the types without null. An integer counts as a number. */
function getKind(schema: JsonObject): string {
  const types = listTypes(schema);
  const others = types.filter((one) => one !== 'null');
  return (others.length > 0 ? others : types).join().replace('integer', 'number');
}

function tellVariant(pair: Pair, keyword: string, side: Side, node: Json): void {
  const isWider = (side === 'head') !== (keyword === 'allOf');
  const isBroken = isWider === (pair.direction === 'response');
  const what = `A variant of \`${keyword}\` was ${side === 'base' ? 'removed' : 'added'}.`;
  addFinding(pair, { side, node, rule: isBroken ? 'schema-combinator-changed' : 'changed', what });
}

/**
 * Reports a new overlap: a value that fits two variants of a `oneOf` is rejected, unless a discriminator selects one.
 */
function tellOverlap(pair: Pair, before: Json[], after: Json[]): void {
  if (!('oneOf' in pair.head) || 'discriminator' in pair.head || !hasOverlap(pair, 'head', after)) return;
  if ('oneOf' in pair.base && hasOverlap(pair, 'base', before)) return;
  const what = 'A value that fits several variants of `oneOf` is refused.';
  addFinding(pair, { side: 'head', keyword: 'oneOf', rule: 'schema-combinator-changed', what });
}

function hasOverlap(pair: Pair, side: Side, variants: Json[]): boolean {
  const { document } = pair.walk.forms[side];
  return variants.some((one, index) => variants.slice(index + 1).some((other) => overlap(document, one, other)));
}
