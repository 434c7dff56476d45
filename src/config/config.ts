import { availableParallelism } from 'node:os';
import { type BounceSettings, bounceSettings } from './bounce-settings.ts';
import { contentHost, type ContentHost } from './content-url.ts';
import { type MailConfig, mailSettings } from './mail-settings.ts';
import { packageLimits, type PackageLimits } from './package-limits.ts';
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
  readChoice,
  origins,
  secrets,
} from './variables.ts';

/** The configuration of the process, read from its environment once. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly databasePoolSize: number;
  /** URL of the Redis in which processes add up the hits of rate limits; undefined to use the database. */
  readonly redisUrl: string | undefined;
  readonly statementTimeoutMs: number;
  /** Maximum number of requests per key and minute; 0 turns the limit off. */
  readonly rateLimitPerMinute: number;
  /**
   * Maximum failed authentications, and maximum requests without a key, per IP address and minute; 0 turns both limits
   * off.
   */
  readonly authFailuresPerMinute: number;
  readonly keyCacheMs: number;
  /** The number of trusted proxies in front of the service, which add entries to X-Forwarded-For. */
  readonly trustedProxyHops: number;
  /** Origins that can call keyed operations from a browser; with an empty list, none can. */
  readonly corsOrigins: readonly string[];
  readonly clientWriteTimeoutMs: number;
  readonly drainTimeoutMs: number;
  /** Time for which the process still listens after SIGTERM, so that load balancers notice the shutdown. */
  readonly drainDelayMs: number;
  /** Time after which an idle connection is closed. Load balancers must close idle connections earlier. */
  readonly keepAliveMs: number;
  /** Whether the service compresses responses; false if a proxy does. */
  readonly compression: boolean;
  readonly logLevel: string;
  readonly roles: readonly Role[];
  /** The number of processes that serve requests. If it is more than one, a supervisor starts them. */
  readonly processes: number;
  /** The public URL of the service, with which links in messages begin, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether `NODE_ENV` is `production`. */
  readonly isProduction: boolean;
  /** The mail settings; undefined if messages are not sent, but remain in the queue. */
  readonly mail: MailConfig | undefined;
  /** Host and port of the metrics for Prometheus; undefined if the process serves none. */
  readonly metrics: MetricsConfig | undefined;
  /** The source of breach data; undefined for the local feed. */
  readonly breachFeed: BreachFeedConfig | undefined;
  /** Days for which signatures are retained after their learner or policy was deleted. */
  readonly signatureRetentionDays: number;
  /** Maximum number of jobs that the process runs at once. */
  readonly workerConcurrency: number;
  /** Secrets for the cookies and forms of approvals. The first signs, all verify. If empty, one is generated. */
  readonly oauthSecrets: readonly string[];
  /**
   * Keys that encrypt the secrets of GoPhish sources and of webhook endpoints. The first encrypts, all decrypt. If the
   * list is empty, neither can be created.
   */
  readonly secretsKeys: readonly Buffer[];
  /** Rules for the URLs to which webhooks can be sent. */
  readonly webhooks: WebhooksConfig;
  /** Corrections to the lists of free e-mail providers: missing domains, and domains listed by mistake. */
  readonly freeMail: Readonly<Record<'added' | 'excepted', readonly string[]>>;
  readonly packageLimits: PackageLimits;
  /** The folder of the authored courses; undefined for the courses that come with the service. */
  readonly contentFolder: string | undefined;
  /** The host of course packages; undefined if they play in a sandbox of the service's own host. */
  readonly contentHost: ContentHost | undefined;
  /** The settings of simulations; undefined if simulations are disabled. */
  readonly simulations: SimulationsConfig | undefined;
  /** The servers to query for DNS records of domains; empty for the system's servers. */
  readonly dnsServers: readonly string[];
  /** The mailbox to which people forward suspicious emails; undefined if none is configured. */
  readonly reportMailbox: ReportMailboxConfig | undefined;
  /** The return paths of messages and the mailbox of bounces; undefined if BOUNCE_ADDRESS is not set. */
  readonly bounces: BounceSettings | undefined;
  /** The contact in security.txt; undefined if the file is not served. */
  readonly securityContact: string | undefined;
  /** The demo's API key, which the documentation shows to everybody; undefined if people must use their own keys. */
  readonly demoKey: string | undefined;
}

export type Role = (typeof ROLES)[number];
const ROLES = ['api', 'mcp', 'worker', 'simulate'] as const;
/** Default roles. They exclude `simulate`, so no simulation is sent unless an operator enables this role. */
const DEFAULT_ROLES = 'api,mcp,worker';

/** Reports whether a role serves requests. The other roles run jobs. */
export function servesHttp(role: Role): boolean {
  return role === 'api' || role === 'mcp';
}

export interface MetricsConfig {
  readonly host: string;
  readonly port: number;
}

export interface WebhooksConfig {
  /** Allowed ports in addition to 443. */
  readonly ports: readonly number[];
  /** Host names of this service, which are rejected. */
  readonly ownHosts: readonly string[];
  /** Private networks of the operator that webhooks can be sent to. */
  readonly allowedNetworks: readonly string[];
  /** Whether loopback addresses are allowed, even over http and on any port. Only for the demo. */
  readonly allowsLoopback: boolean;
}

export interface BreachFeedConfig {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  readonly key: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * Reads and checks the environment.
 * @throws {ConfigError} naming the variable that is missing or invalid
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const host = env.HOST ?? '127.0.0.1';
  const port = integer(env, 'PORT', 3000, 0, 65_535);
  const runs = roles(env, 'ROLES');
  const publicUrl = baseUrl(env, 'PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const oauthSecrets = secrets(env, 'OAUTH_SECRET');
  if (runs.includes('mcp')) requireToolServer(env, publicUrl, oauthSecrets);
  const secretsKeys = encryptionKeys(env, 'SECRETS_KEY');
  const mails = mailSettings(env, !runs.every(servesHttp));
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
    compression: readChoice(env, 'COMPRESSION', 'on', ['on', 'off']) === 'on',
    logLevel: readChoice(env, 'LOG_LEVEL', 'info', LOG_LEVELS),
    roles: runs,
    processes: processes(env, runs),
    isProduction: env.NODE_ENV === 'production',
    publicUrl,
    mail: mails,
    metrics: metrics(env, port),
    breachFeed: breachFeed(env),
    signatureRetentionDays: integer(env, 'SIGNATURE_RETENTION_DAYS', 1096, 30, 36_500),
    workerConcurrency: integer(env, 'WORKER_CONCURRENCY', 5, 1, 100),
    oauthSecrets,
    secretsKeys,
    webhooks: webhooks(env, publicUrl),
    freeMail,
    packageLimits: packageLimits(env),
    contentFolder: env.CONTENT_FOLDER || undefined,
    contentHost: contentHost(env, 'CONTENT_URL', publicUrl),
    simulations: simulationSettings(env, simulating),
    dnsServers: dnsServers(env, 'DNS_SERVERS'),
    reportMailbox: reportMailbox(env, runs.includes('simulate') && !mails),
    bounces: bounceSettings(env, secretsKeys),
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

/** Reads the demo's API key. The documentation shows it to everybody, so only the demo's fixed keys are accepted. */
function demoKey(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  if (!value) return undefined;
  if (env.NODE_ENV === 'production') throw new ConfigError(`${name} must not be set when NODE_ENV is production`);
  if (!/^sk_demo[0-9a-z]{8}_[0-9a-f]{72}$/.test(value)) {
    throw new ConfigError(
      `${name} must be one of the demo's fixed keys (sk_demo…), because the documentation shows it to everybody`,
    );
  }
  return value;
}

/** Reads the rules for webhooks. Production rejects loopback, which lets anybody with a key reach this machine. */
function webhooks(env: Env, publicUrl: string): WebhooksConfig {
  const name = 'WEBHOOKS_ALLOW_LOOPBACK';
  const allowsLoopback = readChoice(env, name, 'no', ['no', 'yes']) === 'yes';
  if (allowsLoopback && env.NODE_ENV === 'production') {
    throw new ConfigError(`${name} must not be yes when NODE_ENV is production`);
  }
  const allowedNetworks = networks(env, 'WEBHOOK_ALLOWED_NETWORKS');
  return { ports: [8443], ownHosts: [new URL(publicUrl).hostname], allowedNetworks, allowsLoopback };
}

/** Reads the number of HTTP processes. `auto` means one for each core. */
function processes(env: Env, roles: readonly Role[]): number {
  const count = env.HTTP_PROCESSES === 'auto' ? availableParallelism() : integer(env, 'HTTP_PROCESSES', 1, 1, 256);
  if (env.HTTP_PROCESSES && !roles.some(servesHttp)) {
    throw new ConfigError('HTTP_PROCESSES requires the role api or mcp');
  }
  return count;
}

/**
 * Checks the settings of the role `mcp`. The authorization server must be an origin, because its documents are at the
 * root and clients compare URLs.
 */
function requireToolServer(env: Env, publicUrl: string, oauthSecrets: readonly string[]): void {
  const address = new URL(publicUrl);
  const { pathname, protocol } = address;
  const remedy = 'set ROLES=api,worker to run without that role';
  if (pathname !== '/') {
    throw new ConfigError(
      `PUBLIC_URL must be an origin (such as https://awareness.example.org) when the role mcp is enabled; ${remedy}`,
    );
  }
  const inProduction = env.NODE_ENV === 'production';
  if (inProduction && !env.PUBLIC_URL)
    throw new ConfigError(`PUBLIC_URL is required when the role mcp is enabled; ${remedy}`);
  if (inProduction && protocol !== 'https:' && !isLoopback(address)) {
    throw new ConfigError(`PUBLIC_URL must be an https:// URL when the role mcp is enabled; ${remedy}`);
  }
  if ((inProduction || protocol === 'https:') && oauthSecrets.length === 0) {
    throw new ConfigError(`OAUTH_SECRET is required when the role mcp is enabled; ${remedy}`);
  }
}

/**
 * Reads the host and port of the metrics. The metrics are only for the operator, so their port must differ from the
 * public port.
 */
function metrics(env: Env, publicPort: number): MetricsConfig | undefined {
  if (!env.METRICS_PORT) return undefined;
  const port = integer(env, 'METRICS_PORT', 0, 0, 65_535);
  if (port !== 0 && port === publicPort) throw new ConfigError('METRICS_PORT must differ from PORT');
  return { host: env.METRICS_HOST || '127.0.0.1', port };
}

/** Reads the breach feed. Each request carries the key, so the URL must be https unless it is on this machine. */
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
    throw new ConfigError('BREACH_FEED_URL must be an https:// URL unless it is on this machine');
  }
  return { url, key };
}
