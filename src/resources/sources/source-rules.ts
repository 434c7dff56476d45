import { type Caller, hasScope, type Scope, type SourceKind } from '../../auth/caller.ts';
import { insufficientScope } from '../../contract/errors.ts';

/** Scope that a source of each kind acts with. */
export const SCOPE_OF_KIND: Readonly<Record<SourceKind, Scope>> = {
  gophish: 'simulations:write',
  xapi: 'courses:write',
  reported_messages: 'simulations:write',
};

/**
 * Requires that the caller has the scope of a source's kind, because the secret lets its holder act as the source.
 * @param field request field that holds the kind; omitted if the request has none
 * @throws insufficient_scope
 */
export function judgeKind(kind: SourceKind, caller: Pick<Caller, 'scopes'>, field?: string): void {
  const scope = SCOPE_OF_KIND[kind];
  if (!hasScope(caller, scope)) throw insufficientScope(scope, field);
}
