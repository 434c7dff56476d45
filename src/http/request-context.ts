import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Caller } from '../auth/caller.ts';
import type { Release } from '../bulkhead.ts';
import type { OperationId } from '../contract.ts';
import type { Logger } from '../logger.ts';

/** Something of an operation that is to go. */
export interface Deprecation {
  /** `operation`, or where a request has it: `query/name`, `header/name`, `body/people/[]/name`. */
  readonly at: string;
  /** Calendar dates in UTC. */
  readonly since: string;
  readonly sunset: string;
}

/** What the steps of a request tell each other, in `res.locals`. */
export interface RequestContext {
  requestId: string;
  /** Set once the route is known. */
  operationId?: OperationId;
  /** Set once the key is accepted. */
  caller?: Caller;
  /** Frees the place that a large body has in memory; to be called when the work on it is done. */
  releaseBody?: Release;
  /** What it uses that is deprecated. */
  deprecations?: readonly Deprecation[];
}

export function contextOf(res: Response): RequestContext {
  return res.locals as RequestContext;
}

const ACCEPTABLE_ID = /^[\w.:-]{1,100}$/;

/**
 * Gives the request an id (the client's own `X-Request-Id` when it is sane), sets the headers that every answer has,
 * and writes one log line when the answer is done. The line names the operation, never the address that was asked for:
 * a query string may hold what a client should not have put there.
 */
export function requestContext(accessLog: Logger, headers: ReadonlyMap<string, string>): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const context = contextOf(res);
    const given = req.headers['x-request-id'];
    context.requestId = typeof given === 'string' && ACCEPTABLE_ID.test(given) ? given : randomUUID();
    for (const [name, value] of headers) res.setHeader(name, value);
    res.setHeader('X-Request-Id', context.requestId);
    res.once('close', () => {
      accessLog.info({
        requestId: context.requestId,
        method: req.method,
        operationId: context.operationId,
        status: res.statusCode,
        complete: res.writableFinished,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        keyId: context.caller?.keyId,
        companyId: context.caller?.companyId,
        deprecated: context.deprecations?.map(({ at }) => at),
      });
    });
    next();
  };
}
