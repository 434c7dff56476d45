import { type Json, type JsonObject, list, object, text } from '../contract-document.ts';
import { mark, normalNullable, normalSchema, type Origins } from './normal-schema.ts';
import { child, resolved, standing, stepsOf } from './pointers.ts';

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** A contract in the one form that its meaning has, and the way back to what its authors wrote. */
export interface NormalForm {
  source: JsonObject;
  document: JsonObject;
  /** By method and path without the names of its parameters. */
  operations: Map<string, NormalOperation>;
  /** Where in the source that stands which the pointer finds in the normal form. */
  original: (pointer: string) => string;
  originOf: (made: object) => string;
  /** Says of a value, and of all that it holds, where it comes from. */
  comesFrom: (made: Json, pointer: string) => void;
}

export interface NormalOperation {
  label: string;
  path: string;
  method: string;
  pointer: string;
  source: JsonObject;
  normal: JsonObject;
}

interface Making extends Origins {
  parameters: JsonObject;
}

/**
 * Makes explicit what every operation inherits (security, parameters of its path), says defaults by silence, takes out words
 * and examples, and names parameters and paths by what they are, so that a comparison sees meaning alone.
 */
export function normalForm(source: JsonObject): NormalForm {
  const making: Making = { source, pointers: new WeakMap(), nullable: new Set(), writtenOut: [], parameters: {} };
  const operations = new Map<string, NormalOperation>();
  const paths: JsonObject = {};
  for (const [path, value] of Object.entries(object(source.paths))) {
    const [item, pointer] = resolved(source, value, child('#/paths', path));
    const key = path.replaceAll(/\{[^}]*\}/g, '{}');
    const made = methods
      .filter((method) => method in item)
      .map((method) => {
        const normal = normalOperation(making, item, pointer, method, `${method} ${key}`);
        const label = labelOf(method, path, object(item[method]));
        const operation = {
          label,
          path,
          method,
          pointer: child(pointer, method),
          source: object(item[method]),
          normal,
        };
        operations.set(`${method} ${key}`, operation);
        return [method, normal] as const;
      });
    paths[key] = mark(making, Object.fromEntries(made), pointer);
  }
  const document: JsonObject = {
    openapi: source.openapi ?? '',
    info: { title: '', version: '' },
    ...(source.servers !== undefined && {
      servers: list(source.servers).map((server) => without(server, 'description')),
    }),
    paths,
    ...(source.webhooks !== undefined && { webhooks: structuredClone(source.webhooks) }),
    components: normalComponents(making, operations),
  };
  const original = (pointer: string) => originalPointer(making, document, pointer);
  const comesFrom = (made: Json, pointer: string): void => {
    if (!made || typeof made !== 'object') return;
    mark(making, made, pointer);
    for (const part of Object.values(made)) comesFrom(part, pointer);
  };
  return { source, document, operations, original, originOf: (made) => making.pointers.get(made) ?? '#', comesFrom };
}

export function labelOf(method: string, path: string, operation: JsonObject): string {
  const { operationId } = operation;
  return `${method.toUpperCase()} ${path}${typeof operationId === 'string' ? ` (${operationId})` : ''}`;
}

function normalOperation(
  making: Making,
  item: JsonObject,
  itemPointer: string,
  method: string,
  key: string,
): JsonObject {
  const { source } = making;
  const operation = object(item[method]);
  const pointer = child(itemPointer, method);
  const made: JsonObject = { security: structuredClone(operation.security ?? source.security ?? []) };
  if (operation.operationId !== undefined) made.operationId = operation.operationId;
  made.parameters = parametersOf(making, item, itemPointer, pointer, operation, key);
  if (operation.requestBody !== undefined) {
    const [body, where] = resolved(source, operation.requestBody, child(pointer, 'requestBody'));
    const content = normalContent(making, body.content, child(where, 'content'));
    made.requestBody = mark(making, { required: body.required === true, content }, where);
  }
  const responses = child(pointer, 'responses');
  const answers = Object.entries(object(operation.responses)).map(
    ([status, answer]) => [status, normalResponse(making, answer, child(responses, status))] as const,
  );
  made.responses = mark(making, Object.fromEntries(answers), responses);
  if (operation.servers !== undefined) made.servers = structuredClone(operation.servers);
  if (operation.callbacks !== undefined) made.callbacks = structuredClone(operation.callbacks);
  return mark(making, made, pointer);
}

/** Each parameter under a name that says which one it is; what differs between two lists is then what differs in meaning. */
function parametersOf(
  making: Making,
  item: JsonObject,
  itemPointer: string,
  pointer: string,
  operation: JsonObject,
  key: string,
): Json {
  const byName = new Map<string, JsonObject>();
  const levels = [
    { parameters: list(item.parameters), where: itemPointer },
    { parameters: list(operation.parameters), where: pointer },
  ];
  const names = [
    ...stepsOf(itemPointer)
      .join('')
      .matchAll(/\{([^}]*)\}/g),
  ].map(([, name]) => name);
  for (const { parameters, where } of levels)
    for (const [index, value] of parameters.entries()) {
      const listed = child(where, 'parameters', index);
      const [parameter, found] = resolved(making.source, value, listed);
      const name = nameOf(parameter, names);
      making.parameters[`${key} ${name}`] = normalParameter(making, parameter, found);
      byName.set(name, mark(making, { $ref: child('#/components/parameters', `${key} ${name}`) }, listed));
    }
  return mark(making, [...byName.values()], child(pointer, 'parameters'));
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

function normalContent(making: Making, content: Json | undefined, pointer: string): JsonObject {
  const made = Object.entries(object(content)).map(([type, value]) => {
    const [media, where] = resolved(making.source, value, child(pointer, type));
    const { schema, encoding } = media;
    const normal: JsonObject = {
      schema: normalSchema(making, schema, child(where, 'schema')),
      ...(encoding !== undefined && { encoding: structuredClone(encoding) }),
    };
    return [type.toLowerCase(), mark(making, normal, where)] as const;
  });
  return mark(making, Object.fromEntries(made), pointer);
}

function normalResponse(making: Making, value: Json | undefined, pointer: string): JsonObject {
  const response = object(value);
  if (typeof response.$ref === 'string') return mark(making, { $ref: response.$ref }, pointer);
  const made: JsonObject = { description: '' };
  if (response.headers !== undefined) {
    const where = child(pointer, 'headers');
    const headers = Object.entries(object(response.headers)).map(
      ([name, header]) => [name.toLowerCase(), normalHeader(making, header, child(where, name))] as const,
    );
    made.headers = mark(making, Object.fromEntries(headers), where);
  }
  made.content = normalContent(making, response.content, child(pointer, 'content'));
  return mark(making, made, pointer);
}

function normalHeader(making: Making, value: Json | undefined, pointer: string): JsonObject {
  const header = object(value);
  if (typeof header.$ref === 'string') return mark(making, { $ref: header.$ref }, pointer);
  const made: JsonObject = { required: header.required === true, explode: header.explode === true };
  return mark(making, { ...made, ...schemaOrContent(making, header, pointer) }, pointer);
}

function normalComponents(making: Making, operations: NormalForm['operations']): JsonObject {
  const components = object(making.source.components);
  const each = (kind: string, normal: (value: Json, pointer: string) => Json) =>
    Object.fromEntries(
      Object.entries(object(components[kind])).map(([name, value]) => [
        name,
        normal(value, child('#/components', kind, name)),
      ]),
    );
  const schemas = each('schemas', (value, pointer) => normalSchema(making, value, pointer));
  const made: JsonObject = {
    securitySchemes: usedSchemes(
      operations,
      each('securitySchemes', (value, pointer) => mark(making, without(value, 'description', 'bearerFormat'), pointer)),
    ),
    headers: each('headers', (value, pointer) => normalHeader(making, value, pointer)),
    responses: each('responses', (value, pointer) => normalResponse(making, value, pointer)),
    parameters: making.parameters,
    schemas,
  };
  // A set visits what is added to it on the way, so that a nullable component may hold another.
  for (const name of making.nullable) schemas[`${name}.or-null`] = normalNullable(making, name);
  return made;
}

function usedSchemes(operations: NormalForm['operations'], schemes: JsonObject): JsonObject {
  const used = new Set(
    [...operations.values()].flatMap(({ normal }) => list(normal.security).flatMap((one) => Object.keys(object(one)))),
  );
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => used.has(name)));
}

function without(value: Json, ...names: string[]): JsonObject {
  return Object.fromEntries(Object.entries(structuredClone(object(value))).filter(([name]) => !names.includes(name)));
}

function originalPointer(making: Making, document: JsonObject, pointer: string): string {
  let [found, origin] = [document as Json | undefined, '#'];
  for (const step of stepsOf(pointer)) {
    found = found && typeof found === 'object' ? (found as JsonObject)[step] : undefined;
    const marked = found && typeof found === 'object' ? making.pointers.get(found) : undefined;
    origin = marked ?? child(origin, step);
  }
  return standing(making.source, origin);
}
