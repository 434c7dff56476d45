import { type Json, type JsonObject, list, object, resolve, text } from '../../contract-gate/src/index.ts';

/** Upper bound of every body limit, even if the schema allows more. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Lower bound of every body limit, so that short invalid bodies are parsed and the error can name the field. */
const MIN_LIMIT_BYTES = 64 * 1024;
/** Length of the longest JSON text of a character: two escapes, for a character outside the BMP. */
const CHARACTER_BYTES = 12;
const NUMBER_BYTES = 25;
/** Upper bounds of the JSON text of a format, with its quotes. */
const FORMAT_BYTES: Record<string, number> = { uuid: 38, date: 12, 'date-time': 40 };
/** Factor that allows white space between the parts. */
const LAYOUT = 1.5;
const UNIT_BYTES = 4096;

/**
 * Returns the size limit of an operation's JSON body: `x-max-body-bytes`, or the longest body that the schema allows,
 * with room for white space. Null for an operation without a JSON body.
 */
export function computeBodyLimit(document: JsonObject, operation: JsonObject): number | null {
  const schema = findBodySchema(document, operation);
  if (schema === undefined) return null;
  const stated = operation['x-max-body-bytes'];
  if (typeof stated === 'number') return stated;
  const bytes = longest(document, schema) * LAYOUT;
  return Math.min(MAX_BODY_BYTES, Math.max(MIN_LIMIT_BYTES, Math.ceil(bytes / UNIT_BYTES) * UNIT_BYTES));
}

/** Returns the maximum length of any list in an operation's JSON body. Null for an operation without a JSON body. */
export function findMaxItems(document: JsonObject, operation: JsonObject): number | null {
  const schema = findBodySchema(document, operation);
  return schema === undefined ? null : mostItems(document, schema);
}

function mostItems(document: JsonObject, part: Json): number {
  if (Array.isArray(part)) return Math.max(0, ...part.map((item) => mostItems(document, item)));
  if (typeof part !== 'object' || part === null) return 0;
  const schema = resolve(document, part);
  const { maxItems } = schema;
  const parts = Object.keys(schema).filter((key) => key !== 'examples');
  return Math.max(
    typeof maxItems === 'number' ? maxItems : 0,
    ...parts.map((key) => mostItems(document, schema[key]!)),
  );
}

function findBodySchema(document: JsonObject, operation: JsonObject): Json | undefined {
  const request = resolve(document, operation.requestBody ?? null);
  return object(object(request.content)['application/json']).schema;
}

/** Returns the bytes of a schema's longest JSON text without white space; Infinity if the schema sets no bound. */
function longest(document: JsonObject, part: Json): number {
  const schema = resolve(document, part);
  if (schema.const !== undefined) return countBytes(schema.const);
  if (schema.enum) return Math.max(...list(schema.enum).map(countBytes));
  const choices = [...list(schema.oneOf), ...list(schema.anyOf)];
  if (choices.length > 0) return Math.max(...choices.map((choice) => longest(document, choice)));
  return Math.max(...[schema.type ?? 'object'].flat().map((type) => computeMaxBytes(document, schema, text(type))));
}

function computeMaxBytes(document: JsonObject, schema: JsonObject, type: string): number {
  if (type === 'object') return longestObject(document, schema);
  if (type === 'array') return 2 + number(schema.maxItems) * (1 + longest(document, schema.items ?? {}));
  if (type !== 'string') return NUMBER_BYTES;
  return FORMAT_BYTES[text(schema.format)] ?? 2 + CHARACTER_BYTES * number(schema.maxLength);
}

function longestObject(document: JsonObject, schema: JsonObject): number {
  // Fields that another system adds must fit into the space of the declared fields.
  const isBounded =
    schema.additionalProperties === false || (schema.additionalProperties === true && schema.properties);
  if (!isBounded) return Infinity;
  const fields = Object.entries(object(schema.properties));
  return fields.reduce((sum, [name, value]) => sum + countBytes(name) + 2 + longest(document, value), 2);
}

function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : Infinity;
}

function countBytes(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
