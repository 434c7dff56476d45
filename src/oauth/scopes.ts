import { tools } from '../../generated/tools.ts';
import { SCOPE } from '../http/addresses.ts';

/** Scopes of the tools. An application can request each one separately. */
const TOOL_SCOPES: string[] = [...new Set(tools.map(({ scope }) => scope))].toSorted();

/** All scopes that an application can request. */
export const SUPPORTED_SCOPES = [SCOPE, ...TOOL_SCOPES];

/**
 * Returns the tool scopes in the `scope` of an authorization request. RFC 6749 (3.3) lets a server grant a different
 * scope from the requested one, and clients make up names. Without a tool scope, the result is everything that the key
 * can read.
 */
export function narrowScope(scope: string | null): string {
  const names = (scope ?? '').split(' ');
  if (names.includes(SCOPE)) return SCOPE;
  return TOOL_SCOPES.filter((scope) => names.includes(scope)).join(' ') || SCOPE;
}

/** Returns the requested scopes that a key can grant; empty if there are none. */
export function grantable(scope: string, scopesOfKey: readonly string[] | null): string[] {
  const opened = readable(scope, scopesOfKey);
  return opened.length > 0 && isAll(scope) ? [SCOPE] : opened;
}

/** Returns the tool scopes that a grant of a key opens. */
export function readable(granted: string, scopesOfKey: readonly string[] | null): string[] {
  const names = granted.split(' ');
  return TOOL_SCOPES.filter(
    (scope) => (isAll(granted) || names.includes(scope)) && (scopesOfKey === null || scopesOfKey.includes(scope)),
  );
}

/** Reports whether a grant covers everything that its key can read. */
export function isAll(granted: string): boolean {
  return granted.split(' ').includes(SCOPE);
}

/** Formats scopes for people, such as `groups, policy templates`; undefined if they are all tool scopes. */
export function formatScopeNames(opened: readonly string[]): string | undefined {
  if (opened.length === TOOL_SCOPES.length) return undefined;
  return opened.map((scope) => scope.split(':')[0]!.replaceAll('_', ' ')).join(', ');
}
