import { type Json, type JsonObject, list, object } from '../../contract-gate/src/index.ts';

/** Returns the callers of an operation: `key` and kinds of sources. Empty if it needs no credentials. */
export function listCallers(document: JsonObject, operation: JsonObject): Json[] {
  return [...(listKeySchemes(document, operation).length > 0 ? ['key'] : []), ...list(operation['x-sources'])];
}

/** Returns the security schemes of an operation that accept an API key, which is a bearer token. */
export function listKeySchemes(document: JsonObject, operation: JsonObject): string[] {
  const schemes = object(object(document.components).securitySchemes);
  const required = list(operation.security ?? document.security).flatMap((one) => Object.keys(object(one)));
  return required.filter((name) => object(schemes[name]).scheme === 'bearer');
}
