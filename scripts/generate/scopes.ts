import { CommandError } from '../../src/commands/command.ts';
import {
  type JsonObject,
  list,
  object,
  operationsIn,
  type FoundOperation,
  text,
} from '../../contract-gate/src/index.ts';
import { listCallers } from './callers.ts';

/** Verbs of scopes, by the cluster of the operations. */
const VERBS: Record<string, string> = { read: 'read', write: 'write', reminder: 'remind', destructive: 'delete' };

/**
 * Schemas that list the scopes: open in responses, where clients must accept further scopes, and closed in requests.
 */
const LISTS = { ApiKeyScope: 'x-extensible-enum', ApiKeyScopeInput: 'enum' };

/**
 * Returns the scope that a key needs for an operation: its `x-scope`, or one made from its tag and its cluster, such as
 * `policy_templates:read`. Null for an operation that no key can call.
 */
export function findScope(document: JsonObject, { operation }: FoundOperation): string | null {
  if (!listCallers(document, operation).includes('key')) return null;
  if (operation['x-scope'] !== undefined) return text(operation['x-scope']);
  const [tag] = list(operation.tags);
  const verb = VERBS[text(object(operation['x-mcp']).cluster)];
  if (!verb || !tag) throw new CommandError(`${text(operation.operationId)} needs a tag and a cluster, for its scope`);
  return `${text(tag).toLowerCase().replaceAll(' ', '_')}:${verb}`;
}

/** Returns all scopes of the contract and of other contracts, in alphabetical order. */
export function listScopes(document: JsonObject, others: readonly string[] = []): string[] {
  const scopes = operationsIn(document).flatMap((found) => findScope(document, found) ?? []);
  return [...new Set([...scopes, ...others])].toSorted();
}

/** Writes each operation's scope into the document, and all scopes into the schemas that list them. */
export function publishScopes(document: JsonObject, others: readonly string[]): void {
  const scopes = listScopes(document, others);
  for (const found of operationsIn(document)) {
    const scope = findScope(document, found);
    if (scope !== null) found.operation['x-scope'] = scope;
  }
  const { schemas } = object(document.components);
  for (const [name, keyword] of Object.entries(LISTS)) {
    const schema = object(object(schemas)[name]);
    if (schema.type === 'string') schema[keyword] = scopes;
  }
}
