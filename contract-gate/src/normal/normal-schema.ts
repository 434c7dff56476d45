import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, list, object, at, child, resolved } from '../document.ts';
import { normalPattern } from './normal-pattern.ts';

/** The source of a normal form. Each object that is made remembers the pointer of its original. */
export interface Origins {
  source: JsonObject;
  pointers: WeakMap<object, string>;
  /** Components that are also used with null beside them. */
  nullable: Set<string>;
  /** References that are being replaced by their schemas. */
  writtenOut: string[];
}

interface Part {
  schema: JsonObject;
  pointer: string;
  /** The references that were followed to it. */
  through: string[];
}

const schemas = '#/components/schemas/';
const annotations = new Set(
  'title description example examples externalDocs deprecated $comment xml contentSchema'.split(' '),
);
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);
const lists = new Set(['oneOf', 'anyOf', 'allOf', 'prefixItems']);
const subschemas = new Set(
  'items additionalProperties unevaluatedProperties unevaluatedItems contains not if then else propertyNames'.split(
    ' ',
  ),
);
/** Which of two bounds holds when both are given. */
const tighter: Record<string, (one: number, other: number) => number> = {
  ...Object.fromEntries(
    'minimum exclusiveMinimum minLength minItems minProperties'.split(' ').map((name) => [name, Math.max]),
  ),
  ...Object.fromEntries(
    'maximum exclusiveMaximum maxLength maxItems maxProperties'.split(' ').map((name) => [name, Math.min]),
  ),
};
/** Keywords with these values mean the same as without them. */
const defaults: JsonObject = {
  minLength: 0,
  minItems: 0,
  minProperties: 0,
  uniqueItems: false,
  readOnly: false,
  writeOnly: false,
  nullable: false,
  additionalProperties: true,
  unevaluatedProperties: true,
  items: true,
};

/** Normal patterns that every text matches. */
const anything = new Set(['', '^', '$', '.*', '^.*', '.*$', '[^]*', '^[^]*$'].map(normalPattern));

export function isStructural(keyword: string): boolean {
  return !annotations.has(keyword) && (keyword === 'x-extensible-enum' || !keyword.startsWith('x-'));
}

/** The schema in normal form: without descriptions and examples, `allOf` merged, null among the types. */
export function normalSchema(origins: Origins, value: Json | undefined, pointer: string): Json {
  if (typeof value === 'boolean') return value ? mark(origins, {}, pointer) : false;
  const parts = partsOf(origins, object(value), pointer);
  if (parts.length === 1 && typeof parts[0]!.schema.$ref === 'string')
    return mark(origins, { $ref: parts[0]!.schema.$ref }, parts[0]!.pointer);
  if (!canMerge(parts)) return mark(origins, { allOf: parts.map((part) => normalPart(origins, part)) }, pointer);
  return unionWithNull(origins, parts) ?? canonical(mark(origins, merged(origins, parts), pointer));
}

/** The component's schema, or null. */
export function normalNullable(origins: Origins, name: string): Json {
  const pointer = child('#/components/schemas', name);
  return withNull(normalSchema(origins, at(origins.source, pointer), pointer));
}

function normalPart(origins: Origins, part: Part): Json {
  if (typeof part.schema.$ref === 'string') return mark(origins, { $ref: part.schema.$ref }, part.pointer);
  return canonical(mark(origins, merged(origins, [part]), part.pointer));
}

/** The schema's own keywords and those of its `allOf`. A reference is followed when it has siblings. */
function partsOf(origins: Origins, schema: JsonObject, pointer: string, through: string[] = []): Part[] {
  const own = Object.entries(schema).filter(([keyword]) => isStructural(keyword) && keyword !== 'allOf');
  const rest = Object.fromEntries(own.filter(([keyword]) => keyword !== '$ref'));
  const reference = typeof schema.$ref === 'string' ? [{ value: { $ref: schema.$ref } as Json, where: pointer }] : [];
  const members = list(schema.allOf).map((value, index) => ({ value, where: child(pointer, 'allOf', index) }));
  const parts = [...reference, ...members.filter(({ value }) => !saysNothing(value))];
  const isAlone = parts.length === 1 && Object.keys(rest).length === 0;
  if (parts.length === 0) return [{ schema: rest, pointer, through }];
  return [
    ...parts.flatMap(({ value, where }) => {
      const { $ref } = object(value);
      if (typeof $ref !== 'string') return partsOf(origins, object(value), where, through);
      if (isAlone || through.includes($ref) || origins.writtenOut.includes($ref))
        return [{ schema: { $ref }, pointer: where, through }];
      return partsOf(origins, object(at(origins.source, $ref)), $ref, [...through, $ref]);
    }),
    ...(Object.keys(rest).length > 0 ? [{ schema: rest, pointer, through }] : []),
  ];
}

/** Whether one object can say what all parts together say. */
function canMerge(parts: Part[]): boolean {
  if (parts.length === 1) return true;
  if (parts.some(({ schema }) => schema.$ref !== undefined || schema.additionalProperties === false)) return false;
  const said = new Map<string, Json>();
  return parts.every(({ schema }) =>
    Object.entries(schema)
      .flatMap(([keyword, value]) => {
        if (keyword === 'required' || keyword in tighter) return [];
        if (keyword !== 'properties') return [[keyword, value] as const];
        return Object.entries(object(value)).map(([name, property]) => [`properties/${name}`, property] as const);
      })
      .every(([name, value]) => {
        const same = !said.has(name) || isDeepStrictEqual(said.get(name), value);
        said.set(name, value);
        return same;
      }),
  );
}

function merged(origins: Origins, parts: Part[]): JsonObject {
  const whole: JsonObject = {};
  for (const { schema, pointer, through } of parts) {
    origins.writtenOut.push(...through);
    for (const [keyword, value] of Object.entries(schema)) {
      const made = normalKeyword(origins, keyword, value, child(pointer, keyword));
      if (keyword === 'properties') whole.properties = { ...object(whole.properties), ...object(made) };
      else if (keyword === 'required') whole.required = [...list(whole.required), ...list(made)];
      else if (keyword in tighter && typeof whole[keyword] === 'number')
        whole[keyword] = tighter[keyword]!(whole[keyword], Number(made));
      else whole[keyword] = made;
    }
    origins.writtenOut.length -= through.length;
  }
  return whole;
}

function normalKeyword(origins: Origins, keyword: string, value: Json, pointer: string): Json {
  if (subschemas.has(keyword)) return saysNothing(value) ? true : normalSchema(origins, value, pointer);
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

/** `oneOf` of a schema and null is that schema with null among its types; of one schema, it is that schema. */
function unionWithNull(origins: Origins, parts: Part[]): Json | undefined {
  const [{ schema, pointer }, ...others] = parts as [Part, ...Part[]];
  const [keyword, more] = Object.keys(schema);
  if (others.length > 0 || more !== undefined || (keyword !== 'oneOf' && keyword !== 'anyOf')) return undefined;
  const members = list(schema[keyword]).map((value, index) => ({ value, where: child(pointer, keyword, index) }));
  const [member, ...rest] = members.filter(({ value }) => object(value).type !== 'null');
  if (!member || rest.length > 0) return undefined;
  const made = normalSchema(origins, member.value, member.where);
  if (members.length === 1) return made;
  const [target, where] = resolved(origins.source, made, member.where);
  if (target.type === undefined) return undefined;
  if (object(made).$ref === undefined) return mark(origins, withNull(made), pointer);
  const name = where.slice(schemas.length);
  origins.nullable.add(name);
  return mark(origins, { $ref: `${schemas}${name}.or-null` }, pointer);
}

function withNull(schema: Json): JsonObject {
  const made = object(schema);
  made.type = [...new Set([made.type!, 'null'].flat() as string[])].toSorted();
  return made;
}

function canonical(schema: JsonObject): JsonObject {
  for (const [keyword, value] of Object.entries(defaults)) if (schema[keyword] === value) delete schema[keyword];
  if (typeof schema.pattern === 'string') {
    schema.pattern = normalPattern(schema.pattern);
    if (anything.has(schema.pattern)) delete schema.pattern;
  }
  if (list(schema.prefixItems).every((one) => isDeepStrictEqual(one, schema.items))) delete schema.prefixItems;
  if (schema.const !== undefined) {
    schema.enum = [schema.const];
    delete schema.const;
  }
  if (schema.required !== undefined) {
    const names = [...new Set(list(schema.required) as string[])].toSorted();
    if (names.length > 0) schema.required = names;
    else delete schema.required;
  }
  if (Array.isArray(schema.enum))
    schema.enum = schema.enum.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other), 'en'));
  canonicalUnion(schema);
  canonicalTypes(schema);
  canonicalBounds(schema);
  return schema;
}

/** `anyOf` and `oneOf` are the same to callers; a union of bare types is a list of types. */
function canonicalUnion(schema: JsonObject): void {
  if (schema.anyOf !== undefined && schema.oneOf === undefined) {
    schema.oneOf = schema.anyOf;
    delete schema.anyOf;
  }
  const variants = list(schema.oneOf).map(object);
  if (variants.length > 0 && schema.type === undefined && variants.every(isBareType)) {
    schema.type = variants.flatMap(({ type }) => type!);
    delete schema.oneOf;
  }
  const isComposed = ['allOf', 'oneOf', 'anyOf', 'if', 'not', '$ref', 'dependentSchemas'].some(
    (keyword) => keyword in schema,
  );
  if (schema.unevaluatedProperties === false && !isComposed && schema.additionalProperties === undefined) {
    schema.additionalProperties = false;
    delete schema.unevaluatedProperties;
  }
}

function isBareType(schema: JsonObject): boolean {
  return schema.type !== undefined && Object.keys(schema).length === 1;
}

/** Only the types name null; an enum without it removes it from them. */
function canonicalTypes(schema: JsonObject): void {
  if (schema.type === undefined) return;
  let types = [...new Set([schema.type].flat() as string[])].toSorted();
  if (types.includes('number')) types = types.filter((type) => type !== 'integer');
  if (Array.isArray(schema.enum) && types.includes('null')) {
    if (schema.enum.includes(null)) schema.enum = schema.enum.filter((value) => value !== null);
    else types = types.filter((type) => type !== 'null');
  }
  schema.type = types.length === 1 ? types[0]! : types;
}

/** For whole numbers `> 0` is `>= 1`. */
function canonicalBounds(schema: JsonObject): void {
  if (schema.type !== 'integer') return;
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (Number.isInteger(above)) {
    schema.minimum = Math.max(Number(above) + 1, Number(schema.minimum ?? -Infinity));
    delete schema.exclusiveMinimum;
  }
  if (Number.isInteger(below)) {
    schema.maximum = Math.min(Number(below) - 1, Number(schema.maximum ?? Infinity));
    delete schema.exclusiveMaximum;
  }
}

export function mark<T extends object>(origins: Origins, made: T, pointer: string): T {
  origins.pointers.set(made, pointer);
  return made;
}
