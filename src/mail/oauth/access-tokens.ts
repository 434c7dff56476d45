// Access tokens for mail servers. A process has one `AccessTokens` per account, and every connection to the server of
// that account takes its token from there.
//
// - In time. A token is renewed in the background once a fifth of its lifetime is left, at most five minutes before it
//   expires. Until then, callers get the current token at once.
// - One renewal at a time. Callers that need a new token share the request in progress.
// - Revocation. A caller whose token the server rejected passes it to `get`. The first such caller starts a renewal;
//   the others, with the same token, get the new one. If a server rejects new tokens as well, permissions are missing.
//   Further renewals for that reason then wait, so that the provider does not block the client.
// - Failures. After a failure, no request is made for as long as the provider asks, or for 10 seconds. Meanwhile
//   callers get the error at once, or the current token if it is still valid. The queue sends their messages later.
// - Clocks. Lifetimes are measured on the monotonic clock, from the start of the request. A wrong system clock or a
//   clock step therefore neither keeps an expired token nor renews a valid one.
//
// Tokens are held in memory only. A refresh token that the provider replaces is used until the process ends; a new
// process starts with the configured one.
import type { OAuthAccess } from '../../config/mail-oauth.ts';
import { requestToken, TokenError, type TokenRequestOptions } from './request-token.ts';

interface Token {
  readonly value: string;
  /** Times on the monotonic clock, in milliseconds. */
  readonly renewAt: number;
  readonly expiresAt: number;
}

const MAX_MARGIN_MS = 300_000;
/** Delay in milliseconds after a failed renewal, unless the provider asks for another. */
const RETRY_MS = 10_000;
/** Minimum time between renewals after rejected tokens, in milliseconds. */
const REJECTION_MS = 10_000;

export class AccessTokens {
  readonly #access: OAuthAccess;
  readonly #options: TokenRequestOptions;
  #current: Token | undefined;
  #renewal: Promise<string> | undefined;
  #failure: { error: TokenError; until: number } | undefined;
  #refreshToken: string | undefined;
  /** Time of the last renewal that a rejected token caused, on the monotonic clock. */
  #rejectedAt: number | undefined;

  constructor(access: OAuthAccess, options: TokenRequestOptions = {}) {
    this.#access = access;
    this.#options = options;
  }

  /**
   * Returns a valid token.
   * @param rejected a token of this account that the server did not accept
   * @throws {TokenError} if the provider issues no token, or if the server rejected new tokens as well
   */
  async get(rejected?: string): Promise<string> {
    const now = performance.now();
    const current = this.#current;
    if (rejected !== undefined && rejected === current?.value) return this.#replaceRejected(now);
    if (!current || now >= current.expiresAt) return this.#renew(now);
    // A failure of this renewal reaches a caller only when the current token has expired.
    if (now >= current.renewAt) this.#renew(now).catch(() => undefined);
    return current.value;
  }

  async #replaceRejected(now: number): Promise<string> {
    if (!this.#renewal) {
      if (this.#rejectedAt !== undefined && now - this.#rejectedAt < REJECTION_MS) {
        throw new TokenError('the server rejects new access tokens; check the permissions of the client');
      }
      this.#rejectedAt = now;
    }
    return this.#renew(now);
  }

  async #renew(now: number): Promise<string> {
    if (this.#renewal) return this.#renewal;
    if (this.#failure && now < this.#failure.until) throw this.#failure.error;
    this.#renewal = this.#request(now).finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async #request(requestedAt: number): Promise<string> {
    try {
      const issued = await requestToken(this.#access, { ...this.#options, refreshToken: this.#refreshToken });
      const expiresAt = requestedAt + issued.lifetimeMs;
      const renewAt = expiresAt - Math.min(MAX_MARGIN_MS, issued.lifetimeMs / 5);
      this.#refreshToken = issued.refreshToken ?? this.#refreshToken;
      this.#current = { value: issued.accessToken, renewAt, expiresAt };
      this.#failure = undefined;
      return issued.accessToken;
    } catch (error) {
      const failure = error as TokenError;
      this.#failure = { error: failure, until: performance.now() + (failure.retryAfterMs ?? RETRY_MS) };
      throw failure;
    }
  }
}

const tokensOfAccess = new WeakMap<OAuthAccess, AccessTokens>();

/** Returns the tokens of an account, which all its servers share within the process. */
export function getAccessTokens(access: OAuthAccess, options?: TokenRequestOptions): AccessTokens {
  const tokens = tokensOfAccess.get(access) ?? new AccessTokens(access, options);
  tokensOfAccess.set(access, tokens);
  return tokens;
}
