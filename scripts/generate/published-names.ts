import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, object, operationsIn, text } from '../../contract-gate/src/index.ts';
import { isForKeys } from './sdk-operations.ts';
import { toolTable } from './tool-table.ts';

const INDEX = join(import.meta.dirname, '../../sdk/src/index.ts');

/** What AI clients are told of the tools, by name. */
export function publishedTools(document: JsonObject): JsonObject {
  const tools = toolTable(document).map(({ name, title, description, inputSchema }) => [
    text(name),
    { title: title!, description: description!, inputSchema: inputSchema! },
  ]);
  return { tools: Object.fromEntries(tools) as JsonObject };
}

/** The names that users of the client package import or call: those of the contract, and those of its own code. */
export function publishedNames(document: JsonObject): JsonObject {
  const names = { ...contractNames(document).names, ...ownNames() };
  return { names: Object.fromEntries(Object.entries(names).toSorted(([one], [other]) => (one < other ? -1 : 1))) };
}

/** The operations and types that a contract gives the package. */
export function contractNames(document: JsonObject): { names: Record<string, string> } {
  const operations = operationsIn(document).filter(({ operation }) => isForKeys(document, operation));
  return {
    names: Object.fromEntries([
      ...operations.map(({ operation }) => [text(operation.operationId), 'operation'] as const),
      ...Object.keys(object(object(document.components).schemas)).map((name) => [name, 'type'] as const),
    ]),
  };
}

/** The exports that `sdk/src/index.ts` writes out. */
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
