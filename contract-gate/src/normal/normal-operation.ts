import {
  type FoundOperation,
  type Json,
  type JsonObject,
  child,
  listedParameters,
  object,
  resolved,
  text,
} from '../document.ts';
import { mark, normalSchema, type Origins } from './normal-schema.ts';

export interface Making extends Origins {
  parameters: JsonObject;
}

/** @param key the operation's part of its parameters' names */
export function normalOperation(making: Making, found: FoundOperation, key: string): JsonObject {
  const { itemPointer, method, operation } = found;
  const pointer = child(itemPointer, method);
  const made: JsonObject = { parameters: parametersOf(making, found, key) };
  if (operation.requestBody !== undefined) {
    const [body, where] = resolved(making.source, operation.requestBody, child(pointer, 'requestBody'));
    const content = normalContent(making, body.content, child(where, 'content'));
    made.requestBody = mark(making, { required: body.required === true, content }, where);
  }
  const answers = Object.entries(object(operation.responses)).map(
    ([status, answer]) => [status, normalResponse(making, answer, child(pointer, 'responses', status))] as const,
  );
  made.responses = Object.fromEntries(answers);
  return mark(making, made, pointer);
}

/** References to its parameters, by place and name. */
function parametersOf(making: Making, found: FoundOperation, key: string): JsonObject {
  const references: JsonObject = {};
  const pathNames = [...found.itemPointer.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  for (const { parameter, pointer, listed } of listedParameters(making.source, found)) {
    const name = nameOf(parameter, pathNames);
    making.parameters[`${key} ${name}`] = normalParameter(making, parameter, pointer);
    references[name] = mark(making, { $ref: child('#/components/parameters', `${key} ${name}`) }, listed);
  }
  return references;
}

function nameOf({ name, in: place }: JsonObject, pathNames: (string | undefined)[]): string {
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
      ...(encoding !== undefined && { encoding: structuredClone(encoding) }),
    };
    return [normalType(type), mark(making, normal, where)] as const;
  });
  return Object.fromEntries(made);
}

/** JSON and text are UTF-8 where nothing is said. */
function normalType(type: string): string {
  return type.toLowerCase().replace(/\s*;\s*charset="?utf-8"?/, '');
}

export function normalResponse(making: Making, value: Json | undefined, pointer: string): JsonObject {
  const response = object(value);
  if (typeof response.$ref === 'string') return mark(making, { $ref: response.$ref }, pointer);
  const made: JsonObject = {};
  if (response.headers !== undefined) {
    const where = child(pointer, 'headers');
    const headers = Object.entries(object(response.headers)).map(
      ([name, header]) => [name.toLowerCase(), normalHeader(making, header, child(where, name))] as const,
    );
    made.headers = Object.fromEntries(headers);
  }
  made.content = normalContent(making, response.content, child(pointer, 'content'));
  return mark(making, made, pointer);
}

export function normalHeader(making: Making, value: Json | undefined, pointer: string): JsonObject {
  const header = object(value);
  if (typeof header.$ref === 'string') return mark(making, { $ref: header.$ref }, pointer);
  const made: JsonObject = { required: header.required === true, explode: header.explode === true };
  return mark(making, { ...made, ...schemaOrContent(making, header, pointer) }, pointer);
}
