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

/** A deprecated operation, or a deprecated part of an operation. */
export interface Deprecation {
  /** `operation`, or the path of the part: `query/name`, `header/name`, `body/people/[]/name`. */
  readonly at: string;
  /** A calendar date in UTC, like `sunset`. */
  readonly since: string;
  readonly sunset: string;
}

/** The state that the steps of a request share, in `res.locals`. */
export interface RequestContext {
  requestId: string;
  /** The operation of the route; set once the route is known. */
  operationId?: OperationId | ScimOperationId;
  /** The authenticated caller; set once the key or the secret is accepted. */
  caller?: Caller;
  /** Encoding in which the response is compressed; undefined if the route does not permit compression. */
  encoding?: 'br' | 'gzip' | undefined;
  /** Releases the memory slot of a large body. */
  releaseBody?: Release;
  /** The deprecated parts that the request uses. */
  deprecations?: readonly Deprecation[];
}

export function getRequestContext(res: Response): RequestContext {
  return res.locals as RequestContext;
}

/** Returns the caller with the origin of the request, for the audit log. */
export function withOrigin(caller: Caller, req: Request, res: Response): Caller {
  return { ...caller, origin: getRequestOrigin(req, res) };
}

/** Returns the origin of a request, for the audit log and the sign-in log. */
export function getRequestOrigin(req: Request, res: Response): Origin {
  const { requestId } = getRequestContext(res);
  return { requestId, address: getClientAddress(req), userAgent: req.headers['user-agent'] };
}

/**
 * Returns the client's IP address in its canonical spelling, or null if a proxy has sent an invalid one. All
 * transports, records and limits must use this function: Express' own `req.ip` can be any string from X-Forwarded-For.
 */
export function getClientAddress(req: Request): string | null {
  return clientAddress({
    socketAddress: req.socket.remoteAddress,
    // Node joins repeated headers of this name with commas.
    forwardedFor: req.headers['x-forwarded-for'] as string | undefined,
    hops: req.app.get('trust proxy') as number,
  });
}

/**
 * Releases the body of a request. Must be called once the work on the body is done or has failed, because the response
 * might wait long for its client.
 */
export function releaseBody(req: Request, res: Response): void {
  req.body = undefined;
  getRequestContext(res).releaseBody?.();
}

/** Creates a step that sets the operation of a route. */
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
 * Gives the request an id (the client's own `X-Request-Id` if it is valid), and sets the headers of every response.
 * When the response closes, writes one log line, one count and, if tracing is on, one span. All three name the
 * operation and never the URL, because clients might put secrets into a query string.
 */
export function requestContext({ accessLog, headers, metrics }: RequestContextOptions): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const context = getRequestContext(res);
    const header = req.headers['x-request-id'];
    context.requestId = typeof header === 'string' && ACCEPTABLE_ID.test(header) ? header : randomUUID();
    for (const [name, value] of headers.ofEveryResponse) res.setHeader(name, value);
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
