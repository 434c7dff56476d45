import { type Json, type JsonObject, object } from '../contract-document.ts';

/** `#/paths/~1learners/get` as its steps: `paths`, `/learners`, `get`. */
export function stepsOf(pointer: string): string[] {
  return pointer
    .replace(/^#\/?/, '')
    .split('/')
    .filter((step) => step !== '')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function child(pointer: string, ...steps: (string | number)[]): string {
  return [pointer, ...steps.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

export function at(document: Json, pointer: string): Json | undefined {
  return stepsOf(pointer).reduce<Json | undefined>(
    (found, step) => (found && typeof found === 'object' ? (found as JsonObject)[step] : undefined),
    document,
  );
}

/** The pointer, or the nearest one above it that the document holds. */
export function standing(document: Json, pointer: string): string {
  let found = pointer;
  while (at(document, found) === undefined) found = found.slice(0, found.lastIndexOf('/'));
  return found;
}

/** What a value stands for, through any number of references, and where that is. */
export function resolved(document: JsonObject, value: Json | undefined, pointer = '#'): [JsonObject, string] {
  const seen = new Set<string>();
  let [found, where] = [object(value), pointer];
  while (typeof found.$ref === 'string' && !seen.has(found.$ref)) {
    seen.add(found.$ref);
    [found, where] = [object(at(document, found.$ref)), found.$ref];
  }
  return [found, where];
}
