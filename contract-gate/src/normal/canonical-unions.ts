import { type Json, type JsonObject, child, list, object } from '../document.ts';
import { listTypes } from './canonical-schema.ts';
import { mark, type Origins, reference, getSource } from './origins.ts';

/** Rewrites the unions of a schema in place, so that equivalent spellings become equal. */
export function canonicalUnions(origins: Origins, schema: JsonObject): JsonObject {
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    if (!Array.isArray(schema[keyword])) continue;
    const flat = schema[keyword].flatMap(flattened);
    const variants = keyword === 'anyOf' ? withoutIdle(flat) : flat;
    if (keyword === 'anyOf' && variants.some((one) => Object.keys(object(one)).length === 0)) delete schema.anyOf;
    else if (schema.type === undefined && variants.length > 0 && variants.every(isBareType)) {
      schema.type = [...new Set(variants.flatMap((one) => listTypes(object(one))))];
      delete schema[keyword];
    } else schema[keyword] = withNullLast(origins, variants);
  }
  if (schema.discriminator !== undefined) schema.discriminator = withMapping(origins, schema);
  const isComposed = ['allOf', 'oneOf', 'anyOf', 'if', 'not', '$ref', 'dependentSchemas', 'patternProperties'].some(
    (keyword) => keyword in schema,
  );
  if (schema.unevaluatedProperties === false && !isComposed && schema.additionalProperties === undefined) {
    schema.additionalProperties = false;
    delete schema.unevaluatedProperties;
  }
  return schema;
}

/** Replaces a variant that is only a union with the variants of that union. */
function flattened(variant: Json): Json[] {
  const [keyword, more] = Object.keys(object(variant));
  const isUnion = more === undefined && (keyword === 'oneOf' || keyword === 'anyOf');
  return isUnion ? list(object(variant)[keyword]) : [variant];
}

/** Drops variants of `anyOf` whose values another variant accepts, such as known values next to any text. */
function withoutIdle(variants: Json[]): Json[] {
  const free = new Set(variants.filter(isBareType).flatMap((one) => listTypes(object(one))));
  const isIdle = (one: Json) => {
    const types = listTypes(object(one));
    return types.length > 0 && !isBareType(one) && types.every((type) => free.has(type));
  };
  return variants.filter((one) => !isIdle(one));
}

function isBareType(schema: Json): boolean {
  return object(schema).type !== undefined && Object.keys(object(schema)).length === 1;
}

/** Moves null into a separate last variant if a variant allows it. */
function withNullLast(origins: Origins, variants: Json[]): Json[] {
  const nullable = variants.find((one) => withoutNull(origins, one) !== one);
  if (nullable === undefined) return variants;
  const others = variants.flatMap((one) => withoutNull(origins, one) ?? []);
  return [...others, mark(origins, { type: 'null' }, origins.pointers.get(nullable as object)!)];
}

/** Returns the variant without null: the same object if it does not allow null, undefined if it allows only null. */
function withoutNull(origins: Origins, variant: Json): Json | undefined {
  const schema = object(variant);
  const pointer = origins.pointers.get(schema) ?? '#';
  if (typeof schema.$ref === 'string') {
    if (!schema.$ref.startsWith('#/components/nullable/')) return variant;
    return mark(origins, reference(origins, getSource(schema.$ref)), pointer);
  }
  const types = listTypes(schema);
  if (!types.includes('null')) return variant;
  const [type, ...rest] = types.filter((one) => one !== 'null');
  if (type === undefined) return undefined;
  return mark(origins, { ...schema, type: rest.length > 0 ? [type, ...rest] : type }, pointer);
}

/** Returns the discriminator with the value of every variant. Without a mapping, that is the name of the schema. */
function withMapping({ source }: Origins, schema: JsonObject): Json {
  const schemas = object(object(source.components).schemas);
  const discriminator = object(schema.discriminator);
  const explicit = Object.entries(object(discriminator.mapping)).map(([value, target]) => {
    const name = typeof target === 'string' && Object.hasOwn(schemas, target);
    return [value, name ? child('#/components/schemas', target) : target] as const;
  });
  const mapped = new Set(explicit.map(([, target]) => target));
  const implicit = [...list(schema.oneOf), ...list(schema.anyOf)].flatMap((variant) => {
    const { $ref } = object(variant);
    const isNamed = typeof $ref === 'string' && $ref.startsWith('#/components/schemas/') && !mapped.has($ref);
    return isNamed ? [[$ref.split('/').at(-1)!, $ref] as const] : [];
  });
  return { ...discriminator, mapping: Object.fromEntries([...explicit, ...implicit]) };
}
