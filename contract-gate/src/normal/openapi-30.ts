import { type JsonObject } from '../document.ts';

/** A schema of OpenAPI 3.0 in the words of 3.1: siblings of a reference say nothing, and `nullable` is a type. */
export function schemaOf30(schema: JsonObject): JsonObject {
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref };
  const { nullable, ...rest } = schema;
  if (nullable !== true) return rest;
  if (rest.type !== undefined) return { ...rest, type: [rest.type, 'null'].flat() };
  const isComposed = ['allOf', 'oneOf', 'anyOf'].some((keyword) => keyword in rest);
  return isComposed ? { oneOf: [rest, { type: 'null' }] } : rest;
}

const bounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** `exclusiveMinimum: true`, as 3.0 has it, says that `minimum` itself is not allowed. */
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
