import { at, child, type Json, type JsonObject, object, own, resolve } from '../document.ts';
import { breaking, compatible, type Direction, type Located, type LocatedKeyword } from '../findings.ts';
import type { NormalForm } from '../normal/normal-document.ts';
import { findReason, type Rule } from './reasons.ts';
import { meanTheSame } from '../same-meaning.ts';

export type Side = 'base' | 'head';

/** The state of a comparison: the two documents, the findings, and the components that were compared already. */
export interface Walk {
  forms: Record<Side, NormalForm>;
  found: Located[];
  notJudged: LocatedKeyword[];
  compared: Set<string>;
  /** Compared schemas without a name, which several other schemas can share. */
  comparedNodes: WeakMap<object, Map<object, Set<string>>>;
}

/** The same node of both documents, with the direction in which it is sent. */
export interface Pair {
  walk: Walk;
  base: JsonObject;
  head: JsonObject;
  direction: Direction;
  /** True if callers can omit the value, so that its default matters. */
  isOptional: boolean;
  /** The places of a reference that differs between the sides; findings are reported there. */
  places: Partial<Record<Side, string>>;
  /** The differing references that lead to this pair. */
  through: string[];
}

export function startPair(walk: Walk, base: JsonObject, head: JsonObject, direction: Direction): Pair {
  return { walk, base, head, direction, isOptional: false, places: {}, through: [] };
}

/**
 * Pairs two corresponding parts of a pair, and follows their references. If both refer to the same component, or to a
 * renamed one, differences are reported at the component. If they refer to different components, differences are
 * reported at the reference, and not at a component that others share.
 * @returns undefined if the two were compared already
 */
export function selectParts(pair: Pair, base: Json | undefined, head: Json | undefined): Pair | undefined {
  const { walk, direction } = pair;
  const [old, now] = [getReference(base), getReference(head)];
  const parts: Pair = { ...pair, base: resolvedOn(pair, 'base', base), head: resolvedOn(pair, 'head', head) };
  if (old === undefined && now === undefined) return wasCompared(pair, parts) ? undefined : parts;
  const references = `${old} ${now}`;
  if (old === now || isRenamed(walk, old, now)) Object.assign(parts, { places: {}, through: [] });
  // A recursive component is reported once at the reference, and then at its own place.
  else if (pair.through.includes(references)) parts.places = {};
  else {
    parts.places = { base: findPlace(pair, 'base', base), head: findPlace(pair, 'head', head) };
    parts.through = [...pair.through, references];
  }
  const [from, to] = [old ?? findOrigin(pair, 'base', base), now ?? findOrigin(pair, 'head', head)];
  const key = JSON.stringify([direction, pair.isOptional, from, to, parts.places, parts.through]);
  if (walk.compared.has(key)) return undefined;
  walk.compared.add(key);
  return parts;
}

/** Records a comparison of two nodes. Reports whether they were compared before in the same direction and place. */
function wasCompared({ walk, direction, isOptional, places, through }: Pair, { base, head }: Pair): boolean {
  const known = walk.comparedNodes.get(base) ?? new Map<object, Set<string>>();
  walk.comparedNodes.set(base, known);
  const ways = known.get(head) ?? new Set<string>();
  known.set(head, ways);
  const way = [direction, isOptional, places.base, places.head, ...through].join(' ');
  const isKnown = ways.has(way);
  ways.add(way);
  return isKnown;
}

/** Returns the node of a side, with its references followed. */
export function resolvedOn({ walk }: Pair, side: Side, node: Json | undefined): JsonObject {
  return resolve(walk.forms[side].document, node);
}

/** Reports whether a component was renamed: each name exists in only one of the documents. */
function isRenamed({ forms }: Walk, old: string | undefined, now: string | undefined): boolean {
  if (old === undefined || now === undefined) return false;
  return at(forms.head.document, old) === undefined && at(forms.base.document, now) === undefined;
}

function findPlace(pair: Pair, side: Side, node: Json | undefined): string | undefined {
  return pair.places[side] ?? (getReference(node) === undefined ? undefined : findOrigin(pair, side, node));
}

function findOrigin({ walk }: Pair, side: Side, node: Json | undefined): string {
  return walk.forms[side].originOf(object(node));
}

function getReference(value: Json | undefined): string | undefined {
  const { $ref } = object(value);
  return typeof $ref === 'string' ? $ref : undefined;
}

/** Returns the members of both sides by name; a missing member is undefined. */
export function pairMembers(
  base: Json | undefined,
  head: Json | undefined,
): [name: string, base?: Json, head?: Json][] {
  const [old, now] = [object(base), object(head)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].map((name) => [name, own(old, name), own(now, name)]);
}

interface Change {
  side: Side;
  /** The node of that side at which the change is reported. Default: the node of the pair. */
  node?: Json | undefined;
  keyword?: string;
  rule: Rule;
  what: string;
}

/** Returns the place at which a change to a node is reported: the differing reference that led there, if any. */
function findPointer(pair: Pair, { side, node = pair[side], keyword }: Omit<Change, 'rule' | 'what'>): string {
  const place = pair.places[side] ?? findOrigin(pair, side, node);
  return keyword === undefined ? place : child(place, keyword);
}

/** Records a keyword that differs and that no rule judges. */
export function tellNotJudged(pair: Pair, keyword: string, isInHead: boolean, holder: string[] = []): void {
  const side = isInHead ? 'head' : 'base';
  const pointer = child(findPointer(pair, { side }), ...holder, keyword);
  pair.walk.notJudged.push({ document: side, pointer, keyword, direction: pair.direction });
}

/** Reports whether two values differ only in texts. Follows their references in the normal forms. */
export function isSame(
  { walk: { forms } }: Pair,
  base: Json | undefined,
  head: Json | undefined,
  keyword = '',
): boolean {
  return meanTheSame({ base: forms.base.document, head: forms.head.document }, base, head, keyword);
}

/** Records the differing keywords of both nodes that no rule judges. */
export function compareUnjudged(pair: Pair): void {
  const { base, head } = pair.walk.forms;
  for (const [keyword, old, now] of pairMembers(pair.base.unjudged, pair.head.unjudged))
    if (!meanTheSame({ base: base.source, head: head.source }, old, now))
      tellNotJudged(pair, keyword, now !== undefined);
}

/** Records a change: as a break if its rule hurts somebody in the direction of the pair, otherwise as compatible. */
export function addFinding(pair: Pair, { rule, what, ...change }: Change): void {
  const { walk, direction } = pair;
  const reason = findReason(rule, direction);
  const verdict = reason ? breaking(rule, what, ...reason) : compatible(rule, what);
  walk.found.push({ verdict, document: change.side, pointer: findPointer(pair, change), direction });
}
