import { availableParallelism } from 'node:os';
import { networks } from './networks.ts';
import { securityContact } from './security-contact.ts';
import { reportMailbox, type ReportMailboxConfig } from './phish-report-mailbox.ts';
import { simulationSettings, type SimulationsConfig } from './simulation-settings.ts';
import {
  ConfigError,
  type Env,
  address,
  baseUrl,
  dnsServers,
  domains,
  encryptionKeys,
  integer,
  isLoopback,
  mailAddress,
  type MailDelivery,
  readChoice,
  origins,
  secrets,
  webUrl,
} from './variables.ts';

/** What the process reads from its environment, once. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly databasePoolSize: number;
  /** Where processes add up what counts against limits; undefined: in the database. */
  readonly redisUrl: string | undefined;
  readonly statementTimeoutMs: number;
  /** Requests a minute for each key; 0 turns the limit off. */
  readonly rateLimitPerMinute: number;
  /** Failed authentications a minute for each address; 0 turns the limit off. */
  readonly authFailuresPerMinute: number;
  readonly keyCacheMs: number;
  /** Proxies in front of the service, whose X-Forwarded-For is believed. */
  readonly trustedProxyHops: number;
  /** Origins that may call keyed operations from a browser; empty: none. */
  readonly corsOrigins: readonly string[];
  /** How long a client may leave a streamed answer unread. */
  readonly clientWriteTimeoutMs: number;
  readonly drainTimeoutMs: number;
  /** How long the process still listens after SIGTERM, for balancers to notice that the process is not ready. */
  readonly drainDelayMs: number;
  /** How long an idle connection of a client is kept; balancers must close theirs before. */
  readonly keepAliveMs: number;
  readonly logLevel: string;
  /** What the process does. */
  readonly roles: readonly Role[];
  /** How many processes answer requests; with more than one, a supervisor starts them. */
  readonly processes: number;
  /** Where the service is reached from outside: what links in messages begin with, without a slash at the end. */
  readonly publicUrl: string;
  /** How messages leave; undefined: they wait in the queue. */
  readonly mail: MailConfig | undefined;
  /** Where Prometheus finds the metrics of the process; undefined: nowhere. */
  readonly metrics: MetricsConfig | undefined;
  /** Where breach data comes from; undefined: the local feed. */
  readonly breachFeed: BreachFeedConfig | undefined;
  /** How long signatures stay after their learner or their policy was deleted. */
  readonly signatureRetentionDays: number;
  /** Jobs that the process works on at once. */
  readonly workerConcurrency: number;
  /** What the cookies and forms of approvals are signed with: the first signs, all are believed. Empty: one is made up. */
  readonly oauthSecrets: readonly string[];
  /** What secrets of sources are encrypted with: the first encrypts, all decrypt. Empty: no such source can be made. */
  readonly secretsKeys: readonly Buffer[];
  /** What events may be posted to. */
  readonly webhooks: WebhooksConfig;
  /** Domains that the lists of free e-mail providers lack, and domains that they have wrongly. */
  readonly freeMail: Readonly<Record<'added' | 'excepted', readonly string[]>>;
  /** Where the written courses are; undefined: those that come with the service. */
  readonly contentFolder: string | undefined;
  /** The simulations that the service runs itself; undefined: it runs none. */
  readonly simulations: SimulationsConfig | undefined;
  /** What records of domains are asked of; empty: the servers of the system. */
  readonly dnsServers: readonly string[];
  /** Where people forward suspicious mails to; undefined: nowhere. */
  readonly reportMailbox: ReportMailboxConfig | undefined;
  /** The contact in security.txt; undefined: there is no such file. */
  readonly securityContact: string | undefined;
  /** The key of the demo that the documentation shows to everybody; undefined: people fill in their own. */
  readonly demoKey: string | undefined;
}

export type Role = (typeof ROLES)[number];
const ROLES = ['api', 'mcp', 'worker', 'simulate'] as const;
/** Nobody is sent a simulation before an operator has asked for it. */
const DEFAULT_ROLES = 'api,mcp,worker';

/** Whether a role answers requests. The others take jobs. */
export function servesHttp(role: Role): boolean {
  return role === 'api' || role === 'mcp';
}

export interface MetricsConfig {
  readonly host: string;
  readonly port: number;
}

export interface WebhooksConfig {
  /** The ports besides 443. */
  readonly ports: readonly number[];
  /** The host names of this service, which are refused. */
  readonly ownHosts: readonly string[];
  /** Networks of the operator's that webhooks may be sent to although they are not public. */
  readonly allowedNetworks: readonly string[];
  /** Lets addresses of this machine pass, by http too and on any port: for the demo alone. */
  readonly allowsLoopback: boolean;
}

export interface BreachFeedConfig {
  /** Without a slash at the end. */
  readonly url: string;
  readonly key: string;
}

export interface MailConfig {
  readonly delivery: MailDelivery;
  readonly from: MailAddress;
  /** Who answers what people reply. */
  readonly contact: string;
  /** Where learners take their training; undefined: messages do not link to it. */
  readonly trainingUrl: string | undefined;
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * Reads and checks the environment.
 * @throws {ConfigError} naming the variable that is missing or wrong.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const host = env.HOST ?? '127.0.0.1';
  const port = integer(env, 'PORT', 3000, 0, 65_535);
  const runs = roles(env, 'ROLES');
  const publicUrl = baseUrl(env, 'PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const oauthSecrets = secrets(env, 'OAUTH_SECRET');
  if (runs.includes('mcp')) requireToolServer(env, publicUrl, oauthSecrets);
  const mails = mail(env);
  const freeMail = {
    added: domains(env, 'FREE_MAIL_EXTRA_DOMAINS'),
    excepted: domains(env, 'FREE_MAIL_ALLOWED_DOMAINS'),
  };
  const simulating = { sends: runs.includes('simulate'), publicUrl, mailDelivery: mails?.delivery, freeMail };
  return Object.freeze({
    host,
    port,
    databasePoolSize: integer(env, 'DATABASE_POOL_SIZE', 10, 1, 1000),
    redisUrl: address(env, 'REDIS_URL', /^rediss?:$/, 'redis://user:password@host:6379'),
    statementTimeoutMs: integer(env, 'STATEMENT_TIMEOUT_MS', 12_000, 1, 600_000),
    rateLimitPerMinute: integer(env, 'RATE_LIMIT_PER_MINUTE', 600, 0, 100_000_000),
    authFailuresPerMinute: integer(env, 'AUTH_FAILURES_PER_MINUTE', 60, 0, 100_000_000),
    keyCacheMs: integer(env, 'KEY_CACHE_MS', 5000, 0, 60_000),
    trustedProxyHops: integer(env, 'TRUSTED_PROXY_HOPS', 0, 0, 10),
    corsOrigins: origins(env, 'CORS_ORIGINS'),
    clientWriteTimeoutMs: integer(env, 'CLIENT_WRITE_TIMEOUT_MS', 30_000, 100, 600_000),
    drainTimeoutMs: integer(env, 'DRAIN_TIMEOUT_MS', 10_000, 0, 600_000),
    drainDelayMs: integer(env, 'DRAIN_DELAY_MS', 0, 0, 600_000),
    keepAliveMs: integer(env, 'KEEP_ALIVE_MS', 75_000, 1000, 3_600_000),
    logLevel: readChoice(env, 'LOG_LEVEL', 'info', LOG_LEVELS),
    roles: runs,
    processes: processes(env, runs),
    publicUrl,
    mail: mails,
    metrics: metrics(env, port),
    breachFeed: breachFeed(env),
    signatureRetentionDays: integer(env, 'SIGNATURE_RETENTION_DAYS', 1096, 30, 36_500),
    workerConcurrency: integer(env, 'WORKER_CONCURRENCY', 5, 1, 100),
    oauthSecrets,
    secretsKeys: encryptionKeys(env, 'SECRETS_KEY'),
    webhooks: webhooks(env, publicUrl),
    freeMail,
    contentFolder: env.CONTENT_FOLDER || undefined,
    simulations: simulationSettings(env, simulating),
    dnsServers: dnsServers(env, 'DNS_SERVERS'),
    reportMailbox: reportMailbox(env, runs.includes('simulate') && !mails),
    securityContact: securityContact(env, 'SECURITY_CONTACT'),
    demoKey: demoKey(env, 'DOCS_DEMO_KEY'),
  });
}

function roles(env: Env, name: string): Role[] {
  const values = (env[name] || DEFAULT_ROLES).split(',').map((value) => value.trim());
  const roleList = ROLES.filter((role) => values.includes(role));
  if (roleList.length !== values.length) throw new ConfigError(`${name} must be a list of ${ROLES.join(', ')}`);
  return roleList;
}

/** Whoever opens the documentation can read it there, so it is none but a fixed key of the demo. */
function demoKey(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  if (!value) return undefined;
  if (env.NODE_ENV === 'production') throw new ConfigError(`${name} must not be set when NODE_ENV is production`);
  if (!/^sk_demo[0-9a-z]{8}_[0-9a-f]{72}$/.test(value)) {
    throw new ConfigError(`${name} must be one of the demo's keys: the documentation shows it to everybody`);
  }
  return value;
}

/** With addresses of this machine, whoever has a key reaches what listens there: so that is for trying things out. */
function webhooks(env: Env, publicUrl: string): WebhooksConfig {
  const name = 'WEBHOOKS_ALLOW_LOOPBACK';
  const allowsLoopback = readChoice(env, name, 'no', ['no', 'yes']) === 'yes';
  if (allowsLoopback && env.NODE_ENV === 'production') {
    throw new ConfigError(`${name} must not be yes when NODE_ENV is production`);
  }
  const allowedNetworks = networks(env, 'WEBHOOK_ALLOWED_NETWORKS');
  return { ports: [8443], ownHosts: [new URL(publicUrl).hostname], allowedNetworks, allowsLoopback };
}

/** One for each core with `auto`. */
function processes(env: Env, roles: readonly Role[]): number {
  const count = env.HTTP_PROCESSES === 'auto' ? availableParallelism() : integer(env, 'HTTP_PROCESSES', 1, 1, 256);
  if (env.HTTP_PROCESSES && !roles.some(servesHttp)) {
    throw new ConfigError('HTTP_PROCESSES is for processes that answer requests: give one of the roles api and mcp');
  }
  return count;
}

/** The tool server's authorization server is an origin: its documents stand at its root, and clients compare addresses. */
function requireToolServer(env: Env, publicUrl: string, oauthSecrets: readonly string[]): void {
  const address = new URL(publicUrl);
  const { pathname, protocol } = address;
  const without = `with the role mcp; ROLES=api,worker does without it`;
  if (pathname !== '/') {
    throw new ConfigError(`PUBLIC_URL must have no path, such as https://awareness.example.org, ${without}`);
  }
  const inProduction = env.NODE_ENV === 'production';
  if (inProduction && !env.PUBLIC_URL) throw new ConfigError(`PUBLIC_URL is required ${without}`);
  if (inProduction && protocol !== 'https:' && !isLoopback(address)) {
    throw new ConfigError(`PUBLIC_URL must be an https:// address ${without}`);
  }
  if ((inProduction || protocol === 'https:') && oauthSecrets.length === 0) {
    throw new ConfigError(`OAUTH_SECRET is required ${without}`);
  }
}

/** Metrics are for the operator alone, so their port is never the one that clients reach. */
function metrics(env: Env, publicPort: number): MetricsConfig | undefined {
  if (!env.METRICS_PORT) return undefined;
  const port = integer(env, 'METRICS_PORT', 0, 0, 65_535);
  if (port !== 0 && port === publicPort) throw new ConfigError('METRICS_PORT must be another port than PORT');
  return { host: env.METRICS_HOST || '127.0.0.1', port };
}

/** With an SMTP server real people are written to: who writes, and where links lead, is then not guessed. */
function mail(env: Env): MailConfig | undefined {
  const smtpUrl = address(env, 'SMTP_URL', /^smtps?:$/, 'smtp://user:password@host:587');
  const folder = env.MAIL_FOLDER || undefined;
  if (smtpUrl === undefined && folder === undefined) return undefined;
  for (const name of smtpUrl === undefined ? [] : ['MAIL_FROM', 'PUBLIC_URL']) {
    if (!env[name]) throw new ConfigError(`${name} is required with SMTP_URL`);
  }
  const from = mailAddress(env, 'MAIL_FROM') ?? { name: 'Security Awareness', address: 'awareness@localhost.invalid' };
  return {
    delivery: smtpUrl === undefined ? { folder: folder! } : { smtpUrl },
    from,
    contact: mailAddress(env, 'MAIL_CONTACT')?.address ?? from.address,
    trainingUrl: webUrl(env, 'TRAINING_URL'),
  };
}

/** The key is sent with each request, so nobody on the way may read it. */
function breachFeed(env: Env): BreachFeedConfig | undefined {
  const key = env.BREACH_FEED_KEY?.trim();
  const url = baseUrl(env, 'BREACH_FEED_URL') ?? 'https://haveibeenpwned.com/api/v3';
  if (!key) {
    if (env.BREACH_FEED_URL?.trim()) throw new ConfigError('BREACH_FEED_KEY is required with BREACH_FEED_URL');
    return undefined;
  }
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ConfigError('BREACH_FEED_KEY must be printable ASCII without spaces');
  const feed = new URL(url);
  if (feed.protocol === 'http:' && !isLoopback(feed)) {
    throw new ConfigError('BREACH_FEED_URL must be an https:// address, unless it is on this machine');
  }
  return { url, key };
}
