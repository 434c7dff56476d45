import { type Json, type JsonObject, list, object, resolve } from '../../contract-gate/src/index.ts';

/** Reports whether the `data` of an operation's 200 response has a secret, which is shown only once. */
export function answersSecret(document: JsonObject, operation: JsonObject): boolean {
  const response = resolve(document, object(operation.responses)['200'] ?? null);
  const { schema = null } = object(object(response.content)['application/json']);
  const { data = null } = propertiesOf(document, schema);
  return 'secret' in propertiesOf(document, data);
}

function propertiesOf(document: JsonObject, part: Json): JsonObject {
  const schema = resolve(document, part);
  const parts = list(schema.allOf).map((one) => propertiesOf(document, one));
  return Object.assign({}, ...parts, object(schema.properties)) as JsonObject;
}
