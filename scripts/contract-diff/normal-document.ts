import {
  child,
  type FoundOperation,
  type Json,
  type JsonObject,
  list,
  object,
  operationsAndWebhooksIn,
  standing,
  stepsOf,
} from './contract-document.ts';
import { type Making, normalHeader, normalOperation, normalResponse } from './normal-operation.ts';
import { mark, normalNullable, normalSchema } from './normal-schema.ts';
import { normalWebhook } from './normal-webhook.ts';

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
  isWebhook: boolean;
}

/**
 * Makes explicit what every operation inherits (security, parameters of its path), says defaults by silence, takes out words
 * and examples, and names parameters and paths by what they are, so that a comparison sees meaning alone.
 */
export function normalForm(source: JsonObject): NormalForm {
  const making: Making = { source, pointers: new WeakMap(), nullable: new Set(), writtenOut: [], parameters: {} };
  const operations = new Map<string, NormalOperation>();
  const paths: JsonObject = {};
  for (const found of operationsAndWebhooksIn(source)) {
    const { path, method, itemPointer, operation, isWebhook } = found;
    const key = keyOf(found);
    const normal = isWebhook ? normalWebhook(making, found) : normalOperation(making, found, `${method} ${key}`);
    const pointer = child(itemPointer, method);
    operations.set(`${method} ${key}`, {
      label: labelOf(found),
      path,
      method,
      pointer,
      source: operation,
      normal,
      isWebhook,
    });
    paths[key] = mark(making, { ...object(paths[key]), [method]: normal }, itemPointer);
  }
  const document: JsonObject = {
    openapi: source.openapi ?? '',
    info: { title: '', version: '' },
    ...(source.servers !== undefined && {
      servers: list(source.servers).map((server) => without(server, 'description')),
    }),
    paths,
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

/** A path without the names of its parameters; a webhook stands beside the paths, under a name that none of them has. */
function keyOf({ path, isWebhook }: FoundOperation): string {
  return isWebhook ? `/ webhook ${path}` : path.replaceAll(/\{[^}]*\}/g, '{}');
}

export function labelOf({ method, path, operation, isWebhook }: FoundOperation): string {
  const { operationId } = operation;
  const where = isWebhook ? `webhook ${path}` : path;
  return `${method.toUpperCase()} ${where}${typeof operationId === 'string' ? ` (${operationId})` : ''}`;
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
