import { CommandError } from '../../src/commands/command.ts';
import { type Json, type JsonObject, object, resolve, text } from '../../contract-gate/src/index.ts';

/**
 * Returns the list that an operation also returns as CSV: the field of `data` that holds it, empty if `data` is the
 * list, and the names of the CSV columns. If `data` has several lists, `x-mcp.rows` names it. Null for an operation
 * without CSV. @throws if the response has no list, or if it has several and `x-mcp.rows` names none of them
 */
export function describeList(document: JsonObject, operation: JsonObject): Json {
  const content = object(object(object(operation.responses)['200']).content);
  if (!('text/csv' in content)) return null;
  const answer = resolve(document, object(content['application/json']).schema);
  const data = resolve(document, object(answer.properties).data);
  if (data.type === 'array') return { rows: '', columns: listColumns(document, data.items) };
  const all = Object.entries(object(data.properties)).filter(([, one]) =>
    [resolve(document, one).type].flat().includes('array'),
  );
  const { rows: named } = object(operation['x-mcp']);
  const lists = all.length > 1 ? all.filter(([name]) => name === named) : all;
  if (lists.length !== 1)
    throw new CommandError(`${text(operation.operationId)} offers CSV, so its data needs one list, or x-mcp.rows`);
  const [[rows, list]] = lists as [[string, Json]];
  return { rows, columns: listColumns(document, resolve(document, list).items) };
}

/** Returns the fields of an object in the order of its schema. A nested object is replaced by its own fields. */
function listColumns(document: JsonObject, schema: Json | undefined): string[] {
  return Object.entries(object(resolveSchema(document, schema).properties)).flatMap(([name, field]) => {
    const inside = listColumns(document, field);
    return inside.length > 0 ? inside.map((column) => `${name}.${column}`) : [name];
  });
}

/** Returns a schema, or the other variant of a `oneOf` with null. */
function resolveSchema(document: JsonObject, schema: Json | undefined): JsonObject {
  const found = resolve(document, schema);
  const [one] = (Array.isArray(found.oneOf) ? found.oneOf : []).filter((each) => object(each).type !== 'null');
  return one === undefined ? found : resolve(document, one);
}
