import { type Caller, hasScope, type Scope, type SourceKind } from '../../auth/caller.ts';
import { insufficientScope } from '../../contract/errors.ts';

/** What a key needs to record what a source of the kind does. */
export const SCOPE_OF_KIND: Readonly<Record<SourceKind, Scope>> = {
  gophish: 'simulations:write',
  xapi: 'courses:write',
  reported_messages: 'simulations:write',
};

/**
 * Whoever learns the secret of a source may do what that may.
 * @param field what asks for the kind; without it, it is the key that falls short
 * @throws insufficient_scope for a kind that may what the caller may not
 */
export function judgeKind(kind: SourceKind, caller: Pick<Caller, 'scopes'>, field?: string): void {
  const scope = SCOPE_OF_KIND[kind];
  if (!hasScope(caller, scope)) throw insufficientScope(scope, field);
}
