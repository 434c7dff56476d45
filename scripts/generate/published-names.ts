import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, object, operationsIn, text } from '../../contract-gate/src/index.ts';
import { isForKeys } from './sdk-operations.ts';
import { toolTable } from './tool-table.ts';

const INDEX = join(import.meta.dirname, '../../sdk/src/index.ts');

/** Returns the parts of the tools that AI clients see, by name. */
export function publishedTools(document: JsonObject): JsonObject {
  const tools = toolTable(document).map(({ name, title, description, inputSchema }) => [
    text(name),
    { title: title!, description: description!, inputSchema: inputSchema! },
  ]);
  return { tools: Object.fromEntries(tools) as JsonObject };
}

/**
 * Returns the names that users of the client package import or call: names from the contract and from the package's own
 * code.
 */
export function publishedNames(document: JsonObject): JsonObject {
  const names = { ...contractNames(document).names, ...ownNames() };
  return { names: Object.fromEntries(Object.entries(names).toSorted(([one], [other]) => (one < other ? -1 : 1))) };
}

/** Returns the operations and types that the package gets from a contract. */
export function contractNames(document: JsonObject): { names: Record<string, string> } {
  const operations = operationsIn(document).filter(({ operation }) => isForKeys(document, operation));
  return {
    names: Object.fromEntries([
      ...operations.map(({ operation }) => [text(operation.operationId), 'operation'] as const),
      ...Object.keys(object(object(document.components).schemas)).map((name) => [name, 'type'] as const),
    ]),
  };
}

/** Returns the exports that `sdk/src/index.ts` names. */
function ownNames(): Record<string, string> {
  const exported = [...readFileSync(INDEX, 'utf8').matchAll(/^export (type )?\{([^}]*)\}/gm)];
  const names = exported.flatMap(([, type, list]) =>
    list!.split(',').map((one) => {
      const name = one.trim();
      const isType = type !== undefined || name.startsWith('type ');
      return [name.replace(/^type /, ''), isType ? 'type' : 'value'] as const;
    }),
  );
  return Object.fromEntries(names.filter(([name]) => name !== ''));
}
