import { type Json, type JsonObject, object, text, at, child, resolved, splitPointer } from '../document.ts';
import { atBase, atHead, breaking, compatible, type Deprecation, type Located } from '../findings.ts';
import type { NormalForm } from '../normal/normal-document.ts';

interface Deprecated {
  pointer: string;
  announced: Deprecation;
}

/**
 * Finds deprecations that were announced, withdrawn or moved. Callers plan by the sunset, so an earlier one is a break.
 */
export function deprecationFindings(base: NormalForm, head: NormalForm): Located[] {
  const [before, after] = [deprecatedIn(base.source), deprecatedIn(head.source)];
  return [
    ...[...after].flatMap(([key, { pointer, announced }]) => {
      const old = before.get(key);
      if (!old) return [atHead(pointer, compatible('deprecated', announcement(announced)))];
      const [was, is] = [old.announced.sunset, announced.sunset];
      if (was === '' || is === '' || is >= was) return [];
      const what = `The sunset was brought forward from ${was} to ${is}.`;
      const why = 'they planned to migrate by the announced date';
      return [
        atHead(
          child(pointer, 'x-deprecation', 'sunset'),
          breaking('sunset-brought-forward', what, why, 'callers who still use it'),
        ),
      ];
    }),
    ...[...before].flatMap(([key, { pointer }]) =>
      after.has(key) || at(head.source, pointer) === undefined
        ? []
        : [atBase(pointer, compatible('no-longer-deprecated', 'The deprecation was withdrawn.'))],
    ),
  ];
}

/** Returns the deprecation announced for the part at the pointer or for its nearest deprecated ancestor. */
export function deprecationAt(source: JsonObject, pointer: string): Deprecation | null {
  const steps = splitPointer(pointer);
  for (let length = steps.length; length >= 3; length -= 1) {
    const [found] = resolved(source, at(source, child('#', ...steps.slice(0, length))));
    if (found['x-deprecation'] !== undefined) return readDeprecation(found);
  }
  return null;
}

function readDeprecation(holder: JsonObject): Deprecation {
  const { since, sunset, use } = object(holder['x-deprecation']);
  return { since: text(since), sunset: text(sunset), use: text(use).trim() };
}

function announcement({ sunset, use }: Deprecation): string {
  return `Deprecated${sunset && `, until ${sunset}`}${use && `; use instead: ${use}`}.`;
}

/** Returns deprecated parts by a key that does not depend on order: the name of a parameter, not its index. */
function deprecatedIn(value: Json, pointer = '#', key = '#', found = new Map<string, Deprecated>()) {
  if (!value || typeof value !== 'object') return found;
  const { deprecated } = object(value);
  if (deprecated === true) found.set(key, { pointer, announced: readDeprecation(object(value)) });
  for (const [step, one] of Object.entries(value)) {
    if (isExample(step) && !key.endsWith('/properties')) continue;
    const { name, in: place } = object(one);
    const isParameter = Array.isArray(value) && typeof name === 'string' && typeof place === 'string';
    deprecatedIn(one, child(pointer, step), child(key, isParameter ? `${place} ${name}` : step), found);
  }
  return found;
}

function isExample(step: string): boolean {
  return ['example', 'examples', 'default', 'enum', 'const'].includes(step);
}
