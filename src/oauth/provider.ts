import { generateKeyPairSync } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import Provider, {
  type ClientMetadata,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type pg from 'pg';
import type { ApiError } from '../contract/errors.ts';
import type { Logger } from '../observability/logger.ts';
import type { Fetch } from '../outbound/fetch.ts';
import { adaptersOn } from './adapters.ts';
import type { CountRequest } from '../http/rate-limits/rate-limits.ts';
import { type Addresses, PATHS } from '../http/addresses.ts';
import { normaliseClient, UnacceptableClient } from './client-metadata.ts';
import { errorSentence } from './error-messages.ts';
import { failurePage, faultyRequestPage } from './approval-page.ts';
import { SUPPORTED_SCOPES } from './scopes.ts';
import type { Secrets } from './secrets.ts';

export interface ProviderOptions {
  pool: pg.Pool;
  logger: Logger;
  addresses: Addresses;
  secrets: Secrets;
  /** Fetches metadata documents and everything else that the library fetches. */
  fetchDocument: Fetch;
  /** Counts the fetches that a client's IP address causes. */
  countAnonymous: CountRequest;
  /** Origins whose pages can get tokens for any client; `*` for any. */
  corsOrigins: readonly string[];
}

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const LIFETIMES = {
  AuthorizationCode: MINUTE,
  AccessToken: 60 * MINUTE,
  /** Maximum time between two refreshes of a grant. */
  RefreshToken: 30 * DAY,
  Interaction: 15 * MINUTE,
  Session: 15 * MINUTE,
  Grant: 90 * DAY,
};

export function createProvider(options: ProviderOptions): Provider {
  const provider = new Provider(options.addresses.issuer, buildConfiguration(options));
  // The library builds URLs from these headers, which we set from the configuration, not from the client.
  provider.proxy = true;
  const broken: EventEmitter = provider;
  broken.on('error', (err: unknown) => options.logger.warn({ err }, 'authorization server response failed'));
  return provider;
}

function buildConfiguration(options: ProviderOptions): Configuration {
  const { pool, addresses, secrets, fetchDocument, countAnonymous, corsOrigins } = options;
  const { issuer, resource } = addresses;
  return {
    adapter: adaptersOn(pool, issuer),
    routes: { authorization: PATHS.authorize, token: PATHS.token, revocation: PATHS.revoke },
    // Tokens are opaque and nothing is signed, but the library requires a key.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    clientDefaults: { id_token_signed_response_alg: 'ES256', token_endpoint_auth_method: 'none' },
    cookies: buildCookies(issuer, secrets),
    scopes: SUPPORTED_SCOPES,
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    pkce: { required: () => true },
    ttl: LIFETIMES,
    fetch: fetchDocument,
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    // Sessions are not stored (see the adapter), so nothing expires with them.
    expiresWithSession: () => false,
    // Revoking one token ends its whole grant.
    revokeGrantPolicy: () => true,
    // An account is an API key. The query that finds the grant checks whether the key is usable.
    findAccount: (_ctx, keyId) => ({ accountId: keyId, claims: () => ({ sub: keyId }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId ? oidc.provider.Grant.find(grantId) : undefined;
    },
    interactions: { policy: [alwaysAsk()], url: (_ctx, { uid }) => `${PATHS.connect}/${uid}` },
    clientBasedCORS: (_ctx, origin, { redirectUris = [] }) =>
      corsOrigins.some((listed) => listed === '*' || listed === origin) ||
      redirectUris.some((uri) => new URL(uri).origin === origin),
    extraClientMetadata: {
      properties: ['software_id'],
      validator: (_ctx, _key, _value, metadata) => normalise(metadata),
    },
    renderError(ctx, out) {
      // With prompt=none, the library would fail with the status of its redirect.
      if (ctx.status < 400) ctx.status = 400;
      const sentence = errorSentence(addresses, out.error, out.error_description);
      const show = ctx.path === PATHS.authorize ? faultyRequestPage : failurePage;
      const { headers, html } = show(ctx.status, sentence);
      ctx.set(headers);
      ctx.body = html;
    },
    features: {
      // Disables features that are on by default. DPoP would bind tokens to keys, which the tool server does not check.
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: async (ctx, id) => isPublicName(new URL(id)) && takeFetch(countAnonymous, ctx),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, requestedResource) {
          if (requestedResource !== resource && requestedResource !== `${resource}/`) throw new errors.InvalidTarget();
          return { scope: SUPPORTED_SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque' };
        },
      },
    },
  };
}

/** Limits the fetches that a client's IP address can cause. @throws an error of the library's type beyond the limit */
async function takeFetch(countAnonymous: CountRequest, ctx: KoaContextWithOIDC | undefined): Promise<true> {
  // Authorization requests are already counted. The approval page fetches the client's metadata again without a library
  // request, so `ctx` is undefined.
  if (!ctx || ctx.path === PATHS.authorize) return true;
  await countAnonymous(ctx.req as Request, ctx.res as Response).catch((refusal: ApiError) => {
    const error = new errors.OIDCProviderError(refusal.status, refusal.code);
    throw Object.assign(error, { error_description: refusal.message });
  });
  return true;
}

/** Builds the cookie options. The prefix is not __Host-, because the cookies are bound to their approval's path. */
function buildCookies(issuer: string, secrets: Secrets): Configuration['cookies'] {
  const secure = issuer.startsWith('https:');
  const prefix = secure ? '__Secure-' : '';
  const options = { httpOnly: true, sameSite: 'lax', secure, signed: true } as const;
  return {
    keys: secrets.cookieKeys,
    names: { session: SESSION_COOKIE, interaction: `${prefix}oauth_approval`, resume: `${prefix}oauth_resume` },
    short: options,
    long: options,
  };
}

export const SESSION_COOKIE = 'oauth_session';

/** Requires a separate approval for each connection, regardless of earlier approvals in the same browser. */
function alwaysAsk(): interactionPolicy.Prompt {
  const { Check, Prompt } = interactionPolicy;
  const isOpen = new Check('not_approved', 'no key has been approved', 'interaction_required', ({ oidc }) =>
    oidc.result?.login && oidc.result.consent ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  );
  return new Prompt({ name: 'approval', requestable: false }, isOpen);
}

/**
 * Normalises the metadata of each client, stored or fetched, before the library validates it. Removes fields that we do
 * not use: some would make the library fetch more, or belong to OpenID Connect.
 */
function normalise(metadata: ClientMetadata): void {
  try {
    const record = normaliseClient(metadata);
    for (const field of Object.keys(metadata)) if (!field.startsWith('client_id')) delete metadata[field];
    Object.assign(metadata, record);
  } catch (error) {
    if (!(error instanceof UnacceptableClient)) throw error;
    throw new errors.InvalidClientMetadata(error.message);
  }
}

/** Reports whether a URL names a host of the public DNS, without a port. `fetchDocument` checks its addresses. */
function isPublicName({ hostname, port }: URL): boolean {
  return (
    port === '' && /\.[a-z][a-z0-9-]*$/.test(hostname) && !/\.(localhost|local|internal|test|invalid)$/.test(hostname)
  );
}
