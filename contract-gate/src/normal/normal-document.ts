import {
  at,
  child,
  type FoundOperation,
  type Json,
  type JsonObject,
  object,
  operationsAndWebhooksIn,
  resolved,
  text,
} from '../document.ts';
import { type Making, normalHeader, normalOperation, normalResponse } from './normal-operation.ts';
import { normalNullable, normalSchema } from './normal-schema.ts';
import { listAnchors, mark } from './origins.ts';
import { normalWebhook } from './normal-webhook.ts';

/** A contract in normal form. Documents with the same meaning have the same normal form. */
export interface NormalForm {
  source: JsonObject;
  /** The components that operations refer to. */
  document: { components: Record<string, JsonObject> };
  /** Operations by method and path, without the names of path parameters. */
  operations: Map<string, NormalOperation>;
  /** Returns the pointer in the source of a node of the normal form. */
  originOf: (made: object) => string;
  /** Returns the schemas of the source with an anchor of that name. */
  anchored: (name: string) => Json[];
  /** Returns `made`, marked with the origin of the node that it was derived from. */
  derive: <T extends object>(made: T, original: object) => T;
}

export interface NormalOperation {
  label: string;
  path: string;
  method: string;
  pointer: string;
  source: JsonObject;
  /** The parameters, body and responses in normal form. */
  normal: JsonObject;
  isWebhook: boolean;
}

/**
 * Builds the normal form. It gives every operation the parameters of its path, leaves out defaults, descriptions and
 * examples, and replaces the names of path parameters, so that only differences in meaning remain.
 */
export function normalForm(source: JsonObject, hasXml = speaksXml(source)): NormalForm {
  const making: Making = {
    source,
    pointers: new WeakMap(),
    is30: text(source.openapi).startsWith('3.0'),
    hasXml,
    targets: new Set(),
    nullable: new Set(),
    made: new Map(),
    cycles: 0,
    writtenOut: [],
    parameters: {},
  };
  const operations = new Map<string, NormalOperation>();
  for (const found of operationsAndWebhooksIn(source)) {
    const { path, method, itemPointer, operation, isWebhook } = found;
    const key = `${method} ${getKey(found)}`;
    const normal = isWebhook ? normalWebhook(making, found) : normalOperation(making, found, key);
    const pointer = child(itemPointer, method);
    operations.set(key, { label: formatLabel(found), path, method, pointer, source: operation, normal, isWebhook });
  }
  const document = { components: normalComponents(making) };
  const originOf = (made: object) => making.pointers.get(made) ?? '#';
  const anchored = (name: string) =>
    (listAnchors(making).get(name) ?? []).map((pointer) => at(source, pointer) ?? null);
  const derive = <T extends object>(made: T, original: object) => mark(making, made, originOf(original));
  return { source, document, operations, originOf, anchored, derive };
}

/** Reports whether any body is sent or received as XML. */
export function speaksXml(source: JsonObject): boolean {
  return operationsAndWebhooksIn(source).some(({ operation }) =>
    [operation.requestBody, ...Object.values(object(operation.responses))].some((body) =>
      Object.keys(object(resolved(source, body)[0].content)).some((type) => /[/+]xml\b/i.test(type)),
    ),
  );
}

/** Returns the operations and webhooks that both sides have, with their key in `operations`. */
export function operationsOnBothSides(base: NormalForm, head: NormalForm) {
  return [...base.operations].flatMap(([key, before]) => {
    const after = head.operations.get(key);
    return after ? [{ key, before, after }] : [];
  });
}

/** Returns the path without the names of its parameters, or for a webhook a key that no path can have. */
function getKey({ path, isWebhook }: FoundOperation): string {
  return isWebhook ? `/ webhook ${path}` : path.replaceAll(/\{[^}]*\}/g, '{}');
}

export function formatLabel({ method, path, operation, isWebhook }: FoundOperation): string {
  const { operationId } = operation;
  const where = isWebhook ? `webhook ${path}` : path;
  return `${method.toUpperCase()} ${where}${typeof operationId === 'string' ? ` (${operationId})` : ''}`;
}

function normalComponents(making: Making): Record<string, JsonObject> {
  const components = object(making.source.components);
  const each = (kind: string, normal: (making: Making, value: Json, pointer: string) => Json) =>
    Object.fromEntries(
      Object.entries(object(components[kind])).map(([name, value]) => [
        name,
        normal(making, value, child('#/components', kind, name)),
      ]),
    );
  const schemas = each('schemas', normalSchema);
  const headers = each('headers', normalHeader);
  const responses = each('responses', normalResponse);
  const [targets, nullable]: [JsonObject, JsonObject] = [{}, {}];
  const hasNew = () =>
    fill(targets, making.targets, (pointer) => normalSchema(making, at(making.source, pointer), pointer)) ||
    fill(nullable, making.nullable, (pointer) => normalNullable(making, pointer));
  // A schema can refer to schemas whose normal forms do not exist yet.
  while (hasNew());
  return { headers, responses, parameters: making.parameters, schemas, targets, nullable };
}

/** Builds missing normal forms. Reports whether any was missing. */
function fill(made: JsonObject, pointers: Set<string>, normal: (pointer: string) => Json): boolean {
  const missing = [...pointers].filter((pointer) => !Object.hasOwn(made, pointer));
  for (const pointer of missing) made[pointer] = normal(pointer);
  return missing.length > 0;
}
