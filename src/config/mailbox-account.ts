import { oauthAccess, type OAuthAccess } from './mail-oauth.ts';
import { address, ConfigError, type Env, isLoopback } from './variables.ts';

/** A mailbox that the service reads over IMAP. */
export interface MailboxAccount {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly user: string;
  readonly password: string;
  /** OAuth settings, used instead of a password; undefined if the mailbox has a password. */
  readonly oauth: OAuthAccess | undefined;
  readonly folder: string;
}

const EXAMPLE = 'imaps://user:password@mail.example.org/INBOX';

/**
 * Reads the URL of a mailbox and its credentials; undefined if the URL is not set.
 * @param prefix prefix of the settings, such as `REPORT_MAILBOX` for `REPORT_MAILBOX_URL`
 * @throws {ConfigError} naming the variable that is missing or invalid
 */
export function mailboxAccount(env: Env, prefix: string): MailboxAccount | undefined {
  const name = `${prefix}_URL`;
  const url = address(env, name, /^imaps?:$/, EXAMPLE);
  if (!url) return undefined;
  const account = parseMailboxUrl(new URL(url), name);
  return { ...account, oauth: mailboxAccess(env, prefix, account) };
}

/** Reads the OAuth settings of a mailbox without a password. */
function mailboxAccess(
  env: Env,
  prefix: string,
  { user, password }: { user: string; password: string },
): OAuthAccess | undefined {
  if (!user || password) return undefined;
  const access = oauthAccess(env, [`${prefix}_OAUTH`, 'MAIL_OAUTH'], { user });
  if (access) return access;
  throw new ConfigError(`${prefix}_URL must have a password after its user, or MAIL_OAUTH_TOKEN_URL must be set`);
}

/**
 * Parses the URL of a mailbox. The URL must be imaps unless the mailbox is on this machine, because the password is
 * sent to it.
 */
function parseMailboxUrl(url: URL, name: string): Omit<MailboxAccount, 'oauth'> {
  const secure = url.protocol === 'imaps:';
  if (!secure && !isLoopback(url)) {
    throw new ConfigError(`${name} must be an imaps:// URL unless it is on this machine`);
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 993 : 143),
    secure,
    user: decoded(url.username, name),
    password: decoded(url.password, name),
    folder: decoded(url.pathname.slice(1), name) || 'INBOX',
  };
}

function decoded(part: string, name: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ConfigError(`${name} must be a URL such as ${EXAMPLE}; write % as %25`);
  }
}
