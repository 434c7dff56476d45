import type { RequestHandler } from 'express';
import { bearerToken } from '../../auth/bearer-token.ts';
import type { KeyDirectory } from '../../auth/key-directory.ts';
import { ApiError } from '../../errors.ts';
import type { CountRequest } from '../../web/rate-limits.ts';
import { contextOf, withOrigin } from '../../web/request-context.ts';

/** Accepts a bearer API key, and puts its caller into the request's context. Each failure is counted by `countFailure`. */
export function authenticateDirectory(keys: KeyDirectory, countFailure: CountRequest): RequestHandler {
  return async (req, res, next) => {
    const token = bearerToken(req.headers.authorization);
    const caller = token === undefined ? undefined : await keys.find(token);
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
