export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** An operation or a webhook of the document, with its place. */
export interface FoundOperation {
  /** The path, or the name of the webhook. */
  path: string;
  method: string;
  item: JsonObject;
  itemPointer: string;
  operation: JsonObject;
  isWebhook: boolean;
}

/** Returns every operation in the order of the document, then every webhook. */
export function operationsAndWebhooksIn(document: JsonObject): FoundOperation[] {
  return (['paths', 'webhooks'] as const).flatMap((kind) =>
    Object.entries(object(document[kind])).flatMap(([path, value]) => {
      const [item, itemPointer] = resolved(document, value, child('#', kind, path));
      const found = methods.filter((method) => method in item);
      const isWebhook = kind === 'webhooks';
      return found.map((method) => ({ path, method, item, itemPointer, operation: object(item[method]), isWebhook }));
    }),
  );
}

export function operationsIn(document: JsonObject): FoundOperation[] {
  return operationsAndWebhooksIn(document).filter(({ isWebhook }) => !isWebhook);
}

/** Returns the parameters of an operation and of its path. */
export function listParameters(document: JsonObject, found: FoundOperation): JsonObject[] {
  return listedParameters(document, found).map(({ parameter }) => parameter);
}

/** Returns the parameters with their pointers, and the pointers of their list entries, which can be references. */
export function listedParameters(document: JsonObject, { item, itemPointer, method, operation }: FoundOperation) {
  const holders = [[item, itemPointer] as const, [operation, child(itemPointer, method)] as const];
  return holders.flatMap(([holder, where]) =>
    list(holder.parameters).map((value, index) => {
      const listed = child(where, 'parameters', index);
      const [parameter, pointer] = resolved(document, value, listed);
      return { parameter, pointer, listed };
    }),
  );
}

/**
 * Returns the document with each `x-extensible-enum` as an `enum`. Clients must accept any text in such a field, so a
 * new value breaks nobody. This version of the service returns only the known values.
 */
export function closeExtensibleEnums<T extends Json>(node: T): T {
  if (Array.isArray(node)) return node.map(closeExtensibleEnums) as T;
  if (!node || typeof node !== 'object') return node;
  const entries = Object.entries(node).map(([key, child]) => [
    key === EXTENSIBLE ? 'enum' : key,
    closeExtensibleEnums(child),
  ]);
  return Object.fromEntries(entries) as T;
}

const EXTENSIBLE = 'x-extensible-enum';

/** Returns the target of a reference within the document, or any other object unchanged. */
export function resolve(document: JsonObject, value: Json | undefined): JsonObject {
  return resolved(document, value)[0];
}

export function object(value: Json | undefined): JsonObject {
  return value && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a string unchanged, and '' for any other value. */
export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Splits a pointer: `#/paths/~1learners/get` into `paths`, `/learners`, `get`. */
export function splitPointer(pointer: string): string[] {
  return pointer
    .replace(/^#\/?/, '')
    .split('/')
    .filter((step) => step !== '')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function child(pointer: string, ...steps: (string | number)[]): string {
  return steps.reduce<string>((where, step) => `${where}/${escapedStep(String(step))}`, pointer);
}

function escapedStep(step: string): string {
  return /[~/]/.test(step) ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step;
}

export function at(document: Json, pointer: string): Json | undefined {
  return splitPointer(pointer).reduce<Json | undefined>((found, step) => own(found, step), document);
}

/** Returns a member of an object or a list; undefined for inherited members, such as `constructor`. */
export function own(holder: Json | undefined, name: string): Json | undefined {
  if (!holder || typeof holder !== 'object' || !Object.hasOwn(holder, name)) return undefined;
  return (holder as JsonObject)[name];
}

/** Returns the pointer of a reference, which is a URI and can have encoded characters, such as braces. */
export function resolvePointer(document: Json, reference: string): string {
  if (!reference.includes('%') || at(document, reference) !== undefined) return reference;
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

/** Returns the pointer, or its nearest ancestor that exists in the document. */
export function standing(document: Json, pointer: string): string {
  let found = pointer;
  while (at(document, found) === undefined) found = found.slice(0, found.lastIndexOf('/'));
  return found;
}

/** Follows any number of references. Returns the target and its pointer. */
export function resolved(document: JsonObject, value: Json | undefined, pointer = '#'): [JsonObject, string] {
  const seen = new Set<string>();
  let [found, where] = [object(value), pointer];
  while (typeof found.$ref === 'string' && !seen.has(found.$ref)) {
    seen.add(found.$ref);
    where = resolvePointer(document, found.$ref);
    found = object(at(document, where));
  }
  return [found, where];
}
