import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { OAuthAccess, ServiceAccountGrant } from '../../config/mail-oauth.ts';
import { createConnector } from '../../outbound/connector.ts';
import { createFetch } from '../../outbound/fetch.ts';
import { readLimited } from '../../outbound/read-limited.ts';
import { parseRetryAfterMs } from '../../outbound/retry-after.ts';

export class TokenError extends Error {
  readonly code = 'EOAUTH2';
  /** Time to wait before the next request, in milliseconds; undefined if the provider does not ask for a delay. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { retryAfterMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs;
  }
}

export interface TokenRequestOptions {
  /** Certificate authorities to trust, in PEM; Node's by default. */
  ca?: string;
  timeoutMs?: number;
}

export interface IssuedToken {
  accessToken: string;
  lifetimeMs: number;
  /** The refresh token that replaces the one in the request; undefined if the provider sent none. */
  refreshToken: string | undefined;
}

/** Maximum time of a request with its response. */
const TIMEOUT_MS = 15_000;
/** Maximum size of a response; Microsoft's access tokens have about 2 KB. */
const MAX_BYTES = 65_536;
/** Lifetime of a token whose response states none. */
const DEFAULT_LIFETIME_S = 300;
const MAX_LIFETIME_S = 86_400;
/** Lifetime of a service account's assertion. */
const ASSERTION_S = 300;
/** Minimum clock difference after which an assertion is signed again with the provider's time. */
const MIN_SKEW_MS = 10_000;

/**
 * Requests an access token (RFC 6749). If a provider rejects a service account's assertion and its clock differs from
 * this machine's, requests once more with the provider's time.
 * @throws {TokenError}
 */
export async function requestToken(
  access: OAuthAccess,
  options: TokenRequestOptions & { refreshToken: string | undefined },
): Promise<IssuedToken> {
  const { grant } = access;
  const first = await post(access, await toForm(access, options.refreshToken, 0), options);
  if (first.status === 200 || grant.type !== 'service_account' || Math.abs(first.skewMs) < MIN_SKEW_MS) {
    return readResponse(first);
  }
  return readResponse(await post(access, await toForm(access, undefined, first.skewMs), options));
}

interface TokenResponse {
  status: number;
  body: Record<string, unknown>;
  retryAfterMs: number | undefined;
  /** Time in milliseconds by which the provider's clock is ahead of this machine's. */
  skewMs: number;
}

async function toForm(
  { grant, user, tokenUrl, scope }: OAuthAccess,
  replacedRefreshToken: string | undefined,
  skewMs: number,
): Promise<URLSearchParams> {
  const scoped: Record<string, string> = scope === undefined ? {} : { scope };
  if (grant.type === 'service_account') {
    const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    return new URLSearchParams({
      grant_type: grantType,
      assertion: await signAssertion(grant, { user, tokenUrl, scoped, skewMs }),
    });
  }
  const { type, clientId, clientSecret } = grant;
  return new URLSearchParams({
    grant_type: type,
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    ...(type === 'refresh_token' && { refresh_token: replacedRefreshToken ?? grant.refreshToken }),
    ...scoped,
  });
}

/** Signs a service account's request for a user's mailbox (RFC 7523). */
function signAssertion(
  { email, keyId, privateKey }: ServiceAccountGrant,
  claims: { user: string; tokenUrl: string; scoped: Record<string, string>; skewMs: number },
): Promise<string> {
  const now = Math.floor((Date.now() + claims.skewMs) / 1000);
  return new SignJWT(claims.scoped)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(email)
    .setSubject(claims.user)
    .setAudience(claims.tokenUrl)
    .setIssuedAt(now)
    .setExpirationTime(now + ASSERTION_S)
    .sign(createPrivateKey(privateKey));
}

async function post(
  { tokenUrl }: OAuthAccess,
  form: URLSearchParams,
  { ca, timeoutMs = TIMEOUT_MS }: TokenRequestOptions,
): Promise<TokenResponse> {
  // The operator configured this host, so only it can be on this machine or in its network.
  const trustedHosts = [new URL(tokenUrl).hostname.replace(/^\[|\]$/g, '')];
  const fetch = createFetch(createConnector({ trustedHosts, ...(ca !== undefined && { ca }) }));
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(tokenUrl, { method: 'POST', headers, body: form, signal });
    const text = await readLimited(response, MAX_BYTES);
    const { status } = response;
    if (text === undefined) throw new TokenError('the response of the token endpoint is too long');
    const retryAfterMs = response.headers.has('retry-after') ? parseRetryAfterMs(response.headers) : undefined;
    return { status, body: parseObject(text), retryAfterMs, skewMs: readSkew(response.headers) };
  } catch (cause) {
    if (cause instanceof TokenError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (signal.aborted)
      throw new TokenError(`the token endpoint took more than ${timeoutMs / 1000} seconds`, { cause });
    throw new TokenError(`the token endpoint could not be reached${code ? ` (${code})` : ''}`, { cause });
  }
}

function readSkew(headers: Headers): number {
  const skewMs = Date.parse(headers.get('date') ?? '') - Date.now();
  return Number.isNaN(skewMs) ? 0 : skewMs;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function readResponse({ status, body, retryAfterMs }: TokenResponse): IssuedToken {
  const { access_token: accessToken, expires_in: expiresIn, refresh_token: refreshToken } = body;
  // A token goes into SASL messages and headers, where other characters would separate fields.
  const isToken = typeof accessToken === 'string' && /^[\x21-\x7e]+$/.test(accessToken);
  if (status === 200 && isToken) {
    const seconds = Number(expiresIn) > 0 ? Number(expiresIn) : DEFAULT_LIFETIME_S;
    const lifetimeMs = Math.min(seconds, MAX_LIFETIME_S) * 1000;
    return { accessToken, lifetimeMs, refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined };
  }
  if (status === 200) throw new TokenError('the response of the token endpoint contains no access token');
  throw new TokenError(`the token endpoint responded with status ${status}${formatCause(body)}`, { retryAfterMs });
}

/**
 * Formats the error code of a response, with Microsoft's error number if there is one. Other text might name a person.
 */
function formatCause({ error, error_description: description }: Record<string, unknown>): string {
  const isCode = typeof error === 'string' && /^[\w.-]{1,64}$/.test(error);
  const number = typeof description === 'string' ? /^AADSTS\d+/.exec(description)?.[0] : undefined;
  const words = [...(isCode ? [error] : []), ...(number ? [number] : [])];
  return words.length > 0 ? ` (${words.join(', ')})` : '';
}
