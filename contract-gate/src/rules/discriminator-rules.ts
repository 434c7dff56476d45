import { type Json, type JsonObject, list, object, own, text } from '../document.ts';
import { isSame, type Pair, type Side, addFinding, tellNotJudged } from './pairs.ts';

/** Compares discriminators. Added and removed variants are reported as variants, and not again by their values. */
export function changedDiscriminator(
  pair: Pair,
  keyword: string,
  before: Json | undefined,
  after: Json | undefined,
): void {
  const [old, now] = [object(before), object(after)];
  const side = after === undefined ? 'base' : 'head';
  if (!isSame(pair, old.defaultMapping, now.defaultMapping))
    tellNotJudged(pair, 'defaultMapping', now.defaultMapping !== undefined, [keyword]);
  const lost = movedValues(old, now, pair, 'head');
  const gained = pair.direction === 'response' ? movedValues(now, old, pair, 'base') : [];
  const isBroken = before !== undefined && (old.propertyName !== now.propertyName || lost.length + gained.length > 0);
  const rule = isBroken ? 'discriminator-changed' : 'changed';
  addFinding(pair, { side, keyword, rule, what: 'The discriminator changed.' });
}

/** Returns values that the other side lacks or maps to another schema, although that side still has the variant. */
function movedValues(mapped: JsonObject, other: JsonObject, pair: Pair, otherSide: Side): string[] {
  const variants = listReferences(pair[otherSide]);
  const known = listReferences(pair[otherSide === 'head' ? 'base' : 'head']);
  const hasRenamed = [...variants].some((reference) => !known.has(reference));
  return Object.entries(object(mapped.mapping)).flatMap(([value, target]) => {
    const isKept = variants.has(target) || (hasRenamed && !isNamed(pair, otherSide, target));
    return isKept && own(other.mapping, value) !== target && !isRenamedTo(other, value, pair, otherSide) ? [value] : [];
  });
}

function listReferences(schema: JsonObject): Set<Json> {
  const variants = [...list(schema.oneOf), ...list(schema.anyOf)];
  return new Set(variants.flatMap((variant) => object(variant).$ref ?? []));
}

function isNamed({ walk }: Pair, side: Side, target: Json): boolean {
  const name = text(target).split('/').at(-1)!;
  return Object.hasOwn(object(walk.forms[side].document.components.schemas), name);
}

/** Reports whether the value maps to a schema that the first side does not have, so the schema was renamed. */
function isRenamedTo(other: JsonObject, value: string, pair: Pair, otherSide: Side): boolean {
  const target = own(other.mapping, value);
  return target !== undefined && !isNamed(pair, otherSide === 'head' ? 'base' : 'head', target);
}
