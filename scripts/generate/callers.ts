import { type Json, type JsonObject, list, object } from '../../contract-gate/src/index.ts';

/** Who may call an operation: `key`, and the kinds of sources. Empty for what needs neither. */
export function callersOf(document: JsonObject, operation: JsonObject): Json[] {
  const schemes = list(operation.security ?? document.security).flatMap((one) => Object.keys(object(one)));
  return [...(schemes.includes('apiKey') ? ['key'] : []), ...list(operation['x-sources'])];
}
