import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, list, object, own } from '../document.ts';
import { listTypes } from '../normal/canonical-schema.ts';
import { normalEncoding } from '../normal/normal-encoding.ts';
import { compareUnjudged, pairMembers, type Pair, resolvedOn, type Side, addFinding } from './pairs.ts';

/**
 * Compares how the parts of a form are serialised. A part without an encoding counts as one with an empty encoding.
 * @param compareHeaders compares the headers of a part, which can contain forms again
 */
export function compareEncodings(media: Pair, compareHeaders: (pair: Pair, noun: string) => void): void {
  for (const [part, before, after] of pairMembers(media.base.encoding, media.head.encoding)) {
    const sideOf = (side: Side, encoding: Json | undefined) =>
      encoding === undefined
        ? media.walk.forms[side].derive({ ...normalEncoding({}), headers: {} }, media[side])
        : object(encoding);
    const pair: Pair = { ...media, base: sideOf('base', before), head: sideOf('head', after) };
    comparePartTypes(media, part, pair);
    const [old, now] = [readEncoding(media, 'base', part, pair.base), readEncoding(media, 'head', part, pair.head)];
    if (!isDeepStrictEqual(old, now)) {
      const what = `Part \`${part}\` is written another way: ${said(old)} became ${said(now)}.`;
      addFinding(media, { side: 'head', rule: 'part-serialization-changed', what });
    }
    compareHeaders(pair, 'Part header');
    compareUnjudged(pair);
  }
}

/** Compares the content types that a part can have. */
function comparePartTypes(media: Pair, part: string, { base, head }: Pair): void {
  const [old, now] = [list(base.contentType) as string[], list(head.contentType) as string[]];
  const takes = (types: string[], others: string[]) =>
    types.length === 0 || (others.length > 0 && others.every((type) => types.includes(type)));
  const [isWider, isNarrower] = [takes(now, old), takes(old, now)];
  if (isWider && isNarrower) return;
  const isAdded = isWider || (!isNarrower && media.direction === 'response');
  const rule = isAdded ? 'part-content-type-added' : 'part-content-type-removed';
  const what = `Part \`${part}\` takes ${isAdded ? 'more' : 'fewer'} content types: ${now.join(', ') || 'any'}.`;
  addFinding(media, { side: 'head', rule, what });
}

/**
 * Returns the style, explode and allowReserved of a part; null if the part can be an object and sets none of them, so
 * that it is sent as JSON.
 */
function readEncoding(media: Pair, side: Side, part: string, encoding: JsonObject): Json[] | null {
  const whole = resolvedOn(media, side, media[side].schema);
  const types = listTypes(resolvedOn(media, side, own(whole.properties, part)));
  const mayBeObject = types.length === 0 || types.includes('object');
  if (encoding.isStyled !== true && mayBeObject) return null;
  const isList = mayBeObject || types.includes('array');
  return [encoding.style!, ...(isList ? [encoding.explode!] : []), encoding.allowReserved!];
}

function said(writing: Json[] | null): string {
  return writing === null ? 'its content type' : writing.map(String).join(', ');
}
