import { type Json, type JsonObject, list, object } from '../../contract-gate/src/index.ts';

/** Who may call an operation: `key`, and the kinds of sources. Empty for what needs neither. */
export function callersOf(document: JsonObject, operation: JsonObject): Json[] {
  return [...(keySchemesOf(document, operation).length > 0 ? ['key'] : []), ...list(operation['x-sources'])];
}

/** The schemes of an operation that take an API key: those of a bearer token. */
export function keySchemesOf(document: JsonObject, operation: JsonObject): string[] {
  const schemes = object(object(document.components).securitySchemes);
  const required = list(operation.security ?? document.security).flatMap((one) => Object.keys(object(one)));
  return required.filter((name) => object(schemes[name]).scheme === 'bearer');
}
