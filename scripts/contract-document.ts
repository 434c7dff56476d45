export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const methods = ['get', 'put', 'post', 'delete', 'patch'];

/**
 * The document in which enumerations that may grow are closed: what this version of the service answers. To clients they
 * are text, with the values of today in `x-extensible-enum`, so that a new value breaks none.
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

/** What a reference within the document stands for; anything else as it is. */
export function resolve(document: JsonObject, value: Json): JsonObject {
  const { $ref } = object(value);
  if (typeof $ref !== 'string') return object(value);
  const steps = $ref.slice('#/'.length).split('/');
  return object(steps.reduce<Json | undefined>((found, step) => object(found)[step], document));
}

export function object(value: Json | undefined): JsonObject {
  return value && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The text that a value is; anything else is none. */
export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
