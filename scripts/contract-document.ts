export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const methods = ['get', 'put', 'post', 'delete', 'patch'];

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
