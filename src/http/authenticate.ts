import type { RequestHandler, Response } from 'express';
import { bearerToken } from '../auth/bearer-token.ts';
import type { Caller, SourceKind } from '../auth/caller.ts';
import type { ApiKeyCache } from '../auth/api-key-cache.ts';
import type { SourceCache } from '../auth/source-cache.ts';
import { allOperations, type KeyedOperationId, type ScimOperationId } from '../contract/contract.ts';
import { ApiError } from '../contract/errors.ts';
import type { CountRequest } from './rate-limits/rate-limits.ts';
import { getRequestContext, withOrigin } from './request-context.ts';

export interface AuthenticateOptions {
  keys: ApiKeyCache;
  sources: SourceCache;
  countFailure: CountRequest;
}

/** Creates the step that authenticates the caller of an operation. */
export type Authenticate = (operationId: KeyedOperationId | ScimOperationId) => RequestHandler;

/** The header with the expiry of a key, sent during the key's last 30 days. */
export const EXPIRY_HEADER = 'API-Key-Expires';
const EXPIRY_NOTICE_MS = 30 * 86_400_000;

/**
 * Creates the steps that authenticate callers. A step accepts a bearer API key, or the secret of a source if the
 * operation accepts sources of its kind, and puts the caller into the request's context. `countFailure` counts each
 * failure, and rejects an IP address with too many failures with 429. A valid key from that IP address still passes.
 * @throws {ApiError} `unauthorized` for any other token, and the errors of `countFailure`
 */
export function createAuthenticate({ keys, sources, countFailure }: AuthenticateOptions): Authenticate {
  return (operationId) => {
    const callers: readonly (SourceKind | 'key')[] = allOperations[operationId].callers;
    const kinds = callers.filter((caller) => caller !== 'key');

    return async (req, res, next) => {
      const token = bearerToken(req.headers.authorization);
      const caller = token === undefined ? undefined : ((await keys.find(token)) ?? (await findSource(kinds, token)));
      if (!caller) {
        await countFailure(req, res);
        throw new ApiError('unauthorized', 'The API key is missing or invalid; send a valid key as a bearer token.', {
          headers: { 'WWW-Authenticate': 'Bearer' },
        });
      }
      getRequestContext(res).caller = withOrigin(caller, req, res);
      setExpiryHeader(res, caller);
      next();
    };
  };

  async function findSource(kinds: readonly SourceKind[], secret: string): Promise<Caller | undefined> {
    for (const kind of kinds) {
      const caller = await sources.findBySecret(kind, secret);
      if (caller) return caller;
    }
    return undefined;
  }
}

function setExpiryHeader(res: Response, { expiresAt }: Caller): void {
  if (expiresAt && expiresAt.getTime() - Date.now() < EXPIRY_NOTICE_MS)
    res.setHeader(EXPIRY_HEADER, expiresAt.toISOString());
}
