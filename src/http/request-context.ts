import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller, Origin } from '../auth/caller.ts';
import { clientAddress } from '../net/client-address.ts';
import type { Release } from '../limits/bulkhead.ts';
import type { OperationId, ScimOperationId } from '../contract/contract.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics/metrics.ts';
import { beginRequestSpan } from '../observability/tracing/tracing.ts';
import { routeLabel } from './route-labels.ts';
import { mayBePage, type SecurityHeaders } from './response/security-headers.ts';

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
  operationId?: OperationId | ScimOperationId;
  /** Set once the key is accepted. */
  caller?: Caller;
  /** Frees the place that a large body has in memory. */
  releaseBody?: Release;
  /** What it uses that is deprecated. */
  deprecations?: readonly Deprecation[];
}

export function getRequestContext(res: Response): RequestContext {
  return res.locals as RequestContext;
}

/** The caller of a request, with what the audit log says of the request. */
export function withOrigin(caller: Caller, req: Request, res: Response): Caller {
  return { ...caller, origin: getRequestOrigin(req, res) };
}

/** Where a request comes from, for the audit log. */
export function getRequestOrigin(req: Request, res: Response): Origin {
  return { requestId: getRequestContext(res).requestId, address: getClientAddress(req) };
}

/**
 * The address of the client in its canonical spelling; null where a proxy has told none. All transports, records and limits
 * take it from here: Express' own `req.ip` is any text that stands in X-Forwarded-For.
 */
export function getClientAddress(req: Request): string | null {
  return clientAddress({
    socketAddress: req.socket.remoteAddress,
    // Node joins the lines of this header by commas.
    forwardedFor: req.headers['x-forwarded-for'] as string | undefined,
    hops: req.app.get('trust proxy') as number,
  });
}

/** To be called when the work on a body is done or refused: an answer may wait long for its client. */
export function releaseBody(req: Request, res: Response): void {
  req.body = undefined;
  getRequestContext(res).releaseBody?.();
}

/** Says which operation a route is. */
export function named(operationId: OperationId | ScimOperationId): RequestHandler {
  return (_req, res, next) => {
    getRequestContext(res).operationId = operationId;
    next();
  };
}

const ACCEPTABLE_ID = /^[\w.:-]{1,100}$/;

export interface RequestContextOptions {
  accessLog: Logger;
  headers: SecurityHeaders;
  metrics: Pick<Metrics, 'request'>;
}

/**
 * Gives the request an id (the client's own `X-Request-Id` when it is sane), sets the headers that every answer has, and
 * writes one log line, one count and, where traces are sent, one span when the answer is done. They name the operation,
 * never the address that was asked for: a query string may hold what a client should not have put there.
 */
export function requestContext({ accessLog, headers, metrics }: RequestContextOptions): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const context = getRequestContext(res);
    const given = req.headers['x-request-id'];
    context.requestId = typeof given === 'string' && ACCEPTABLE_ID.test(given) ? given : randomUUID();
    for (const [name, value] of headers.ofEveryAnswer) res.setHeader(name, value);
    if (mayBePage(req.url)) for (const [name, value] of headers.ofPages) res.setHeader(name, value);
    res.setHeader('x-request-id', context.requestId);
    const span = beginRequestSpan(req.headers);
    res.once('close', () => {
      const ms = performance.now() - startedAt;
      const name = context.operationId ?? routeLabel(req.originalUrl);
      const status = res.writableFinished ? res.statusCode : undefined;
      metrics.request(name, status, ms / 1000);
      span?.end({ name, method: req.method, status });
      accessLog.info({
        requestId: context.requestId,
        method: req.method,
        operationId: context.operationId,
        status: res.statusCode,
        complete: res.writableFinished,
        ms: Math.round(ms * 10) / 10,
        keyId: context.caller?.keyId,
        companyId: context.caller?.companyId,
        deprecated: context.deprecations?.map(({ at }) => at),
        traceId: span?.traceId,
      });
    });
    if (span) span.run(next);
    else next();
  };
}
