import { type DkimKey, dkimKey } from './dkim-key.ts';
import { oauthAccess, type OAuthAccess, type OAuthPrefixes } from './mail-oauth.ts';
import { address, ConfigError, type Env, isLoopback, mailAddress, webUrl } from './variables.ts';

/** The way to send messages: an SMTP server, Microsoft Graph, or a folder in which each message becomes a file. */
export type MailDelivery =
  { readonly smtpUrl: string; readonly oauth?: OAuthAccess } | GraphDelivery | { readonly folder: string };

export interface GraphDelivery {
  /** URL of a mailbox's user in Microsoft Graph, without a trailing slash. */
  readonly graphUrl: string;
  readonly oauth: OAuthAccess;
}

export interface MailConfig {
  readonly delivery: MailDelivery;
  readonly from: MailAddress;
  /** The e-mail address to which people can reply. */
  readonly contact: string;
  /** URL where learners take their training; undefined if messages do not link to it. */
  readonly trainingUrl: string | undefined;
  /** The DKIM key with which this process signs messages; undefined if it does not sign. */
  readonly dkim: DkimKey | undefined;
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/**
 * Reads the mail settings. A server reaches real people, so the sender and the public URL are then required. @param
 * sends whether this process sends email, and therefore needs the DKIM key
 * @throws {ConfigError} naming the variable that is missing or invalid
 */
export function mailSettings(env: Env, sends: boolean): MailConfig | undefined {
  const server = serverDelivery(env, MAIL_NAMES);
  const folder = env.MAIL_FOLDER || undefined;
  if (server === undefined && folder === undefined) return undefined;
  const setting = server && 'graphUrl' in server ? MAIL_NAMES.graph : MAIL_NAMES.smtp;
  for (const name of server === undefined ? [] : ['MAIL_FROM', 'PUBLIC_URL']) {
    if (!env[name]) throw new ConfigError(`${name} is required with ${setting}`);
  }
  const from = mailAddress(env, 'MAIL_FROM') ?? { name: 'Security Awareness', address: 'awareness@localhost.invalid' };
  return {
    delivery: server ?? { folder: folder! },
    from,
    contact: mailAddress(env, 'MAIL_CONTACT')?.address ?? from.address,
    trainingUrl: webUrl(env, 'TRAINING_URL'),
    dkim: sends ? dkimKey(env, 'MAIL_DKIM') : undefined,
  };
}

/** Names of a delivery's settings. */
interface DeliveryNames {
  smtp: string;
  graph: string;
  oauth: OAuthPrefixes;
}

const MAIL_NAMES: DeliveryNames = { smtp: 'SMTP_URL', graph: 'MAIL_GRAPH_URL', oauth: ['MAIL_OAUTH'] };
const SIMULATION_NAMES: DeliveryNames = {
  ...{ smtp: 'SIMULATION_SMTP_URL', graph: 'SIMULATION_GRAPH_URL' },
  oauth: ['SIMULATION_OAUTH', 'MAIL_OAUTH'],
};

/** Reads the mail server for simulations; undefined if simulations are sent like other messages. */
export function simulationServer(env: Env): MailDelivery | undefined {
  return serverDelivery(env, SIMULATION_NAMES);
}

function serverDelivery(env: Env, names: DeliveryNames): MailDelivery | undefined {
  const smtpUrl = address(env, names.smtp, /^smtps?:$/, 'smtp://user:password@host:587');
  const graphUrl = graphAddress(env, names.graph);
  if (smtpUrl !== undefined && graphUrl !== undefined) {
    throw new ConfigError(`Set either ${names.smtp} or ${names.graph}, not both`);
  }
  if (graphUrl !== undefined) return graphDelivery(env, graphUrl, names);
  return smtpUrl === undefined ? undefined : smtpDelivery(env, smtpUrl, names);
}

/** Reads an SMTP server. A URL with a user but without a password means OAuth. */
function smtpDelivery(env: Env, smtpUrl: string, { smtp, oauth: prefixes }: DeliveryNames): MailDelivery {
  const { username, password } = new URL(smtpUrl);
  if (!username || password) return { smtpUrl };
  const oauth = oauthAccess(env, prefixes, { user: decodedPart(username, smtp) });
  if (oauth) return { smtpUrl, oauth };
  throw new ConfigError(`${smtp} must have a password after its user, or ${prefixes[0]}_TOKEN_URL must be set`);
}

function graphDelivery(env: Env, graphUrl: string, { graph, oauth: prefixes }: DeliveryNames): GraphDelivery {
  const user = decodedPart(new URL(graphUrl).pathname.split('/').at(-1)!, graph);
  const oauth = oauthAccess(env, prefixes, { user, api: graphUrl });
  if (oauth) return { graphUrl, oauth };
  throw new ConfigError(`${prefixes[0]}_TOKEN_URL is required with ${graph}`);
}

/** Reads the URL of a user in Microsoft Graph. The URL must be https, because each request carries a token. */
function graphAddress(env: Env, name: string): string | undefined {
  const example = 'https://graph.microsoft.com/v1.0/users/awareness@example.org';
  const value = address(env, name, /^https?:$/, example);
  if (value === undefined) return undefined;
  const url = new URL(value);
  if (!/\/users\/[^/]+\/?$/.test(url.pathname) || url.search || url.hash || url.username) {
    throw new ConfigError(`${name} must be a URL such as ${example}`);
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new ConfigError(`${name} must be an https:// URL unless it is on this machine`);
  }
  return value.replace(/\/$/, '');
}

function decodedPart(part: string, name: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ConfigError(`${name} must be a URL; write % as %25`);
  }
}
