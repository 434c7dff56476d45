import { type Json, list, object, resolve, type JsonObject } from './document.ts';

/** The documents in which the references of two values are resolved. */
export interface Documents {
  base: JsonObject;
  head: JsonObject;
}

const words = new Set('summary description example examples externalDocs title $comment'.split(' '));
/** Keywords of objects whose keys are names, so that `description` in them is also a name. */
const named = new Set(
  'properties patternProperties dependentSchemas dependentRequired headers mapping variables scopes'.split(' '),
);

/** Reports whether two values differ only in texts and extensions. Follows references. */
export function meanTheSame(
  documents: Documents,
  base: Json | undefined,
  head: Json | undefined,
  parent = '',
  seen = new Set<string>(),
): boolean {
  if (!base || !head || typeof base !== 'object' || typeof head !== 'object') return base === head;
  const references = [object(base).$ref, object(head).$ref];
  if (references.some((one) => typeof one === 'string')) {
    const key = JSON.stringify(references.map((one, index) => one ?? [base, head][index]!));
    if (seen.has(key)) return true;
    seen.add(key);
    return sameMembers(documents, resolve(documents.base, base), resolve(documents.head, head), parent, seen);
  }
  if (Array.isArray(base) !== Array.isArray(head)) return false;
  if (!Array.isArray(base)) return sameMembers(documents, object(base), object(head), parent, seen);
  const others = list(head);
  return (
    base.length === others.length && base.every((one, index) => meanTheSame(documents, one, others[index], '', seen))
  );
}

function sameMembers(
  documents: Documents,
  base: JsonObject,
  head: JsonObject,
  parent: string,
  seen: Set<string>,
): boolean {
  const counts = (key: string) => named.has(parent) || (!words.has(key) && !key.startsWith('x-'));
  const [keys, others] = [base, head].map((one) => Object.keys(one).filter(counts));
  if (keys!.length !== others!.length) return false;
  return keys!.every(
    (key) =>
      Object.hasOwn(head, key) && meanTheSame(documents, base[key], head[key], named.has(parent) ? '' : key, seen),
  );
}
