import { type Json, type JsonObject, object, at, resolved } from './contract-document.ts';
import type { NormalForm } from './normal-document.ts';

/** The same place of both documents, where at least one refers, and not to the same as the other. */
interface Place {
  before: JsonObject;
  after: JsonObject;
  name: string;
  /** What each side refers to; undefined for one that is written out. */
  old: string | undefined;
  now: string | undefined;
}

interface Walk {
  /** Goes on with two values that stand for each other. */
  on: (before: Json | undefined, after: Json | undefined) => void;
}

/**
 * Writes schemas out where the two documents refer to different ones, so that what differs is found at the place that refers,
 * and not at components that others share. A component that only has another name stays a reference.
 */
export function writeOutChangedReferences(base: NormalForm, head: NormalForm): void {
  const isRenamed = renamings(base, head);
  const open = new Set<string>();
  walk(base, head, (place, { on }) => {
    const { before, after, name, old, now } = place;
    const pair = `${old} ${now}`;
    // A recursive schema is written out once.
    if (isRenamed(place) || open.has(pair)) return on(before[name], after[name]);
    open.add(pair);
    if (old !== undefined) before[name] = writtenOut(base, before[name]!);
    if (now !== undefined) after[name] = writtenOut(head, after[name]!);
    on(before[name], after[name]);
    open.delete(pair);
  });
}

/** Tells of a place whether what it refers to has another name everywhere, and is in one of the documents alone. */
function renamings(base: NormalForm, head: NormalForm): (place: Place) => boolean {
  const names = new Map<string, Set<string>>();
  walk(base, head, ({ before, after, name, old, now }, { on }) => {
    if (old !== undefined && now !== undefined) names.set(old, (names.get(old) ?? new Set()).add(now));
    on(resolvedOnly(base, before[name], now), resolvedOnly(head, after[name], old));
  });
  return ({ old, now }) =>
    old !== undefined &&
    now !== undefined &&
    names.get(old)?.size === 1 &&
    at(head.document, old) === undefined &&
    at(base.document, now) === undefined;
}

/** What is written out on the other side is compared with what the reference stands for. */
function resolvedOnly(form: NormalForm, value: Json | undefined, other: string | undefined): Json | undefined {
  return other === undefined ? resolved(form.document, value)[0] : value;
}

function walk(base: NormalForm, head: NormalForm, visit: (place: Place, walk: Walk) => void): void {
  const seen = new Set<string>();
  const on = (before: Json | undefined, after: Json | undefined): void => {
    const [old, now] = [referenceOf(before), referenceOf(after)];
    if (old === undefined || now === undefined) return parts(before, after);
    if (seen.has(`${old} ${now}`)) return;
    seen.add(`${old} ${now}`);
    parts(at(base.document, old), at(head.document, now));
  };
  const parts = (before: Json | undefined, after: Json | undefined): void => {
    if (Array.isArray(before) || Array.isArray(after)) return members(before, after);
    const [left, right] = [object(before), object(after)];
    for (const name of Object.keys(left).filter((one) => one in right)) {
      const [old, now] = [referenceOf(left[name]), referenceOf(right[name])];
      if (old === now) on(left[name], right[name]);
      else visit({ before: left, after: right, name, old, now }, { on });
    }
  };
  /** Members of a list are known by what they refer to, or else by their number. */
  const members = (before: Json | undefined, after: Json | undefined): void => {
    if (!Array.isArray(before) || !Array.isArray(after)) return;
    for (const [index, one] of before.entries()) {
      const reference = referenceOf(one);
      const other = reference === undefined ? after[index] : after.find((value) => referenceOf(value) === reference);
      if (referenceOf(other) === reference) on(one, other);
    }
  };
  for (const [key, { normal }] of base.operations) on(normal, head.operations.get(key)?.normal);
}

function referenceOf(value: Json | undefined): string | undefined {
  const { $ref } = object(value);
  return typeof $ref === 'string' ? $ref : undefined;
}

/** A copy of what the reference stands for, all of which comes from the place that refers. */
function writtenOut(form: NormalForm, reference: Json): Json {
  const copy = structuredClone(resolved(form.document, reference)[0]);
  form.comesFrom(copy, form.originOf(object(reference)));
  return copy;
}
