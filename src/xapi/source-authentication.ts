import type { RequestHandler } from 'express';
import { basicCredentials } from '../auth/basic-credentials.ts';
import type { Caller } from '../auth/caller.ts';
import type { SourceCache } from '../auth/source-cache.ts';
import { ApiError } from '../contract/errors.ts';
import type { CountRequest } from '../http/rate-limits/rate-limits.ts';
import { getRequestContext, withOrigin } from '../http/request-context.ts';

/**
 * Authenticates a source of kind `xapi` by Basic authentication, with the id of the source as user and its secret as
 * password, and puts the caller into the request's context. `countFailure` counts each failure.
 */
export function authenticateSource(sources: SourceCache, countFailure: CountRequest): RequestHandler {
  return async (req, res, next) => {
    const caller = await findCaller(sources, req.headers.authorization);
    if (!caller) {
      await countFailure(req, res);
      throw new ApiError(
        'unauthorized',
        'The credentials are missing or invalid; send the id and the secret of a source of kind xapi by Basic authentication.',
        {
          headers: { 'WWW-Authenticate': 'Basic realm="xapi", charset="UTF-8"' },
        },
      );
    }
    getRequestContext(res).caller = withOrigin(caller, req, res);
    next();
  };
}

async function findCaller(sources: SourceCache, authorization: string | undefined): Promise<Caller | undefined> {
  const given = basicCredentials(authorization);
  const caller = given && (await sources.findBySecret('xapi', given.password));
  return caller?.source?.id === given?.user ? caller : undefined;
}
