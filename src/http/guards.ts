import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../contract/errors.ts';
import type { Addresses } from './addresses.ts';
import type { Readiness } from './readiness.ts';

/**
 * Lets through what was sent to the public address: by any other name the documents and cookies here would help somebody
 * who has pointed a name of their own at this server. Behind trusted proxies X-Forwarded-Host counts.
 */
export function requireOurHost({ issuer }: Addresses): RequestHandler {
  return (req, _res, next) => {
    if (isSentTo(issuer, req)) return next();
    throw new ApiError('invalid_request', `This server is called ${issuer}: ask for it by that name.`);
  };
}

/**
 * Whether a request calls this server by a name that is the same place as `issuer`. The target of a request may name a
 * host as well, which counts before the header.
 */
export function isSentTo(issuer: string, { host, originalUrl }: Request, isSame = isSameOrigin): boolean {
  const [protocol] = issuer.split('//');
  const target = /^https?:\/\/([^/?#]*)/i.exec(originalUrl);
  return [host, ...(target ? [target[1]] : [])].every((name) => isSame(`${protocol}//${name}`, issuer));
}

function isSameOrigin(given: string, ours: string): boolean {
  return URL.canParse(given) && new URL(given).origin === ours;
}

/** For what no other route of the path has taken: 405, and the methods that there are. */
export function refuseMethod(...methods: string[]): RequestHandler {
  return () => {
    throw methodNotAllowed(methods);
  };
}

export function methodNotAllowed(methods: string[], sentence?: string): ApiError {
  const allow = methods.join(', ');
  const message = sentence ?? `The methods of this path are ${allow}.`;
  return new ApiError('method_not_allowed', message, { headers: { Allow: allow } });
}

/** RFC 9110: a name or an address, and a port. */
const HOST = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i;

/**
 * Refuses what HTTP/1.1 asks a server to refuse in a head that can be read: no Host, several or one that is no name, and
 * expectations that nobody can meet.
 */
export const requireProperHead: RequestHandler = (req, _res, next) => {
  const { rawHeaders, httpVersion, headers } = req;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && /^host$/i.test(name)).length;
  if (hosts > 1) throw invalidHost('The Host header must be sent once.');
  if (hosts === 0 && httpVersion === '1.1') throw invalidHost('The Host header is required.');
  if (hosts === 1 && !HOST.test(headers.host!))
    throw invalidHost('The Host header must be a host, with or without a port.');
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect.trim())) throw new ExpectationFailed();
  next();
};

function invalidHost(message: string): ApiError {
  return new ApiError('invalid_request', message, { details: [{ field: 'header/host', message }] });
}

class ExpectationFailed extends ApiError {
  constructor() {
    const message = 'can only be 100-continue';
    super('invalid_request', `header/expect: ${message}`, { details: [{ field: 'header/expect', message }] });
  }

  override get status(): number {
    return 417;
  }
}

/** Until the role and the migrations are known to be right, nothing of a company is touched. */
export function requireStarted(readiness: Pick<Readiness, 'started'>): RequestHandler {
  return (_req, _res, next) => {
    if (!readiness.started) throw new ApiError('service_unavailable', 'The service is temporarily unavailable.');
    next();
  };
}

/**
 * For what is public and takes no cookies: a page of any origin may ask, or of some origins where these are listed.
 * @param origins none for any
 */
export function allowAnyOrigin(method: string, origins: readonly string[] = []): RequestHandler {
  const isOpen = origins.length === 0 || origins.includes('*');
  return (req, res, next) => {
    if (isOpen) res.set('Access-Control-Allow-Origin', '*');
    else allowListed(req, res, origins);
    if (req.method !== 'OPTIONS') return next();
    answerPreflight(res, method, 'Content-Type, MCP-Protocol-Version');
  };
}

/** Lets the page of a listed origin read the answer. Reports whether the request comes from one. */
export function allowListed(req: Request, res: Response, origins: readonly string[]): boolean {
  const { origin } = req.headers;
  if (origins.length === 0) return false;
  res.vary('Origin');
  if (origin === undefined || !(origins.includes('*') || origins.includes(origin))) return false;
  res.set('Access-Control-Allow-Origin', origin);
  return true;
}

/** Answers what browsers ask before they send a request of a page with headers of its own. */
export function answerPreflight(res: Response, methods: string, headers: string): void {
  res.set({
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': headers,
    'Access-Control-Max-Age': '3600',
  });
  res.status(204).end();
}
