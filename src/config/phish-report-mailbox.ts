import { oauthAccess, type OAuthAccess } from './mail-oauth.ts';
import { address, ConfigError, type Env, isLoopback, mailAddress } from './variables.ts';

/** The mailbox to which people forward suspicious mails. */
export interface ReportMailboxConfig {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly user: string;
  readonly password: string;
  /** The access by OAuth instead of the password; undefined if the mailbox has a password. */
  readonly oauth: OAuthAccess | undefined;
  readonly folder: string;
  /** The address to which mails that were not simulations are forwarded; undefined to forward none. */
  readonly forwardTo: string | undefined;
}

const [MAILBOX, FORWARD] = ['REPORT_MAILBOX_URL', 'REPORT_FORWARD_TO'] as const;
const EXAMPLE = 'imaps://user:password@mail.example.org/INBOX';

/**
 * Reads the mailbox for reported mails; undefined if none is configured.
 * @param cannotForward whether this process must forward mails but has no way to send them
 * @throws {ConfigError} naming the variable that is missing or invalid
 */
export function reportMailbox(env: Env, cannotForward: boolean): ReportMailboxConfig | undefined {
  const url = address(env, MAILBOX, /^imaps?:$/, EXAMPLE);
  const forwardTo = mailAddress(env, FORWARD)?.address;
  if (!url) {
    if (forwardTo) throw new ConfigError(`${MAILBOX} is required with ${FORWARD}`);
    return undefined;
  }
  const account = parseMailboxUrl(new URL(url));
  const mailbox = { ...account, oauth: mailboxAccess(env, account), forwardTo };
  if (forwardTo !== undefined && cannotForward)
    throw new ConfigError(`SMTP_URL or MAIL_GRAPH_URL is required with ${FORWARD}`);
  // A mail forwarded to the mailbox itself, or its bounce, would be forwarded again and again.
  const ends = { [FORWARD]: forwardTo, MAIL_FROM: mailAddress(env, 'MAIL_FROM')?.address };
  for (const [name, end] of Object.entries(ends)) {
    if (forwardTo !== undefined && end?.toLowerCase() === mailbox.user.toLowerCase()) {
      throw new ConfigError(`${name} must differ from the address of ${MAILBOX}`);
    }
  }
  return mailbox;
}

/** Reads the access to a mailbox without a password. */
function mailboxAccess(env: Env, { user, password }: { user: string; password: string }): OAuthAccess | undefined {
  if (!user || password) return undefined;
  const access = oauthAccess(env, ['REPORT_MAILBOX_OAUTH', 'MAIL_OAUTH'], { user });
  if (access) return access;
  throw new ConfigError(`${MAILBOX} must have a password after its user, or MAIL_OAUTH_TOKEN_URL must be set`);
}

/**
 * Parses the address of the mailbox. Only a mailbox on this machine can do without imaps, because the password is sent.
 */
function parseMailboxUrl(url: URL): Omit<ReportMailboxConfig, 'forwardTo' | 'oauth'> {
  const secure = url.protocol === 'imaps:';
  if (!secure && !isLoopback(url)) {
    throw new ConfigError(`${MAILBOX} must be an imaps:// address unless it is on this machine`);
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 993 : 143),
    secure,
    user: decoded(url.username),
    password: decoded(url.password),
    folder: decoded(url.pathname.slice(1)) || 'INBOX',
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ConfigError(`${MAILBOX} must be an address such as ${EXAMPLE}; write % as %25`);
  }
}
