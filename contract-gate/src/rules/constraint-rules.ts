import type { Json, JsonObject } from '../document.ts';
import type { Direction } from '../findings.ts';
import type { Pair } from './pairs.ts';

/**
 * Returns the directions in which a changed limit is a break. A tighter limit hurts senders, a looser one readers. If
 * it is unknown which of two values is tighter, such as two patterns without a common beginning, the change hurts both.
 */
export function hurtBy(pair: Pair, keyword: string): Direction[] {
  const tightening = measureTightening(pair, keyword);
  if (tightening === undefined) return ['request', 'response'];
  if (tightening === 0) return [];
  return [tightening > 0 ? 'request' : 'response'];
}

/**
 * Returns a positive number for a tighter limit, a negative one for a looser limit, 0 for a change without effect, and
 * undefined if it is unknown which limit is tighter.
 */
function measureTightening({ base, head }: Pair, keyword: string): number | undefined {
  const [old, now] = [base[keyword], head[keyword]];
  if (/^(min|max|exclusiveM)/.test(keyword)) {
    // If the inclusive bound also changed, the change is reported with that bound.
    const inclusive = toInclusive(keyword);
    if (inclusive !== keyword && base[inclusive] !== head[inclusive]) return 0;
    return compareBounds(readBound(head, keyword), readBound(base, keyword));
  }
  // int64 and double are the widest formats of a number.
  if (old === undefined && (now === 'int64' || now === 'double')) return 0;
  // Responses can get fields at any time, so a response without unknown fields promised nothing.
  if (old === false) return 0;
  if (old === undefined || now === false) return 1;
  if (now === undefined) return -1;
  if (keyword === 'pattern') return hasMore(now, old) ? -1 : hasMore(old, now) ? 1 : undefined;
  if (keyword === 'format') return isWiderFormat(now, old) ? -1 : isWiderFormat(old, now) ? 1 : undefined;
  if (keyword !== 'multipleOf' || typeof old !== 'number' || typeof now !== 'number') return undefined;
  if (isMultiple(old, now)) return -1;
  return isMultiple(now, old) ? 1 : undefined;
}

/** Reports whether a step is a multiple of another, approximately, because decimal fractions have no exact quotient. */
function isMultiple(step: number, other: number): boolean {
  const quotient = step / other;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 && quotient > 0.5;
}

/** Reports whether all values of the other format are values of this format. */
function isWiderFormat(format: Json, other: Json): boolean {
  return (format === 'int64' && other === 'int32') || (format === 'double' && other === 'float');
}

/** Reports whether a pattern is the other one with further alternatives at its end. */
function hasMore(pattern: unknown, other: unknown): boolean {
  return String(pattern).startsWith(`${String(other)}|`);
}

/**
 * A bound that compares as greater the tighter it is. An exclusive bound is tighter than an inclusive bound with the
 * same number.
 */
type Bound = [limit: number, exclusive: 0 | 1];

const exclusives: Record<string, string> = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' };

/** Returns the tighter of the inclusive and the exclusive bound. */
function readBound(schema: JsonObject, keyword: string): Bound {
  const inclusive = toInclusive(keyword);
  const sign = inclusive.startsWith('min') ? 1 : -1;
  const bounds = [inclusive, exclusives[inclusive] ?? inclusive].flatMap((name, index): Bound[] => {
    const limit = schema[name];
    return typeof limit === 'number' ? [[sign * limit, index === 0 ? 0 : 1]] : [];
  });
  return bounds.toSorted(compareBounds).at(-1) ?? [-Infinity, 0];
}

function toInclusive(keyword: string): string {
  return keyword.replace(/^exclusiveM/, 'm');
}

function compareBounds([one, isExclusive]: Bound, [other, isOtherExclusive]: Bound): number {
  return one === other ? isExclusive - isOtherExclusive : one - other;
}
