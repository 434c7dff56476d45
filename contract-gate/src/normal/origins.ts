import { child, type Json, type JsonObject, object, resolvePointer, splitPointer } from '../document.ts';

/** The source of a normal form. `pointers` maps each built object to the pointer of its original. */
export interface Origins {
  source: JsonObject;
  pointers: WeakMap<object, string>;
  /** True for an OpenAPI 3.0 document, whose schemas have other keywords. */
  is30: boolean;
  /** True if bodies are sent or received as XML, so that `xml` matters. */
  hasXml: boolean;
  /** Pointers of schemas that references lead to, but that are not components. */
  targets: Set<string>;
  /** Pointers of schemas that are also used with null as an alternative. */
  nullable: Set<string>;
  /** Pointers of schemas with an anchor, by the anchor's name. */
  anchors?: Map<string, string[]>;
  /** Normal forms of schemas, by their pointers. */
  made: Map<string, { source: Json | undefined; made: Json }>;
  /** The number of references left in place because they lead back to themselves. */
  cycles: number;
  /** References that are being replaced by their schemas. */
  writtenOut: string[];
}

/** Returns a reference to a component. A target that is not a component becomes one of the normal form. */
export function reference(origins: Origins, $ref: string): JsonObject {
  const pointer = resolvePointer(origins.source, $ref);
  const [holder, kind, ...steps] = splitPointer(pointer);
  if (holder === 'components' && kind === 'schemas' && steps.length === 1)
    return { $ref: child('#/components/schemas', steps[0]!) };
  origins.targets.add(pointer);
  return { $ref: child('#/components/targets', pointer) };
}

/**
 * Replaces a reference to an anchor with a pointer. A dynamic reference to the anchor of a single schema is an ordinary
 * reference. If several schemas have the anchor, the reference stays, because only validation can choose.
 */
export function withPointer(origins: Origins, schema: JsonObject): JsonObject {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const { [keyword]: name, ...rest } = schema;
    if (typeof name !== 'string' || !/^#[^/]/.test(name)) continue;
    const [pointer, ...others] = listAnchors(origins).get(name.slice(1)) ?? [];
    if (pointer !== undefined && others.length === 0) return { ...rest, $ref: pointer };
  }
  return schema;
}

/** Returns the pointers of schemas with an anchor, by the anchor's name. */
export function listAnchors(origins: Origins): Map<string, string[]> {
  origins.anchors ??= anchorsIn(origins.source);
  return origins.anchors;
}

function anchorsIn(value: Json, pointer = '#', found = new Map<string, string[]>()): Map<string, string[]> {
  if (!value || typeof value !== 'object') return found;
  const { $anchor, $dynamicAnchor } = object(value);
  for (const name of new Set([$anchor, $dynamicAnchor]))
    if (typeof name === 'string') found.set(name, [...(found.get(name) ?? []), pointer]);
  for (const [key, one] of Object.entries(value)) anchorsIn(one, child(pointer, key), found);
  return found;
}

/** Returns the pointer in the source for a reference of the normal form. */
export function getSource($ref: string): string {
  const [, kind, pointer] = splitPointer($ref);
  return kind === 'targets' || kind === 'nullable' ? pointer! : $ref;
}

export function mark<T extends object>(origins: Origins, made: T, pointer: string): T {
  origins.pointers.set(made, pointer);
  return made;
}
