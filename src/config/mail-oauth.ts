// OAuth 2 access to mail servers: which token endpoint a process calls, and with which credentials. `MAIL_OAUTH_…`
// applies to ordinary messages, and is the default for three other servers: those for simulations
// (`SIMULATION_OAUTH_…`), the report mailbox (`REPORT_MAILBOX_OAUTH_…`) and the bounce mailbox
// (`BOUNCE_MAILBOX_OAUTH_…`). A server uses either its own settings or the default settings, never a mixture.
import { createPrivateKey } from 'node:crypto';
import { address, ConfigError, type Env, isLoopback } from './variables.ts';

/** OAuth settings of one mail account; `src/mail/oauth/access-tokens.ts` gets its tokens. */
export interface OAuthAccess {
  /** E-mail address of the mailbox, or of its user. */
  readonly user: string;
  readonly tokenUrl: string;
  /** Undefined to request the scope that the provider has granted. */
  readonly scope: string | undefined;
  readonly grant: OAuthGrant;
}

export type OAuthGrant = ClientGrant | RefreshGrant | ServiceAccountGrant;

interface ClientGrant {
  readonly type: 'client_credentials';
  readonly clientId: string;
  readonly clientSecret: string;
}

interface RefreshGrant {
  readonly type: 'refresh_token';
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  readonly refreshToken: string;
}

/** A Google service account with domain-wide delegation. */
export interface ServiceAccountGrant {
  readonly type: 'service_account';
  readonly email: string;
  readonly keyId: string | undefined;
  /** The private RSA key in PEM. */
  readonly privateKey: string;
}

/** Scopes for SMTP and IMAP, by the host of the token endpoint: the Microsoft 365 clouds, and Google. */
const SCOPES: Readonly<Record<string, string>> = {
  'login.microsoftonline.com': 'https://outlook.office365.com/.default',
  'login.microsoftonline.us': 'https://outlook.office365.us/.default',
  'login.partner.microsoftonline.cn': 'https://partner.outlook.cn/.default',
  'oauth2.googleapis.com': 'https://mail.google.com/',
};

const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token';
const TOKEN_URL_EXAMPLE = 'https://login.microsoftonline.com/TENANT/oauth2/v2.0/token';

/** The prefixes of settings, most specific first. */
export type OAuthPrefixes = readonly [string, ...string[]];

/**
 * Reads the OAuth settings of a mail account; undefined if no setting with one of the prefixes is set.
 * @param api the URL of an HTTP API that replaces SMTP; its origin determines the default scope
 * @throws {ConfigError} naming the variable that is missing or invalid
 */
export function oauthAccess(
  env: Env,
  prefixes: OAuthPrefixes,
  { user, api }: { user: string; api?: string },
): OAuthAccess | undefined {
  const prefix = prefixes.find((name) => NAMES.some((setting) => env[`${name}_${setting}`]?.trim()));
  if (!prefix) return undefined;
  const value = (setting: Setting) => env[`${prefix}_${setting}`]?.trim() || undefined;
  const account = serviceAccount(value('SERVICE_ACCOUNT'), `${prefix}_SERVICE_ACCOUNT`);
  const tokenUrl = tokenAddress(env, prefix) ?? account?.tokenUrl;
  if (!tokenUrl) throw new ConfigError(`${prefix}_TOKEN_URL is required with OAuth, such as ${TOKEN_URL_EXAMPLE}`);
  const grant = account?.grant ?? clientGrant(prefix, value);
  const ownScope = value('SCOPE');
  // The scope of a refresh token is the one that the user agreed to.
  const scope = grant.type === 'refresh_token' ? undefined : defaultScope(tokenUrl, api);
  return { user, tokenUrl, scope: ownScope ?? scope, grant };
}

const NAMES = ['TOKEN_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'REFRESH_TOKEN', 'SERVICE_ACCOUNT', 'SCOPE'] as const;
type Setting = (typeof NAMES)[number];

function defaultScope(tokenUrl: string, api: string | undefined): string | undefined {
  return api === undefined ? SCOPES[new URL(tokenUrl).hostname] : `${new URL(api).origin}/.default`;
}

/**
 * Reads the URL of the token endpoint. Each request carries a secret, so the URL must be https unless it is on this
 * machine.
 */
function tokenAddress(env: Env, prefix: string): string | undefined {
  const name = `${prefix}_TOKEN_URL`;
  const url = address(env, name, /^https?:$/, TOKEN_URL_EXAMPLE);
  if (url !== undefined && new URL(url).protocol === 'http:' && !isLoopback(new URL(url))) {
    throw new ConfigError(`${name} must be an https:// URL unless it is on this machine`);
  }
  return url;
}

function clientGrant(prefix: string, value: (setting: Setting) => string | undefined): ClientGrant | RefreshGrant {
  const [clientId, clientSecret, refreshToken] = [value('CLIENT_ID'), value('CLIENT_SECRET'), value('REFRESH_TOKEN')];
  if (!clientId) throw new ConfigError(`${prefix}_CLIENT_ID or ${prefix}_SERVICE_ACCOUNT is required with OAuth`);
  if (refreshToken) return { type: 'refresh_token', clientId, clientSecret, refreshToken };
  if (clientSecret) return { type: 'client_credentials', clientId, clientSecret };
  throw new ConfigError(`${prefix}_CLIENT_SECRET or ${prefix}_REFRESH_TOKEN is required with ${prefix}_CLIENT_ID`);
}

/** Reads the key of a service account, the JSON that Google's console exports. Errors repeat nothing from it. */
function serviceAccount(
  json: string | undefined,
  name: string,
): { tokenUrl: string; grant: ServiceAccountGrant } | undefined {
  if (!json) return undefined;
  try {
    const key = JSON.parse(json) as Record<string, unknown>;
    const { client_email: email, private_key: privateKey, private_key_id: keyId, token_uri: tokenUrl } = key;
    const isRsa = createPrivateKey(privateKey as string).asymmetricKeyType === 'rsa';
    if (isRsa && typeof email === 'string') {
      const grant = { email, privateKey: privateKey as string, keyId: typeof keyId === 'string' ? keyId : undefined };
      const hasUrl = typeof tokenUrl === 'string' && /^https:\/\/[^/]/.test(tokenUrl) && URL.canParse(tokenUrl);
      return { tokenUrl: hasUrl ? tokenUrl : GOOGLE_TOKEN_URL, grant: { type: 'service_account', ...grant } };
    }
  } catch {
    // Falls through to the same error, which repeats nothing from the key.
  }
  throw new ConfigError(`${name} must be the JSON key of a service account, with client_email and private_key`);
}
