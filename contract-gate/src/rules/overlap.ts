import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, list, own, resolve, text } from '../document.ts';
import { listTypes } from '../normal/canonical-schema.ts';

/** Keywords with which an overlap of two schemas can be judged. With any other keyword, no overlap is assumed. */
const simple = new Set(
  [
    'type enum minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum',
    'items minItems maxItems properties required additionalProperties default readOnly writeOnly x-extensible-enum',
  ]
    .join(' ')
    .split(' '),
);
const deepest = 4;

/**
 * Reports whether some value of one schema, without undeclared properties, certainly also fits the other schema. So two
 * object schemas overlap if neither requires a property that the other does not describe.
 */
export function overlap(document: JsonObject, one: Json, other: Json, depth = 0): boolean {
  const [first, second] = [resolve(document, one), resolve(document, other)];
  if (depth > deepest || ![first, second].every(isSimple)) return false;
  if (first.enum !== undefined || second.enum !== undefined) return sharesValue(first, second);
  return listTypes(first).some((type) => {
    const isShared = listTypes(second).some((known) => getKind(known) === getKind(type));
    return isShared && haveOverlap(document, getKind(type), [first, second], depth);
  });
}

function isSimple(schema: JsonObject): boolean {
  return schema.type !== undefined && Object.keys(schema).every((keyword) => simple.has(keyword));
}

function getKind(type: string): string {
  return type === 'integer' ? 'number' : type;
}

function haveOverlap(document: JsonObject, type: string, schemas: [JsonObject, JsonObject], depth: number): boolean {
  if (type === 'string') return fitsLength(schemas, 'minLength', 'maxLength') && sharesForm(schemas);
  if (type === 'number') return fitsLength(schemas, 'minimum', 'maximum') && !schemas.some(isExclusive);
  if (type === 'array') return fitsItems(document, schemas, depth);
  if (type !== 'object') return true;
  const [one, other] = schemas;
  return describes(document, one, other, depth) || describes(document, other, one, depth);
}

function isExclusive(schema: JsonObject): boolean {
  return schema.exclusiveMinimum !== undefined || schema.exclusiveMaximum !== undefined;
}

function fitsLength(schemas: JsonObject[], min: string, max: string): boolean {
  const lowest = Math.max(...schemas.map((schema) => Number(schema[min] ?? -Infinity)));
  return lowest <= Math.min(...schemas.map((schema) => Number(schema[max] ?? Infinity)));
}

/**
 * Reports whether two schemas share a form. Only equal patterns or formats certainly share a value; a text without
 * constraints fits any form.
 */
function sharesForm([one, other]: [JsonObject, JsonObject]): boolean {
  const form = ({ pattern, format }: JsonObject) => [pattern ?? null, format ?? null];
  const isFree = (schema: JsonObject) => form(schema).every((value) => value === null);
  const isPlain = (schema: JsonObject) => schema.minLength === undefined && schema.maxLength === undefined;
  if (isDeepStrictEqual(form(one), form(other))) return true;
  return (isFree(one) && isPlain(one)) || (isFree(other) && isPlain(other));
}

/** Reports whether a list fits both schemas: the empty list does, unless one of them needs an item. */
function fitsItems(document: JsonObject, schemas: [JsonObject, JsonObject], depth: number): boolean {
  if (!fitsLength(schemas, 'minItems', 'maxItems')) return false;
  if (schemas.every(({ minItems }) => minItems === undefined)) return true;
  const [one, other] = schemas.map(({ items }) => items);
  return one === undefined || other === undefined || overlap(document, one, other, depth + 1);
}

/** Reports whether an object of the first schema, with the properties that both require, fits both. */
function describes(document: JsonObject, one: JsonObject, other: JsonObject, depth: number): boolean {
  const names = new Set([...list(one.required), ...list(other.required)] as string[]);
  return [...names].every((name) => {
    const [mine, others] = [own(one.properties, name), own(other.properties, name)];
    if (mine === undefined) return false;
    if (others !== undefined) return overlap(document, mine, others, depth + 1);
    return other.additionalProperties === undefined;
  });
}

function sharesValue(one: JsonObject, other: JsonObject): boolean {
  const [values, others] = [one.enum, other.enum];
  if (values !== undefined && others !== undefined)
    return list(values).some((value) => list(others).some((known) => isDeepStrictEqual(known, value)));
  const [known, free] = values === undefined ? [others, one] : [values, other];
  return list(known).some((value) => fits(value, free));
}

/** Reports whether a text or a number certainly fits a schema without an enum. With a format, that is not certain. */
function fits(value: Json, schema: JsonObject): boolean {
  const types = listTypes(schema);
  if (typeof value === 'number') {
    const isOfType = types.includes('number') || (types.includes('integer') && Number.isInteger(value));
    return (
      isOfType && !isExclusive(schema) && fitsLength([schema, { minimum: value, maximum: value }], 'minimum', 'maximum')
    );
  }
  if (typeof value !== 'string' || !types.includes('string') || schema.format !== undefined) return false;
  const length = [...value].length;
  const isOfLength = fitsLength([schema, { minLength: length, maxLength: length }], 'minLength', 'maxLength');
  return isOfLength && (schema.pattern === undefined || matches(text(schema.pattern), value));
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return false;
  }
}
