import type { Request, RequestHandler } from 'express';
import { ApiError } from '../errors.ts';
import type { Addresses } from './addresses.ts';

/**
 * Lets through what was sent to the public address: by any other name the documents and cookies here would help somebody
 * who has pointed a name of their own at this server. Behind trusted proxies X-Forwarded-Host counts.
 */
export function requireOurHost({ issuer }: Addresses): RequestHandler {
  const { protocol } = new URL(issuer);
  const isOurs = (host: string | undefined): boolean =>
    host !== undefined && URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).origin === issuer;
  return (req, _res, next) => {
    if (hostsOf(req).every(isOurs)) return next();
    next(new ApiError('invalid_request', `This server is called ${issuer}: ask for it by that name.`));
  };
}

/** What a request calls this server: a target may name a host as well, and then before the header. */
export function hostsOf({ host, originalUrl }: Request): (string | undefined)[] {
  const target = /^https?:\/\/([^/?#]*)/i.exec(originalUrl);
  return target ? [host, target[1]] : [host];
}

export function refuseMethod(...methods: string[]): RequestHandler {
  const allow = methods.join(', ');
  return (_req, _res, next) => {
    next(new ApiError('method_not_allowed', `The methods are ${allow}.`, { headers: { Allow: allow } }));
  };
}

/** For what is public and takes no cookies: a page of any origin may ask. */
export function openToPages(method: string): RequestHandler {
  return (req, res, next) => {
    res.set('Access-Control-Allow-Origin', '*');
    if (req.method !== 'OPTIONS') return next();
    res.set({
      'Access-Control-Allow-Methods': method,
      'Access-Control-Allow-Headers': 'Content-Type, MCP-Protocol-Version',
      'Access-Control-Max-Age': '3600',
    });
    res.status(204).end();
  };
}
