import { type Json, type JsonObject, object, resolve } from '../contract-diff/contract-document.ts';

/**
 * What of an answer is in its CSV file: the field of `data` that holds the list, and the fields of an item as the names of
 * the columns. Null for an operation that has no CSV.
 */
export function csvOf(document: JsonObject, operation: JsonObject): Json {
  const content = object(object(object(operation.responses)['200']).content);
  if (!('text/csv' in content)) return null;
  const answer = resolve(document, object(content['application/json']).schema);
  const data = resolve(document, object(answer.properties).data);
  const [found] = Object.entries(object(data.properties)).filter(
    ([, value]) => resolve(document, value).type === 'array',
  );
  const [rows, list] = found!;
  return { rows, columns: Object.keys(object(resolve(document, resolve(document, list).items).properties)) };
}
