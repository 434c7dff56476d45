import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, list, own } from '../document.ts';
import { normalPattern } from './normal-pattern.ts';

/** Keyword values that mean the same as an omitted keyword. */
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
  unevaluatedItems: true,
  items: true,
};

const text =
  'minLength maxLength pattern format contentEncoding contentMediaType contentSchema x-extensible-enum'.split(' ');
const number = 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format'.split(' ');

/** Patterns in normal form that match every text. */
const anything = new Set(['', '^', '$', '.*', '^.*', '.*$', '[^]*', '^[^]*$'].map(normalPattern));

/** Keywords that apply only to values of one type. */
const KEYWORDS_BY_TYPE: Record<string, string[]> = {
  string: text,
  number,
  integer: number,
  array: 'items prefixItems minItems maxItems uniqueItems contains minContains maxContains unevaluatedItems'.split(' '),
  object: [
    'properties required additionalProperties patternProperties minProperties maxProperties propertyNames',
    'dependentRequired dependentSchemas unevaluatedProperties',
  ]
    .join(' ')
    .split(' '),
};
const typed = new Set(Object.values(KEYWORDS_BY_TYPE).flat());

/** Rewrites a schema in place, except for its unions, so that equivalent spellings become equal. */
export function canonical(schema: JsonObject): JsonObject {
  for (const [keyword, value] of Object.entries(defaults)) if (schema[keyword] === value) delete schema[keyword];
  if (schema.not === true) return nothingElse(schema);
  canonicalText(schema);
  if (list(schema.prefixItems).every((one) => isDeepStrictEqual(one, schema.items))) delete schema.prefixItems;
  if (schema.required !== undefined) {
    const names = [...new Set(list(schema.required) as string[])].toSorted();
    if (names.length > 0) schema.required = names;
    else delete schema.required;
  }
  canonicalTypes(schema);
  canonicalEnum(schema);
  canonicalNumbers(schema);
  dropIdleKeywords(schema);
  return schema;
}

/** Makes a schema reject every value. */
function nothingElse(schema: JsonObject): JsonObject {
  for (const keyword of Object.keys(schema)) delete schema[keyword];
  schema.type = [];
  return schema;
}

function canonicalText(schema: JsonObject): void {
  if (typeof schema.pattern === 'string') {
    schema.pattern = normalPattern(schema.pattern);
    if (anything.has(schema.pattern)) delete schema.pattern;
  }
  // OpenAPI 3.0 uses formats where 3.1 has keywords.
  if (schema.format === 'byte' && schema.contentEncoding === undefined) {
    schema.contentEncoding = 'base64';
    delete schema.format;
  }
  const isBinary = schema.contentMediaType === 'application/octet-stream' && schema.contentEncoding === undefined;
  if (isBinary && schema.format === undefined && (schema.type ?? 'string') === 'string') {
    Object.assign(schema, { type: 'string', format: 'binary' });
    delete schema.contentMediaType;
  }
  for (const keyword of ['contentEncoding', 'contentMediaType'])
    if (typeof schema[keyword] === 'string') schema[keyword] = schema[keyword].toLowerCase();
}

export function listTypes(schema: JsonObject): string[] {
  return [schema.type ?? []].flat() as string[];
}

function setTypes(schema: JsonObject, types: string[]): void {
  const distinct = [...new Set(types)].toSorted();
  const kept = distinct.includes('number') ? distinct.filter((type) => type !== 'integer') : distinct;
  schema.type = kept.length === 1 ? kept[0]! : kept;
}

function canonicalTypes(schema: JsonObject): void {
  if (schema.type !== undefined) setTypes(schema, listTypes(schema));
}

/** Keeps only values of the declared types, and only the types of the values. Only the types state null. */
function canonicalEnum(schema: JsonObject): void {
  const given = 'const' in schema ? [schema.const!] : schema.enum;
  delete schema.const;
  if (!Array.isArray(given)) return;
  const declared = schema.type === undefined ? undefined : listTypes(schema);
  const values = given.filter((value) => value !== null || declared === undefined || declared.includes('null'));
  // A value of an undeclared type is a mistake, so the declared types cannot be derived from the values.
  const isConsistent = values.every((value) => declared === undefined || allows(declared, value));
  if (isConsistent) setTypes(schema, values.map(getType));
  else
    setTypes(
      schema,
      declared!.filter((type) => type !== 'null' || values.includes(null)),
    );
  const unique = new Map(values.filter((value) => value !== null).map((value) => [JSON.stringify(value), value]));
  const isEveryBoolean = unique.size === 2 && [...unique.values()].every((value) => typeof value === 'boolean');
  if (unique.size === 0 || isEveryBoolean) delete schema.enum;
  else schema.enum = [...unique].toSorted(([one], [other]) => one.localeCompare(other, 'en')).map(([, value]) => value);
}

function allows(types: string[], value: Json): boolean {
  const type = getType(value);
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function getType(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Rewrites bounds of whole numbers, where `> 0` is `>= 1`. A whole `multipleOf` makes numbers whole. */
function canonicalNumbers(schema: JsonObject): void {
  const { multipleOf } = schema;
  if (schema.type !== undefined && Number.isInteger(multipleOf))
    setTypes(
      schema,
      listTypes(schema).map((type) => (type === 'number' ? 'integer' : type)),
    );
  const types = listTypes(schema).filter((type) => type !== 'null');
  if (types.join() !== 'integer') return;
  if (typeof multipleOf === 'number' && Number.isInteger(1 / multipleOf)) delete schema.multipleOf;
  const { exclusiveMinimum: above, exclusiveMaximum: below, minimum, maximum } = schema;
  const lowest = [typeof minimum === 'number' ? Math.ceil(minimum) : -Infinity];
  const highest = [typeof maximum === 'number' ? Math.floor(maximum) : Infinity];
  if (typeof above === 'number') lowest.push(Math.floor(above) + 1);
  if (typeof below === 'number') highest.push(Math.ceil(below) - 1);
  if (typeof above === 'number' || typeof minimum === 'number') schema.minimum = Math.max(...lowest);
  if (typeof below === 'number' || typeof maximum === 'number') schema.maximum = Math.min(...highest);
  delete schema.exclusiveMinimum;
  delete schema.exclusiveMaximum;
}

/** Leaves out keywords of types that the schema does not allow. */
function dropIdleKeywords(schema: JsonObject): void {
  if (schema.type === undefined) return;
  const allowed = keywordsFor(listTypes(schema));
  for (const keyword of Object.keys(schema)) if (typed.has(keyword) && !allowed.has(keyword)) delete schema[keyword];
}

function keywordsFor(types: string[]): Set<string> {
  return new Set(types.flatMap((type) => (own(KEYWORDS_BY_TYPE, type) ?? []) as string[]));
}

/** Returns the part of a schema that applies to values of one of its types. */
export function ofType(schema: JsonObject, type: string): JsonObject {
  const allowed = keywordsFor([type]);
  const kept = Object.entries(schema).filter(([keyword]) => !typed.has(keyword) || allowed.has(keyword));
  const made: JsonObject = { ...Object.fromEntries(kept), type };
  if (Array.isArray(made.enum)) {
    made.enum = made.enum.filter((value) => allows([type], value));
    if (made.enum.length === 0) delete made.enum;
  }
  return made;
}
