import { child, type Json, type JsonObject, object, pointerOf, stepsOf } from '../document.ts';

/** The source of a normal form. Each object that is made remembers the pointer of its original. */
export interface Origins {
  source: JsonObject;
  pointers: WeakMap<object, string>;
  /** Whether the document is one of OpenAPI 3.0, whose schemas have other keywords. */
  is30: boolean;
  /** Whether bodies in XML are sent or received, so that `xml` matters. */
  hasXml: boolean;
  /** Pointers of schemas that references lead to, and that are no components. */
  targets: Set<string>;
  /** Pointers of schemas that are also used with null beside them. */
  nullable: Set<string>;
  /** Pointers of the schemas with an anchor of a name. */
  anchors?: Map<string, string[]>;
  /** The normal forms of schemas, by their pointers. */
  made: Map<string, { source: Json | undefined; made: Json }>;
  /** How often a reference was left in place because it leads back to where it stands. */
  cycles: number;
  /** References that are being replaced by their schemas. */
  writtenOut: string[];
}

/** A reference to a component; what is no component gets a place among the components of the normal form. */
export function reference(origins: Origins, $ref: string): JsonObject {
  const pointer = pointerOf(origins.source, $ref);
  const [holder, kind, ...steps] = stepsOf(pointer);
  if (holder === 'components' && kind === 'schemas' && steps.length === 1)
    return { $ref: child('#/components/schemas', steps[0]!) };
  origins.targets.add(pointer);
  return { $ref: child('#/components/targets', pointer) };
}

/**
 * The schema with a pointer in place of a reference to an anchor. A dynamic reference to a name that one schema has is an
 * ordinary reference; of several, validation finds out which one it is.
 */
export function withPointer(origins: Origins, schema: JsonObject): JsonObject {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const { [keyword]: name, ...rest } = schema;
    if (typeof name !== 'string' || !/^#[^/]/.test(name)) continue;
    const [pointer, ...others] = anchorsOf(origins).get(name.slice(1)) ?? [];
    if (pointer !== undefined && others.length === 0) return { ...rest, $ref: pointer };
  }
  return schema;
}

/** Pointers of the schemas with an anchor, by its name. */
export function anchorsOf(origins: Origins): Map<string, string[]> {
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

/** Where the target of a reference of the normal form stands in the source. */
export function sourceOf($ref: string): string {
  const [, kind, pointer] = stepsOf($ref);
  return kind === 'targets' || kind === 'nullable' ? pointer! : $ref;
}

export function mark<T extends object>(origins: Origins, made: T, pointer: string): T {
  origins.pointers.set(made, pointer);
  return made;
}
