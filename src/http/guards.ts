import type { Request, RequestHandler, Response } from 'express';
import { ApiError, formatFieldError } from '../contract/errors.ts';
import type { Addresses } from './addresses.ts';
import type { Readiness } from './readiness.ts';

/**
 * Rejects requests that were not sent to the public URL. Otherwise an attacker could point their own host name at this
 * server and use its documents and cookies. Behind trusted proxies, X-Forwarded-Host counts.
 * @throws {ApiError} `invalid_request`
 */
export function requireOurHost({ issuer }: Addresses): RequestHandler {
  return (req, _res, next) => {
    if (isSentTo(issuer, req)) return next();
    throw new ApiError('invalid_request', `The Host header does not name this server; send the request to ${issuer}.`);
  };
}

/**
 * Reports whether a request names this server by the origin `issuer`. If the request target also names a host, that
 * host must match too, because it takes precedence over the header.
 */
export function isSentTo(issuer: string, { host, originalUrl }: Request, isSame = isSameOrigin): boolean {
  const [protocol] = issuer.split('//');
  const target = /^https?:\/\/([^/?#]*)/i.exec(originalUrl);
  return [host, ...(target ? [target[1]] : [])].every((name) => isSame(`${protocol}//${name}`, issuer));
}

function isSameOrigin(sent: string, ours: string): boolean {
  return URL.canParse(sent) && new URL(sent).origin === ours;
}

/** Rejects every request with 405 and the allowed methods. Must come after the other routes of the path. */
export function refuseMethod(...methods: string[]): RequestHandler {
  return () => {
    throw methodNotAllowed(methods);
  };
}

export function methodNotAllowed(methods: string[], sentence?: string): ApiError {
  const allow = methods.join(', ');
  const message = sentence ?? `This path allows only ${allow}.`;
  return new ApiError('method_not_allowed', message, { headers: { Allow: allow } });
}

/** A Host header as in RFC 9110: a name or an IP address, with or without a port. */
const HOST = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i;

/**
 * Rejects well-formed requests with a missing, repeated or invalid Host header (400), as HTTP/1.1 requires, or with an
 * expectation other than `100-continue` (417).
 */
export const requireProperHead: RequestHandler = (req, _res, next) => {
  const { rawHeaders, httpVersion, headers } = req;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && /^host$/i.test(name)).length;
  if (hosts > 1) throw invalidHost('The Host header must be sent exactly once.');
  if (hosts === 0 && httpVersion === '1.1') throw invalidHost('The Host header is required.');
  if (hosts === 1 && !HOST.test(headers.host!))
    throw invalidHost('The Host header must be a host name or an IP address, with or without a port.');
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect.trim())) throw new ExpectationFailed();
  next();
};

function invalidHost(message: string): ApiError {
  return new ApiError('invalid_request', message, { details: [{ field: 'header/host', message }] });
}

class ExpectationFailed extends ApiError {
  constructor() {
    const fault = { field: 'header/expect', message: 'must be 100-continue' };
    super('invalid_request', formatFieldError(fault), { details: [fault] });
  }

  override get status(): number {
    return 417;
  }
}

/** Rejects requests with 502 `service_unavailable` until the database role and the migrations have been checked. */
export function requireStarted(readiness: Pick<Readiness, 'started'>): RequestHandler {
  return (_req, _res, next) => {
    if (!readiness.started)
      throw new ApiError('service_unavailable', 'The service is temporarily unavailable; try again later.');
    next();
  };
}

/**
 * Allows CORS requests from pages of any origin, or of the listed origins only. Ends preflight requests. Meant for
 * public resources without cookies.
 * @param origins the listed origins; empty, or with `*`, for any origin
 */
export function allowAnyOrigin(method: string, origins: readonly string[] = []): RequestHandler {
  const isOpen = origins.length === 0 || origins.includes('*');
  return (req, res, next) => {
    if (isOpen) res.set('Access-Control-Allow-Origin', '*');
    else allowListed(req, res, origins);
    if (req.method !== 'OPTIONS') return next();
    sendPreflight(res, method, 'Content-Type, MCP-Protocol-Version');
  };
}

/** Allows a page of a listed origin to read the response. Reports whether the request comes from a listed origin. */
export function allowListed(req: Request, res: Response, origins: readonly string[]): boolean {
  const { origin } = req.headers;
  if (origins.length === 0) return false;
  res.vary('Origin');
  if (origin === undefined || !(origins.includes('*') || origins.includes(origin))) return false;
  res.set('Access-Control-Allow-Origin', origin);
  return true;
}

/** Ends a CORS preflight request, which browsers send before a page's request with custom headers. */
export function sendPreflight(res: Response, methods: string, headers: string): void {
  res.set({
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': headers,
    'Access-Control-Max-Age': '3600',
  });
  res.status(204).end();
}
