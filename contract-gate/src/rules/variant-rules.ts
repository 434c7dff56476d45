import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, list } from '../document.ts';
import { type Pair, resolvedOn, type Side, tell } from './pairs.ts';

type Variants = [before: Json[], after: Json[]];

/** The variants of both sides where just one side is a union: the other is then a union of one. */
export function variantsOf({ base, head }: Pair): Variants | undefined {
  if (isUnion(head) && isSingle(base)) return [[base], list(head.oneOf)];
  return isUnion(base) && isSingle(head) ? [list(base.oneOf), [head]] : undefined;
}

function isUnion(schema: JsonObject): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'oneOf' || keyword === 'discriminator') && !!schema.oneOf;
}

/** A schema that allows everything has no variant. */
function isSingle(schema: JsonObject): boolean {
  return schema.oneOf === undefined && Object.keys(schema).length > 0;
}

/**
 * Finds for each variant its partner: one that says the same, or else one of the same type. A variant that is gone hurts those
 * who send it, and one that came those who read. Of `allOf` it is the other way round.
 */
export function compareVariants(
  pair: Pair,
  keyword: string,
  [before, after]: Variants,
  compare: (pair: Pair, old: Json, now: Json) => void,
): void {
  const left = [...after];
  const take = (fits: (schema: JsonObject, one: Json) => boolean): Json | undefined => {
    const index = left.findIndex((one) => fits(resolvedOn(pair, 'head', one), one));
    return index === -1 ? undefined : left.splice(index, 1)[0];
  };
  const partners = before.map((one) => {
    const schema = resolvedOn(pair, 'base', one);
    return [
      one,
      schema,
      take((other, node) => isDeepStrictEqual(node, one) || isDeepStrictEqual(other, schema)),
    ] as const;
  });
  for (const [one, schema, same] of partners) {
    const partner = same ?? take((other) => kindOf(other) === kindOf(schema));
    if (partner === undefined) tellVariant(pair, keyword, 'base', one);
    else compare(pair, one, partner);
  }
  for (const one of left) tellVariant(pair, keyword, 'head', one);
}

/** Its types, null aside; a whole number is a number. */
function kindOf({ type }: JsonObject): string {
  const types = [type ?? []].flat() as string[];
  return types
    .filter((one) => one !== 'null')
    .join()
    .replace('integer', 'number');
}

function tellVariant(pair: Pair, keyword: string, side: Side, node: Json): void {
  const isWider = (side === 'head') !== (keyword === 'allOf');
  const isBroken = isWider === (pair.direction === 'response');
  const what = `A variant of \`${keyword}\` was ${side === 'base' ? 'removed' : 'added'}.`;
  tell(pair, { side, node, rule: isBroken ? 'schema-combinator-changed' : 'changed', what });
}
