import type { RequestHandler } from 'express';
import { bearerToken } from '../../auth/bearer-token.ts';
import type { KeyDirectory } from '../../auth/key-directory.ts';
import { ApiError } from '../../errors.ts';
import type { CountRequest } from '../../web/rate-limits.ts';
import { contextOf, withOrigin } from '../../web/request-context.ts';

/**
 * Accepts a bearer API key and puts its caller into the request's context.
 * Each failure is counted by `countFailure`. An address with too many failures gets a 429; a valid key still passes.
 */
export function authenticate(directory: KeyDirectory, countFailure: CountRequest): RequestHandler {
  return async (req, res, next) => {
    const key = bearerToken(req.headers.authorization);
    const caller = key === undefined ? undefined : await directory.find(key);
    if (!caller) {
      await countFailure(req, res);
      throw new ApiError('unauthorized', 'A valid API key is required as a bearer token.', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    }
    contextOf(res).caller = withOrigin(caller, req, res);
    next();
  };
}
