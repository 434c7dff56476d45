import type { Json, JsonObject } from '../document.ts';
import type { Direction } from '../findings.ts';
import type { Pair } from './pairs.ts';

/**
 * Whom a changed limit hurts: a tighter one those who send, a looser one those who read. Of two patterns without a common
 * beginning, or two other values, nobody can tell which is tighter, so that it hurts both.
 */
export function hurtBy(pair: Pair, keyword: string): Direction[] {
  const tightening = tighteningOf(pair, keyword);
  if (tightening === undefined) return ['request', 'response'];
  if (tightening === 0) return [];
  return [tightening > 0 ? 'request' : 'response'];
}

/** Above zero for a tighter limit, below it for a looser one, zero where nobody can notice, undefined where nobody can tell. */
function tighteningOf({ base, head }: Pair, keyword: string): number | undefined {
  const [old, now] = [base[keyword], head[keyword]];
  if (/^(min|max|exclusiveM)/.test(keyword)) {
    // Told with the inclusive bound, when that changed too.
    const inclusive = inclusiveOf(keyword);
    if (inclusive !== keyword && base[inclusive] !== head[inclusive]) return 0;
    return compareBounds(boundOf(head, keyword), boundOf(base, keyword));
  }
  // These are the widest formats of a number.
  if (old === undefined && (now === 'int64' || now === 'double')) return 0;
  // Fields are added to answers at any time, so that an answer without unknown fields promised nothing.
  if (old === false) return 0;
  if (old === undefined || now === false) return 1;
  if (now === undefined) return -1;
  if (keyword === 'pattern') return hasMore(now, old) ? -1 : hasMore(old, now) ? 1 : undefined;
  if (keyword === 'format') return isWiderFormat(now, old) ? -1 : isWiderFormat(old, now) ? 1 : undefined;
  if (keyword !== 'multipleOf' || typeof old !== 'number' || typeof now !== 'number') return undefined;
  if (isMultiple(old, now)) return -1;
  return isMultiple(now, old) ? 1 : undefined;
}

/** Whether a step is a multiple of another. Decimal fractions have no exact quotient. */
function isMultiple(step: number, other: number): boolean {
  const quotient = step / other;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 && quotient > 0.5;
}

/** Whether all values of one format are values of another. */
function isWiderFormat(format: Json, other: Json): boolean {
  return (format === 'int64' && other === 'int32') || (format === 'double' && other === 'float');
}

/** Whether a pattern is another one with further alternatives behind it. */
function hasMore(pattern: unknown, other: unknown): boolean {
  return String(pattern).startsWith(`${String(other)}|`);
}

/** A bound as a number that grows as it tightens; an exclusive one is tighter than the same number inclusive. */
type Bound = [limit: number, exclusive: 0 | 1];

const exclusives: Record<string, string> = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' };

/** The tighter one of the inclusive and the exclusive bound. */
function boundOf(schema: JsonObject, keyword: string): Bound {
  const inclusive = inclusiveOf(keyword);
  const sign = inclusive.startsWith('min') ? 1 : -1;
  const bounds = [inclusive, exclusives[inclusive] ?? inclusive].flatMap((name, index): Bound[] => {
    const limit = schema[name];
    return typeof limit === 'number' ? [[sign * limit, index === 0 ? 0 : 1]] : [];
  });
  return bounds.toSorted(compareBounds).at(-1) ?? [-Infinity, 0];
}

function inclusiveOf(keyword: string): string {
  return keyword.replace(/^exclusiveM/, 'm');
}

function compareBounds([one, isExclusive]: Bound, [other, isOtherExclusive]: Bound): number {
  return one === other ? isExclusive - isOtherExclusive : one - other;
}
