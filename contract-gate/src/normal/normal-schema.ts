import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, list, object, at, child, resolvePointer, resolved } from '../document.ts';
import { canonical } from './canonical-schema.ts';
import { canonicalUnions } from './canonical-unions.ts';
import { mark, type Origins, reference, getSource, withPointer } from './origins.ts';
import { schemaOf30, withNullable, withNumericBounds } from './openapi-30.ts';
import { meanTheSame } from '../same-meaning.ts';

interface Part {
  schema: JsonObject;
  pointer: string;
  /** The references that lead to the part. */
  through: string[];
}

/** Keywords for texts and names, and for schemas that matter only if a reference leads to them. */
const annotations = new Set(
  [
    'title description example examples externalDocs deprecated $comment',
    '$schema $id $anchor $dynamicAnchor $vocabulary $defs definitions',
  ]
    .join(' ')
    .split(' '),
);
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const lists = new Set(['oneOf', 'anyOf', 'allOf', 'prefixItems']);
const subschemas = new Set(
  [
    'items additionalProperties unevaluatedProperties unevaluatedItems contains not if then else propertyNames',
    'contentSchema',
  ]
    .join(' ')
    .split(' '),
);
/** Functions that select the tighter of two bounds, by keyword. */
const tighter: Record<string, (one: number, other: number) => number> = {
  ...Object.fromEntries(
    'minimum exclusiveMinimum minLength minItems minProperties'.split(' ').map((name) => [name, Math.max]),
  ),
  ...Object.fromEntries(
    'maximum exclusiveMaximum maxLength maxItems maxProperties'.split(' ').map((name) => [name, Math.min]),
  ),
};

export function isStructural(keyword: string): boolean {
  return !annotations.has(keyword) && (keyword === 'x-extensible-enum' || !keyword.startsWith('x-'));
}

/** Returns the schema in normal form: without descriptions and examples, `allOf` merged, null among the types. */
export function normalSchema(origins: Origins, value: Json | undefined, pointer: string): Json {
  if (typeof value === 'boolean') return mark<JsonObject>(origins, value ? {} : { type: [] }, pointer);
  const known = origins.made.get(pointer);
  if (known && known.source === value) return known.made;
  const cycles = origins.cycles;
  const made = normalParts(origins, collectParts(origins, object(value), pointer), pointer);
  // If a cycle was left as a reference, the normal form depends on the path to it, so it is not cached.
  if (origins.cycles === cycles) origins.made.set(pointer, { source: value, made });
  return made;
}

function normalParts(origins: Origins, parts: Part[], pointer: string): Json {
  if (parts.length === 1 && typeof parts[0]!.schema.$ref === 'string')
    return normalPart(origins, parts, parts[0]!.pointer);
  if (!canMerge(origins, parts))
    return mark(origins, { allOf: parts.map((part) => normalPart(origins, [part], part.pointer)) }, pointer);
  return unionWithNull(origins, parts) ?? normalPart(origins, parts, pointer);
}

/** Returns the normal form of the schema at the pointer, with null allowed. */
export function normalNullable(origins: Origins, pointer: string): Json {
  const made = normalSchema(origins, at(origins.source, pointer), pointer);
  return mark(origins, withNull(made), origins.pointers.get(object(made)) ?? pointer);
}

function normalPart(origins: Origins, parts: Part[], pointer: string): Json {
  const { schema } = parts[0]!;
  if (typeof schema.$ref === 'string') return mark(origins, reference(origins, schema.$ref), pointer);
  return canonical(canonicalUnions(origins, mark(origins, merged(origins, parts), pointer)));
}

/** Returns the parts of a schema: its own keywords and its `allOf`. Follows a reference that has siblings. */
function collectParts(origins: Origins, source: JsonObject, pointer: string, through: string[] = []): Part[] {
  const written = origins.is30 ? schemaOf30(source) : withPointer(origins, source);
  const schema = withNumericBounds('nullable' in written ? withNullable(written) : written);
  const own = Object.entries(schema).filter(
    ([keyword]) => isStructural(keyword) && keyword !== 'allOf' && (keyword !== 'xml' || origins.hasXml),
  );
  const rest = Object.fromEntries(own.filter(([keyword]) => keyword !== '$ref'));
  const reference = typeof schema.$ref === 'string' ? [{ value: { $ref: schema.$ref } as Json, where: pointer }] : [];
  const members = list(schema.allOf).map((value, index) => ({ value, where: child(pointer, 'allOf', index) }));
  const parts = [...reference, ...members.filter(({ value }) => !saysNothing(value))];
  const isAlone = parts.length === 1 && Object.keys(rest).length === 0;
  if (parts.length === 0) return [{ schema: rest, pointer, through }];
  return [
    ...parts.flatMap(({ value, where }) => {
      const { $ref } = object(value);
      if (typeof $ref !== 'string') return collectParts(origins, object(value), where, through);
      const isCycle = through.includes($ref) || origins.writtenOut.includes($ref);
      if (isCycle) origins.cycles += 1;
      if (isAlone || isCycle) return [{ schema: { $ref }, pointer: where, through }];
      const target = resolvePointer(origins.source, $ref);
      return collectParts(origins, object(at(origins.source, target)), target, [...through, $ref]);
    }),
    ...(Object.keys(rest).length > 0 ? [{ schema: rest, pointer, through }] : []),
  ];
}

/** Keywords whose values can be merged. */
const mergeable = new Set(['required', 'properties', 'type', 'enum', ...Object.keys(tighter)]);

/** Reports whether all parts can be merged into one schema object without changing their meaning. */
function canMerge({ source }: Origins, parts: Part[]): boolean {
  if (parts.length === 1) return true;
  if (parts.some(({ schema }) => schema.$ref !== undefined || schema.additionalProperties === false)) return false;
  const said = new Map<string, Json>();
  return parts.every(({ schema }) =>
    Object.entries(schema).every(([keyword, value]) => {
      const other = said.get(keyword);
      said.set(keyword, value);
      return mergeable.has(keyword) || other === undefined || meanTheSame({ base: source, head: source }, other, value);
    }),
  );
}

function merged(origins: Origins, parts: Part[]): JsonObject {
  const whole: JsonObject = {};
  const properties = new Map<string, Part[]>();
  for (const part of parts) {
    const { schema, pointer, through } = part;
    origins.writtenOut.push(...through);
    for (const [keyword, value] of Object.entries(schema)) {
      const where = child(pointer, keyword);
      if (keyword !== 'properties')
        whole[keyword] = mergedKeyword(keyword, whole[keyword], normalKeyword(origins, keyword, value, where));
      else {
        const made = Object.entries(object(value)).map(
          ([name, one]) => [name, mergedProperty(origins, properties, name, one, child(where, name), through)] as const,
        );
        whole.properties = { ...object(whole.properties), ...Object.fromEntries(made) };
      }
    }
    origins.writtenOut.length -= through.length;
  }
  return whole;
}

function mergedKeyword(keyword: string, known: Json | undefined, value: Json): Json {
  if (known === undefined) return value;
  if (keyword === 'required') return [...list(known), ...list(value)];
  if (keyword === 'enum')
    return list(known).filter((one) => list(value).some((other) => isDeepStrictEqual(one, other)));
  if (keyword === 'type') return [known].flat().filter((type) => [value].flat().includes(type));
  return typeof known === 'number' && Object.hasOwn(tighter, keyword) ? tighter[keyword]!(known, Number(value)) : value;
}

/** Merges the schemas that several parts have for the same property. */
function mergedProperty(
  origins: Origins,
  properties: Map<string, Part[]>,
  name: string,
  value: Json,
  pointer: string,
  through: string[],
): Json {
  const known = properties.get(name);
  if (!known || typeof value === 'boolean') {
    properties.set(name, [{ schema: object(value), pointer, through }]);
    return normalSchema(origins, value, pointer);
  }
  known.push({ schema: object(value), pointer, through });
  if (known.every(({ schema }) => meanTheSame({ base: origins.source, head: origins.source }, schema, value)))
    return normalSchema(origins, value, pointer);
  const parts = known.flatMap((one) => collectParts(origins, one.schema, one.pointer, one.through));
  return normalParts(origins, parts, pointer);
}

function normalKeyword(origins: Origins, keyword: string, value: Json, pointer: string): Json {
  if (subschemas.has(keyword)) {
    if (value === false) return false;
    const made = saysNothing(value) || normalSchema(origins, value, pointer);
    return isDeepStrictEqual(made, { type: [] }) ? false : made;
  }
  if (lists.has(keyword)) return list(value).map((one, index) => normalSchema(origins, one, child(pointer, index)));
  if (!maps.has(keyword)) return structuredClone(value);
  const made = Object.entries(object(value)).map(
    ([name, one]) => [name, normalSchema(origins, one, child(pointer, name))] as const,
  );
  return Object.fromEntries(made);
}

function saysNothing(schema: Json): boolean {
  return schema === true || (schema !== false && !Object.keys(object(schema)).some(isStructural));
}

/**
 * Rewrites a union of a schema and null as that schema with null among its types, and a union of one schema as that
 * schema.
 */
function unionWithNull(origins: Origins, parts: Part[]): Json | undefined {
  const [{ schema, pointer }, ...others] = parts as [Part, ...Part[]];
  const [keyword, more] = Object.keys(schema);
  if (others.length > 0 || more !== undefined || (keyword !== 'oneOf' && keyword !== 'anyOf')) return undefined;
  const members = list(schema[keyword]).map((value, index) => ({ value, where: child(pointer, keyword, index) }));
  const [member, ...rest] = members.filter(({ value }) => !isNull(value));
  if (!member || rest.length > 0) return undefined;
  const made = object(normalSchema(origins, member.value, member.where));
  if (members.length === 1) return made;
  if (typeof made.$ref !== 'string')
    return made.type === undefined ? undefined : mark(origins, withNull(made), pointer);
  const [target, where] = resolved(origins.source, { $ref: getSource(made.$ref) }, member.where);
  if (!['type', 'enum', 'const'].some((known) => known in target)) return undefined;
  origins.nullable.add(where);
  return mark(origins, { $ref: child('#/components/nullable', where) }, pointer);
}

/** Reports whether the schema, as written, allows only null. */
function isNull(schema: Json): boolean {
  const { type, const: only, enum: values } = object(schema);
  return isDeepStrictEqual([type].flat(), ['null']) || only === null || isDeepStrictEqual(values, [null]);
}

function withNull(schema: Json): JsonObject {
  const { type, ...rest } = object(schema);
  return { ...rest, type: [...new Set([type!, 'null'].flat() as string[])].toSorted() };
}
