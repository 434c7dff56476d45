import {
  type FoundOperation,
  type Json,
  type JsonObject,
  child,
  listedParameters,
  object,
  resolvePointer,
  resolved,
  splitPointer,
  text,
} from '../document.ts';
import { type ObjectKind, unjudgedKeywords } from '../keywords.ts';
import { normalEncoding } from './normal-encoding.ts';
import { normalSchema } from './normal-schema.ts';
import { mark, type Origins } from './origins.ts';

export interface Making extends Origins {
  parameters: JsonObject;
}

/** @param key the prefix that the operation gives to the names of its parameters */
export function normalOperation(making: Making, found: FoundOperation, key: string): JsonObject {
  const { itemPointer, method, operation } = found;
  const pointer = child(itemPointer, method);
  const made: JsonObject = { parameters: normalizeParameters(making, found, key) };
  if (operation.requestBody !== undefined) {
    const [body, where] = resolved(making.source, operation.requestBody, child(pointer, 'requestBody'));
    const content = normalContent(making, body.content, child(where, 'content'));
    made.requestBody = mark(
      making,
      { required: body.required === true, content, ...selectUnjudged('RequestBody', body) },
      where,
    );
  }
  const answers = Object.entries(object(operation.responses)).flatMap(([status, answer]) =>
    status.startsWith('x-')
      ? []
      : [[status.replace(/xx$/i, 'XX'), normalResponse(making, answer, child(pointer, 'responses', status))] as const],
  );
  made.responses = Object.fromEntries(answers);
  return mark(making, made, pointer);
}

/** Returns the keywords of an object that no rule judges, so that their changes are reported. */
export function selectUnjudged(kind: ObjectKind, holder: JsonObject): JsonObject {
  const keywords = unjudgedKeywords(kind, holder);
  if (keywords.length === 0) return {};
  return { unjudged: Object.fromEntries(keywords.map((keyword) => [keyword, holder[keyword]!])) };
}

/** Parameters that OpenAPI ignores, because it describes these headers elsewhere. */
const ignoredParameters = new Set(['header accept', 'header content-type', 'header authorization']);

/** Returns references to an operation's parameters, by place and name. */
function normalizeParameters(making: Making, found: FoundOperation, key: string): JsonObject {
  const references: JsonObject = {};
  const pathNames = [...found.itemPointer.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  for (const { parameter, pointer, listed } of listedParameters(making.source, found)) {
    const name = getName(parameter, pathNames);
    if (ignoredParameters.has(name)) continue;
    making.parameters[`${key} ${name}`] = normalParameter(making, parameter, pointer);
    references[name] = mark(making, { $ref: child('#/components/parameters', `${key} ${name}`) }, listed);
  }
  return references;
}

function getName({ name, in: place }: JsonObject, pathNames: (string | undefined)[]): string {
  if (place === 'path' && pathNames.includes(text(name))) return `path ${pathNames.indexOf(text(name))}`;
  return `${text(place)} ${place === 'header' ? text(name).toLowerCase() : text(name)}`;
}

function normalParameter(making: Making, parameter: JsonObject, pointer: string): JsonObject {
  const { name, in: place } = parameter;
  const style = parameter.style ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  const made: JsonObject = {
    name: name ?? '',
    in: place ?? '',
    required: parameter.required === true,
    style,
    explode: parameter.explode ?? style === 'form',
    allowReserved: parameter.allowReserved === true,
    allowEmptyValue: parameter.allowEmptyValue === true,
    ...selectUnjudged('Parameter', parameter),
  };
  return mark(making, { ...made, ...schemaOrContent(making, parameter, pointer) }, pointer);
}

function schemaOrContent(making: Making, holder: JsonObject, pointer: string): JsonObject {
  if (holder.content !== undefined)
    return { content: normalContent(making, holder.content, child(pointer, 'content')) };
  return { schema: normalSchema(making, holder.schema, child(pointer, 'schema')) };
}

export function normalContent(making: Making, content: Json | undefined, pointer: string): JsonObject {
  const made = Object.entries(object(content)).map(([type, value]) => {
    const [media, where] = resolved(making.source, value, child(pointer, type));
    const { schema, encoding } = media;
    const normal: JsonObject = {
      schema: normalSchema(making, schema, child(where, 'schema')),
      encoding: normalEncodings(making, encoding, child(where, 'encoding')),
      ...selectUnjudged('MediaType', media),
    };
    return [normalType(type), mark(making, normal, where)] as const;
  });
  return Object.fromEntries(made);
}

function normalEncodings(making: Making, encoding: Json | undefined, pointer: string): JsonObject {
  const made = Object.entries(object(encoding)).map(([part, value]) => {
    const where = child(pointer, part);
    const headers = normalHeaders(making, object(value).headers, child(where, 'headers'));
    const normal = { ...normalEncoding(object(value)), headers, ...selectUnjudged('Encoding', object(value)) };
    return [part, mark(making, normal, where)] as const;
  });
  return Object.fromEntries(made);
}

/** Removes the charset UTF-8 from a content type, because JSON and text are UTF-8 by default. */
function normalType(type: string): string {
  return type.toLowerCase().replace(/\s*;\s*charset="?utf-8"?/, '');
}

export function normalResponse(making: Making, value: Json | undefined, pointer: string): JsonObject {
  const response = object(value);
  if (typeof response.$ref === 'string') return referred(making, 'responses', response, pointer, normalResponse);
  const made: JsonObject = {
    headers: normalHeaders(making, response.headers, child(pointer, 'headers')),
    content: normalContent(making, response.content, child(pointer, 'content')),
    ...selectUnjudged('Response', response),
  };
  return mark(making, made, pointer);
}

function normalHeaders(making: Making, headers: Json | undefined, pointer: string): JsonObject {
  const made = Object.entries(object(headers)).map(
    ([name, header]) => [name.toLowerCase(), normalHeader(making, header, child(pointer, name))] as const,
  );
  return Object.fromEntries(made.filter(([name]) => name !== 'content-type'));
}

export function normalHeader(making: Making, value: Json | undefined, pointer: string): JsonObject {
  const header = object(value);
  if (typeof header.$ref === 'string') return referred(making, 'headers', header, pointer, normalHeader);
  const made: JsonObject = {
    required: header.required === true,
    explode: header.explode === true,
    ...selectUnjudged('Header', header),
  };
  return mark(making, { ...made, ...schemaOrContent(making, header, pointer) }, pointer);
}

type Normal = (making: Making, value: Json | undefined, pointer: string) => JsonObject;

/** Keeps a reference to a component, and replaces any other reference with its target. */
function referred(making: Making, kind: string, holder: JsonObject, pointer: string, normal: Normal): JsonObject {
  const reference = resolvePointer(making.source, text(holder.$ref));
  const [components, found, ...steps] = splitPointer(reference);
  if (components === 'components' && found === kind && steps.length === 1)
    return mark(making, { $ref: reference }, pointer);
  const [target, where] = resolved(making.source, holder, pointer);
  return normal(making, target.$ref === undefined ? target : {}, where);
}
