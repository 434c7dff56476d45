import { type JsonObject, list } from '../document.ts';

/** Converts a schema of OpenAPI 3.0 to 3.1. Next to a reference, only `nullable` counts. */
export function schemaOf30({ $ref, nullable, ...rest }: JsonObject): JsonObject {
  const made = typeof $ref === 'string' ? { $ref } : rest;
  return nullable === undefined ? made : { ...made, nullable };
}

/** Replaces `nullable` of 3.0, which many documents of 3.1 still use, with null among the types or variants. */
export function withNullable({ nullable, ...schema }: JsonObject): JsonObject {
  if (nullable !== true) return schema;
  if (schema.type !== undefined) return { ...schema, type: [schema.type, 'null'].flat() };
  for (const keyword of ['oneOf', 'anyOf'])
    if (schema[keyword] !== undefined) return { ...schema, [keyword]: [...list(schema[keyword]), { type: 'null' }] };
  const { $ref, allOf, ...rest } = schema;
  if ($ref === undefined && allOf === undefined) return schema;
  const member: JsonObject = { ...($ref !== undefined && { $ref }), ...(allOf !== undefined && { allOf }) };
  return { ...rest, oneOf: [member, { type: 'null' }] };
}

const bounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** Converts `exclusiveMinimum: true` of 3.0, which excludes `minimum` itself. */
export function withNumericBounds(schema: JsonObject): JsonObject {
  if (!bounds.some(([exclusive]) => typeof schema[exclusive] === 'boolean')) return schema;
  const made = { ...schema };
  for (const [exclusive, inclusive] of bounds) {
    if (typeof made[exclusive] !== 'boolean') continue;
    const isExclusive = made[exclusive] && typeof made[inclusive] === 'number';
    delete made[exclusive];
    if (!isExclusive) continue;
    made[exclusive] = made[inclusive]!;
    delete made[inclusive];
  }
  return made;
}
