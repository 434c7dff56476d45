export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** An operation of the document, or one of its webhooks, and where it stands. */
export interface FoundOperation {
  /** The path, or the name of the webhook. */
  path: string;
  method: string;
  item: JsonObject;
  itemPointer: string;
  operation: JsonObject;
  isWebhook: boolean;
}

/** Every operation in the order of the document, and then every webhook. */
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

/** The parameters of an operation and those of its path. */
export function parametersOf(document: JsonObject, found: FoundOperation): JsonObject[] {
  return listedParameters(document, found).map(({ parameter }) => parameter);
}

/** The same, each with its pointer, and with the place in the list, which may be a reference. */
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
 * The document with `x-extensible-enum` as `enum`. To clients such a value is any text, so that a new value breaks nobody;
 * this version of the service answers only the known ones.
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

/** The target of a reference within the document; any other value as it is. */
export function resolve(document: JsonObject, value: Json | undefined): JsonObject {
  return resolved(document, value)[0];
}

export function object(value: Json | undefined): JsonObject {
  return value && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** A string as it is, and '' for any other value. */
export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** `#/paths/~1learners/get` as its steps: `paths`, `/learners`, `get`. */
export function stepsOf(pointer: string): string[] {
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
  return stepsOf(pointer).reduce<Json | undefined>((found, step) => own(found, step), document);
}

/** A member of an object or a list; undefined for what is only inherited, such as `constructor`. */
export function own(holder: Json | undefined, name: string): Json | undefined {
  if (!holder || typeof holder !== 'object' || !Object.hasOwn(holder, name)) return undefined;
  return (holder as JsonObject)[name];
}

/** The pointer of a reference within the document: references are URIs, whose braces and the like may be encoded. */
export function pointerOf(document: Json, reference: string): string {
  if (!reference.includes('%') || at(document, reference) !== undefined) return reference;
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

/** The pointer, or its nearest ancestor that the document has. */
export function standing(document: Json, pointer: string): string {
  let found = pointer;
  while (at(document, found) === undefined) found = found.slice(0, found.lastIndexOf('/'));
  return found;
}

/** The target of a value, through any number of references, and its pointer. */
export function resolved(document: JsonObject, value: Json | undefined, pointer = '#'): [JsonObject, string] {
  const seen = new Set<string>();
  let [found, where] = [object(value), pointer];
  while (typeof found.$ref === 'string' && !seen.has(found.$ref)) {
    seen.add(found.$ref);
    where = pointerOf(document, found.$ref);
    found = object(at(document, where));
  }
  return [found, where];
}
