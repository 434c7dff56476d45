import { tools } from '../../generated/tools.ts';
import { type Caller, hasScope } from '../auth/caller.ts';

const scopeByTool = new Map(tools.map(({ name, scope }) => [name as string, scope]));

/** Reports whether a caller has a tool of this name. A tool whose scope the key lacks does not exist for the caller. */
export function isOpenTo(caller: Caller, name: string): boolean {
  const scope = scopeByTool.get(name);
  return scope !== undefined && hasScope(caller, scope);
}
