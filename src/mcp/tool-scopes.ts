import { tools } from '../../generated/tools.ts';
import { type Caller, hasScope } from '../auth/caller.ts';

const scopeByTool = new Map(tools.map(({ name, scope }) => [name as string, scope]));

/** Whether there is a tool of this name for a caller: one whose scope the key lacks is none. */
export function isOpenTo(caller: Caller, name: string): boolean {
  const scope = scopeByTool.get(name);
  return scope !== undefined && hasScope(caller, scope);
}
