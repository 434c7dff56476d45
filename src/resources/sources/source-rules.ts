import { type Caller, hasScope, type Scope, type SourceKind } from '../../auth/caller.ts';
import { insufficientScope } from '../../contract/errors.ts';

/** Scopes with which a source of each kind acts. */
export const SCOPES_OF_KIND: Readonly<Record<SourceKind, readonly Scope[]>> = {
  gophish: ['simulations:write'],
  xapi: ['courses:write', 'corrections:write'],
  reported_messages: ['simulations:write'],
};

/**
 * Requires that the caller has the scopes of a source's kind, because the secret lets its holder act as the source.
 * @param field request field that holds the kind; omitted if the request has no such field
 * @throws insufficient_scope
 */
export function judgeKind(kind: SourceKind, caller: Pick<Caller, 'scopes'>, field?: string): void {
  const missing = SCOPES_OF_KIND[kind].find((scope) => !hasScope(caller, scope));
  if (missing !== undefined) throw insufficientScope(missing, field);
}
