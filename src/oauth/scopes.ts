import { tools } from '../../generated/tools.ts';
import { SCOPE } from '../http/addresses.ts';

/** What tools need, each to be asked for by itself. */
const TOOL_SCOPES: string[] = [...new Set(tools.map(({ scope }) => scope))].toSorted();

/** All that an application may ask for. */
export const SUPPORTED_SCOPES = [SCOPE, ...TOOL_SCOPES];

/**
 * The `scope` of an authorization request, of which only the scopes of tools count: RFC 6749 (3.3) lets a server give
 * another than is asked for, and clients make up names. Without any of them it is all that the key may read.
 */
export function narrowScope(scope: string | null): string {
  const names = (scope ?? '').split(' ');
  if (names.includes(SCOPE)) return SCOPE;
  return TOOL_SCOPES.filter((scope) => names.includes(scope)).join(' ') || SCOPE;
}

/** What a key can give of what is asked for. Empty when that is nothing. */
export function grantable(scope: string, scopesOfKey: readonly string[] | null): string[] {
  const opened = readable(scope, scopesOfKey);
  return opened.length > 0 && isAll(scope) ? [SCOPE] : opened;
}

/** The scopes of tools that are open with a grant of a key. */
export function readable(granted: string, scopesOfKey: readonly string[] | null): string[] {
  const names = granted.split(' ');
  return TOOL_SCOPES.filter(
    (scope) => (isAll(granted) || names.includes(scope)) && (scopesOfKey === null || scopesOfKey.includes(scope)),
  );
}

/** Whether a grant is for whatever its key may read. */
export function isAll(granted: string): boolean {
  return granted.split(' ').includes(SCOPE);
}

/** What is open with these scopes, for people: `groups, policy templates`; undefined where it is everything. */
export function formatScopeNames(opened: readonly string[]): string | undefined {
  if (opened.length === TOOL_SCOPES.length) return undefined;
  return opened.map((scope) => scope.split(':')[0]!.replaceAll('_', ' ')).join(', ');
}
