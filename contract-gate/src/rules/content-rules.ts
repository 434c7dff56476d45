import type { JsonObject } from '../document.ts';
import { difference } from '../findings.ts';
import { listTypes } from '../normal/canonical-schema.ts';
import { compareEncodings } from './encoding-rules.ts';
import { compareUnjudged, pairMembers, type Pair, selectParts, resolvedOn, addFinding } from './pairs.ts';
import { pairedTypes } from './ranges.ts';
import type { Rule } from './reasons.ts';
import { compareSchemas } from './schema-rules.ts';

export interface Members {
  subject: (name: string, node: JsonObject) => string;
  removed: Rule;
  added?: (node: JsonObject) => Rule;
  compare: (pair: Pair) => void;
}

/** Compares members that both sides have under the same name, and reports added and removed members. */
export function compareMembers(
  pair: Pair,
  members: ReturnType<typeof pairMembers>,
  { subject, removed, added, compare }: Members,
): void {
  for (const [name, old, now] of members) {
    const parts = old !== undefined && now !== undefined ? selectParts(pair, old, now) : undefined;
    if (parts) compare(parts);
    if (now === undefined) {
      const what = `${subject(name, resolvedOn(pair, 'base', old))} was removed.`;
      addFinding(pair, { side: 'base', node: old, rule: removed, what });
    } else if (old === undefined) {
      const node = resolvedOn(pair, 'head', now);
      addFinding(pair, {
        side: 'head',
        node: now,
        rule: added?.(node) ?? 'added',
        what: `${subject(name, node)} was added.`,
      });
    }
  }
}

/** Compares the headers of a response or of a part of a form. */
export function compareHeaders(pair: Pair, noun: string): void {
  const isSent = pair.direction === 'request';
  compareMembers(pair, pairMembers(pair.base.headers, pair.head.headers), {
    subject: (name) => `${noun} \`${name}\``,
    removed: 'response-header-removed',
    added: (header) => (isSent && header.required === true ? 'part-header-became-required' : 'added'),
    compare: (header) => compareHeader(header, noun.toLowerCase()),
  });
}

function compareHeader(pair: Pair, noun: string): void {
  const { base, head } = pair;
  const told = { side: 'head' } as const;
  if (base.required === true && head.required !== true)
    addFinding(pair, {
      ...told,
      rule: 'response-header-became-optional',
      what: `The ${noun} is no longer always sent.`,
    });
  if (base.required !== true && head.required === true)
    addFinding(pair, { ...told, rule: 'part-header-became-required', what: `The ${noun} is now always sent.` });
  compareUnjudged(pair);
  compareValues({ ...pair, isOptional: base.required !== true }, `the ${noun}`);
}

/** Compares how the value of a parameter or a header is serialised, and its schema or content. */
export function compareValues(pair: Pair, subject: string): void {
  const rule = 'parameter-serialization-changed';
  for (const keyword of ['allowReserved', 'allowEmptyValue'])
    if (pair.base[keyword] !== pair.head[keyword]) {
      const what = `Of ${subject}, ${difference(keyword, pair.base[keyword], pair.head[keyword])}`;
      addFinding(pair, { side: 'head', keyword, rule: pair.base[keyword] === true ? rule : 'changed', what });
    }
  for (const keyword of changedSerialization(pair, pair)) {
    const what = `Of ${subject}, ${difference(keyword, pair.base[keyword], pair.head[keyword])}`;
    addFinding(pair, { side: 'head', keyword, rule, what });
  }
  if ((pair.base.schema === undefined) !== (pair.head.schema === undefined))
    return addFinding(pair, { side: 'head', rule, what: `Of ${subject}, the content type changed.` });
  compareMediaSchema(pair);
  compareContent(pair);
}

/**
 * Returns which of `style` and `explode` changed, if that matters. A scalar is serialised the same with either
 * `explode`.
 */
function changedSerialization(pair: Pair, { base, head }: Pick<Pair, 'base' | 'head'>): string[] {
  if (base.style !== head.style) return ['style'];
  const isIdle =
    base.style === 'deepObject' ||
    [resolvedOn(pair, 'base', pair.base.schema), resolvedOn(pair, 'head', pair.head.schema)].every(isScalar);
  return base.explode === head.explode || isIdle ? [] : ['explode'];
}

export function isScalar(schema: JsonObject): boolean {
  const types = listTypes(schema);
  return types.length > 0 && types.every((type) => type !== 'array' && type !== 'object');
}

export function compareContent(pair: Pair): void {
  compareMembers(pair, pairedTypes(pair.base.content, pair.head.content, pair.direction), {
    subject: (type) => `Content type \`${type}\``,
    removed: 'media-type-removed',
    compare: (media) => {
      compareUnjudged(media);
      compareMediaSchema(media);
      compareEncodings(media, compareHeaders);
    },
  });
}

function compareMediaSchema(pair: Pair): void {
  const parts = selectParts(pair, pair.base.schema, pair.head.schema);
  if (parts) compareSchemas(parts);
}
