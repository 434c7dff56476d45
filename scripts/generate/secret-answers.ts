import { type Json, type JsonObject, list, object, resolve } from '../../contract-gate/src/index.ts';

/** Reports whether the `data` of an operation's 200 response has a secret, which is shown only once. */
export function answersSecret(document: JsonObject, operation: JsonObject): boolean {
  const response = resolve(document, object(operation.responses)['200'] ?? null);
  const { schema = null } = object(object(response.content)['application/json']);
  const { data = null } = getProperties(document, schema);
  return 'secret' in getProperties(document, data);
}

/**
 * Reports whether the service can compress the responses of an operation: it only reads, and no field of its response
 * is a secret. `src/http/response/compression.ts` has the reasons.
 */
export function isCompressible(document: JsonObject, operation: JsonObject): boolean {
  const response = resolve(document, object(operation.responses)['200'] ?? null);
  return object(operation['x-mcp']).cluster === 'read' && !hasSecret(document, response, new Set());
}

/** Names of fields that hold a secret. */
const SECRET = /secret$|password|token$/i;

function hasSecret(document: JsonObject, part: Json, visited: Set<Json>): boolean {
  const schema = resolve(document, part);
  if (visited.has(schema)) return false;
  visited.add(schema);
  const properties = Object.entries(object(schema.properties));
  const isNamed = ([name, field]: [string, Json]) => SECRET.test(name) && resolve(document, field).type !== 'boolean';
  return properties.some(isNamed) || Object.values(schema).some((value) => isPart(value) && hasSecretIn(value));

  function hasSecretIn(value: Json): boolean {
    if (Array.isArray(value)) return value.some(hasSecretIn);
    return isPart(value) && hasSecret(document, value, visited);
  }
}

function isPart(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

function getProperties(document: JsonObject, part: Json): JsonObject {
  const schema = resolve(document, part);
  const parts = list(schema.allOf).map((one) => getProperties(document, one));
  return Object.assign({}, ...parts, object(schema.properties)) as JsonObject;
}
