import { CommandError } from '../../src/commands/command.ts';
import { type JsonObject, object, resolve, text } from '../../contract-gate/src/index.ts';

/**
 * Returns the field of `data` that holds the paged list of an operation, empty if `data` is the list. Null for an
 * operation without the parameter `cursor`.
 * @throws if the response has no list, or several and `x-mcp` names none of them as `rows`
 */
export function describePages(document: JsonObject, operation: JsonObject, parameters: JsonObject[]): string | null {
  if (!parameters.some(({ name }) => name === 'cursor')) return null;
  const content = object(object(object(operation.responses)['200']).content);
  const answer = resolve(document, object(content['application/json']).schema);
  const data = resolve(document, object(answer.properties).data);
  if (data.type === 'array') return '';
  const { rows } = object(operation['x-mcp']);
  if (typeof rows === 'string') return rows;
  const lists = Object.entries(object(data.properties)).filter(([, one]) => resolve(document, one).type === 'array');
  if (lists.length !== 1)
    throw new CommandError(
      `${text(operation.operationId)} has several lists or none; name the paged one in x-mcp rows`,
    );
  return lists[0]![0];
}
