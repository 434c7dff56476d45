import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { ApiError } from '../contract/errors.ts';
import type { Logger } from '../observability/logger.ts';
import { logFailure } from '../http/response/error-response.ts';
import { publicError } from '../http/response/public-error.ts';
import { getRequestContext } from '../http/request-context.ts';
import type { Addresses } from '../http/addresses.ts';
import { errorSentence } from './error-messages.ts';
import { SESSION_COOKIE } from './provider.ts';
import { narrowScope } from './scopes.ts';

/**
 * Parameters of an authorization request that are passed to the library. It would reject parameters of OpenID Connect.
 */
const FORWARDED = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'resource',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
  'registration',
];

/**
 * Lets the library respond under the public URL, regardless of the Host header, and in JSON unless the response is a
 * page.
 */
export function createProviderHandler(provider: Provider, { issuer }: Addresses): RequestHandler {
  const { host, protocol } = new URL(issuer);
  const handle = provider.callback();
  return (req, res, next) => {
    const { pathname, search } = new URL(req.originalUrl, issuer);
    req.url = req.originalUrl = pathname + search;
    req.headers['x-forwarded-host'] = host;
    req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    req.headers.accept = 'application/json';
    handle(req, res).catch(next);
  };
}

/**
 * Normalises an authorization request. Unknown scopes are dropped. A person always decides, so `prompt` is ignored
 * unless it is `none`. The tool server's URL with a trailing slash is the same resource: a grant covers both spellings,
 * since clients request tokens with either.
 */
export function narrowAuthorization({ resource }: Addresses): RequestHandler {
  const spellings = [resource, `${resource}/`];
  return (req, _res, next) => narrow(req, next, spellings);
}

function narrow(req: Request, next: NextFunction, spellings: readonly string[]): void {
  const url = new URL(req.originalUrl, 'http://localhost');
  const narrowed = new URLSearchParams({ scope: narrowScope(url.searchParams.get('scope')) });
  for (const name of FORWARDED) {
    for (const value of url.searchParams.getAll(name)) narrowed.append(name, value);
  }
  const resources = narrowed.getAll('resource');
  if (resources.every((one) => spellings.includes(one))) {
    narrowed.delete('resource');
    for (const one of spellings) narrowed.append('resource', one);
  }
  if (narrowed.toString().includes('%00')) {
    return next(new ApiError('invalid_request', 'A parameter contains a null character; remove it.'));
  }
  if (url.searchParams.getAll('prompt').some((prompt) => prompt.split(' ').includes('none'))) {
    narrowed.append('prompt', 'none');
  }
  // The library knows more modes than we offer, including a page with a script.
  if (url.searchParams.getAll('response_mode').some((mode) => mode !== 'query')) {
    narrowed.append('response_mode', 'unsupported');
  }
  req.originalUrl = `${url.pathname}?${narrowed.toString()}`;
  next();
}

/** Drops the query: after the approval, the library would use its parameters, which anybody could have made up. */
export const dropQuery: RequestHandler = (req, _res, next) => {
  req.originalUrl = req.originalUrl.split('?')[0]!;
  next();
};

/**
 * Corrects each response from the library: no session cookie, no redirect before a decision, and our error messages.
 */
export function tidyResponses(provider: Provider, addresses: Addresses, logger: Logger): void {
  provider.on('server_error', (ctx: KoaContextWithOIDC, err: Error) => {
    const { requestId } = getRequestContext(ctx.res as Response);
    ctx.state.failure = logFailure(logger, { requestId }, publicError(err));
  });
  // RFC 9700 (4.11.2): anybody can register a redirect URI, so an error must not redirect before a person has decided.
  // The library emits this event before it checks whether the error can be sent to the application.
  provider.on('authorization.error', (ctx, err) => {
    if (!ctx.oidc.entities.Interaction?.result) err.allow_redirect = false;
  });
  provider.use(async (ctx, next) => {
    await next();
    const failure = ctx.state.failure as ApiError | undefined;
    if (failure) ctx.status = failure.status;
    const cookies = [ctx.res.getHeader('Set-Cookie') ?? []].flat().map(String);
    ctx.remove('Set-Cookie');
    const otherCookies = cookies.filter((cookie) => !cookie.startsWith(SESSION_COOKIE));
    if (otherCookies.length > 0) ctx.set('Set-Cookie', otherCookies);
    tidyError(ctx, addresses);
  });
}

function tidyError(ctx: Parameters<Parameters<Provider['use']>[0]>[0], addresses: Addresses): void {
  const body = ctx.body as { error?: string; error_description?: string } | string | null | undefined;
  if (typeof body === 'object' && body?.error) {
    ctx.body = { ...body, error_description: errorSentence(addresses, body.error, body.error_description) };
    // The library repeats its description in this header.
    if (ctx.res.hasHeader('WWW-Authenticate')) ctx.set('WWW-Authenticate', `Basic realm="${addresses.issuer}"`);
  }
  const location = ctx.response.get('Location');
  if (!location || !URL.canParse(location)) return;
  const url = new URL(location);
  const code = url.searchParams.get('error');
  if (code === null) return;
  const sentence = errorSentence(addresses, code, url.searchParams.get('error_description') ?? '');
  url.searchParams.set('error_description', sentence);
  ctx.set('Location', url.href);
}
