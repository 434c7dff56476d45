import { CommandError } from '../../src/commands/command.ts';
import {
  type Json,
  type JsonObject,
  object,
  operationsIn,
  parametersOf,
  resolve,
} from '../../contract-gate/src/index.ts';
import { findScope } from './scopes.ts';

/**
 * Description of a company id, in place of the contract's, which mentions paths and statuses that mean nothing to a
 * model.
 */
const COMPANY_ID = 'A child tenant.';

/** Arguments of tools that return a list in pages. */
const PAGING: JsonObject = {
  limit: { type: 'integer', minimum: 1, maximum: 200, default: 50, description: 'Page size.' },
  cursor: { type: 'string', pattern: '^\\d{1,9}$', description: 'Last nextCursor.' },
};

interface Offer {
  operationId: string;
  operation: JsonObject;
  parameters: JsonObject[];
  scope: string | null;
  select: JsonObject;
  /** The field of the result that holds the list; empty if the result is the list, null if there is no list. */
  rows: string | null;
}

/** Returns each tool with its input schema and its operations, ordered by name. */
export function toolTable(document: JsonObject): JsonObject[] {
  const offers = Map.groupBy(listOffers(document), ({ operation }) => text(object(operation['x-mcp']).tool));
  return [...offers.keys()].toSorted().map((name) => buildTool(document, name, offers.get(name)!));
}

function listOffers(document: JsonObject): Offer[] {
  return operationsIn(document).flatMap((found) => {
    const { operation } = found;
    const mcp = object(operation['x-mcp']);
    if (typeof mcp.tool !== 'string') return [];
    if (mcp.cluster !== 'read')
      throw new CommandError(`${text(operation.operationId)} is a tool, but its cluster is not read`);
    const parameters = parametersOf(document, found).filter(isOffered);
    const rows = findRows(document, operation);
    const [operationId, scope] = [text(operation.operationId), findScope(document, found)];
    return [{ operationId, operation, parameters, scope, select: object(mcp.select), rows }];
  });
}

/**
 * Leaves out deprecated parameters and those that the contract hides from tools, because the tool list is limited in
 * size.
 */
function isOffered(parameter: JsonObject): boolean {
  return parameter.deprecated !== true && object(parameter['x-mcp'] ?? {}).absent !== true;
}

function findRows(document: JsonObject, operation: JsonObject): string | null {
  const { rows } = object(operation['x-mcp']);
  if (typeof rows === 'string') return rows;
  const answer = resolve(document, object(operation.responses)['200']);
  const schema = resolve(document, object(object(answer.content)['application/json']).schema);
  return resolve(document, object(schema.properties).data).type === 'array' ? '' : null;
}

function buildTool(document: JsonObject, name: string, offers: Offer[]): JsonObject {
  const [selector, ...others] = [...new Set(offers.flatMap(({ select }) => Object.keys(select)))];
  if (others.length > 0) throw new CommandError(`${name} selects its operation by more than one argument`);
  if (offers.length > 1 && selector === undefined)
    throw new CommandError(`${name} has several operations, but none has x-mcp select`);
  const merged = object(object(document['x-mcp-tools'])[name]);
  const only = offers[0]!.operation;
  const own = { summary: only.summary!, description: object(only['x-mcp']).description ?? only.description! };
  const { summary, description } = selector === undefined ? own : merged;
  const selection: JsonObject = selector === undefined ? {} : { [selector]: buildSelector(selector, offers, merged) };
  const parameters = offers.flatMap((offer) => offer.parameters);
  const { scope } = offers[0]!;
  if (offers.some((offer) => offer.scope !== scope))
    throw new CommandError(`The operations of ${name} have different scopes, but a tool needs a single one`);
  const properties = {
    ...selection,
    ...Object.fromEntries(parameters.map((parameter) => [text(parameter.name), buildArgument(document, parameter)])),
    ...(offers.some(({ rows }) => rows !== null) && PAGING),
  };
  const isNeeded = (parameter: JsonObject) => parameter.required === true;
  const required = new Set([...Object.keys(selection), ...parameters.filter(isNeeded).map(({ name }) => text(name))]);
  return {
    name,
    title: text(summary),
    description: forModels(description),
    scope,
    inputSchema: { type: 'object', properties, required: [...required], additionalProperties: false },
    operations: offers.map(({ operationId, select, rows, parameters: taken }) => ({
      operationId,
      select: selector === undefined ? null : { [selector]: select[selector]! },
      arguments: taken.map(({ name }) => text(name)),
      rows,
    })),
  };
}

function buildSelector(selector: string, offers: Offer[], merged: JsonObject): JsonObject {
  const values = offers.map(({ select }) => select[selector]!);
  return { type: 'string', enum: values, description: forModels(merged[selector]) };
}

function buildArgument(document: JsonObject, parameter: JsonObject): JsonObject {
  const schema = { ...resolve(document, parameter.schema) };
  for (const name of ['description', 'examples', ...(schema.format === 'uuid' ? ['format'] : [])]) delete schema[name];
  if (typeof schema.pattern === 'string') schema.pattern = inShort(schema.pattern);
  const description = object(parameter['x-mcp'] ?? {}).description ?? parameter.description;
  return { ...schema, description: parameter.name === 'companyId' ? COMPANY_ID : forModels(description) };
}

/** Shortens the pattern of an id, because most tools take an id and the tool list is limited in size. */
function inShort(pattern: string): string {
  const part = '-[0-9a-f]{4}';
  return pattern.replace(part.repeat(3), `(${part}){3}`);
}

/** Removes the notes on modules, which the error explains, and on managers, who have no tools. @throws if the description mentions paths or statuses */
function forModels(description: Json | undefined): string {
  const words = inOneLine(description)
    .replaceAll(/ ?Needs the module `\w+` \(403 `module_not_enabled`\)\./g, '')
    .replace(/ ?An admin with the role `manager` .*/, '');
  if (/`(GET|POST) |\b[45]\d\d\b/.test(words))
    throw new CommandError(`A tool description mentions paths or statuses, which models do not see: ${words}`);
  return words;
}

function inOneLine(words: Json | undefined): string {
  return text(words).replace(/\s+/g, ' ').trim();
}

function text(value: Json | undefined): string {
  if (typeof value !== 'string') throw new CommandError('A tool or argument has no name or description');
  return value;
}
