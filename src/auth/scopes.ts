import { ApiError } from '../errors.ts';
import type { Scope } from './caller.ts';

/** What a key without a scope is told, in the words of RFC 6750. @param field where the request asks for it */
export function insufficientScope(scope: Scope, field = 'header/authorization'): ApiError {
  return new ApiError('insufficient_scope', `This needs a key with the scope ${scope}.`, {
    details: [{ field, message: `needs the scope ${scope}` }],
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
