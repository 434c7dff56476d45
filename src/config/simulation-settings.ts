import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type FreeMailSettings, freeMailDomains } from './free-mail.ts';
import { address, baseUrl, ConfigError, domains, type Env, integer, type MailDelivery } from './variables.ts';

/** The settings of the phishing simulations that the service runs itself. */
export interface SimulationsConfig {
  /** The domains that phishing emails can come from, in lower case. */
  readonly senders: readonly string[];
  /** The beginning of links, without a slash at the end. `{sender}` in it stands for the domain of the sender. */
  readonly url: string;
  /** The way to send messages; undefined if this process has none. */
  readonly delivery: MailDelivery | undefined;
  /** The key with which this process signs messages; undefined if it does not sign. */
  readonly dkim: DkimKey | undefined;
  /** Maximum number of messages a minute to the addresses of one domain. */
  readonly ratePerMinute: number;
}

export interface DkimKey {
  readonly selector: string;
  /** The private RSA key in PEM. */
  readonly privateKey: string;
}

/** The other settings that simulations depend on. */
interface Others {
  /** Whether this process sends simulations. */
  sends: boolean;
  publicUrl: string;
  mailDelivery: MailDelivery | undefined;
  freeMail: FreeMailSettings;
}

/**
 * Reads the settings of simulations; undefined if simulations are disabled. The DKIM key is read only by a process that
 * sends.
 * @throws {ConfigError} naming the variable that is missing or invalid
 */
export function simulationSettings(env: Env, others: Others): SimulationsConfig | undefined {
  const senders = domains(env, 'SIMULATION_SENDER_DOMAINS');
  if (senders.length === 0) {
    if (others.sends) throw new ConfigError('SIMULATION_SENDER_DOMAINS is required with the role simulate');
    return undefined;
  }
  refuseFreeMail(senders, others.freeMail);
  const smtpUrl = address(env, 'SIMULATION_SMTP_URL', /^smtps?:$/, 'smtp://user:password@host:587');
  const delivery = smtpUrl === undefined ? others.mailDelivery : { smtpUrl };
  if (others.sends) requireWayOut(env, delivery);
  return {
    senders,
    url: linkBase(env, senders) ?? others.publicUrl,
    delivery,
    dkim: others.sends ? dkimKey(env) : undefined,
    ratePerMinute: integer(env, 'SIMULATION_RATE_PER_MINUTE', 60, 1, 100_000),
  };
}

/** Returns the address with which links in messages from a domain begin. */
export function linksFrom({ url }: Pick<SimulationsConfig, 'url'>, sender: string): string {
  return url.replaceAll(SENDER, sender);
}

const SENDER = '{sender}';

/**
 * Rejects domains of free e-mail providers and all domains below them, because customers of a provider do not own them.
 */
function refuseFreeMail(senders: readonly string[], settings: FreeMailSettings): void {
  const freeMail = freeMailDomains(settings);
  const isFree = (domain: string) =>
    domain.split('.').some((_, at, labels) => freeMail.has(labels.slice(at).join('.')));
  const refused = senders.find(isFree);
  if (refused)
    throw new ConfigError(`SIMULATION_SENDER_DOMAINS must not name ${refused}, which belongs to a free mail provider`);
}

/** Requires a delivery. SMTP reaches real people, so it also requires an explicit address for links. */
function requireWayOut(env: Env, delivery: MailDelivery | undefined): void {
  if (!delivery) {
    throw new ConfigError('SIMULATION_SMTP_URL, SMTP_URL or MAIL_FOLDER is required with the role simulate');
  }
  if ('smtpUrl' in delivery && !env.SIMULATION_URL && !env.PUBLIC_URL) {
    throw new ConfigError('SIMULATION_URL or PUBLIC_URL is required with SIMULATION_SMTP_URL');
  }
}

/** Reads the beginning of links, which must be a valid address with each sender's domain inserted. */
function linkBase(env: Env, senders: readonly string[]): string | undefined {
  const name = 'SIMULATION_URL';
  for (const sender of senders) baseUrl({ [name]: env[name]?.replaceAll(SENDER, sender) }, name);
  return env[name]?.trim().replace(/\/+$/, '') || undefined;
}

function dkimKey(env: Env): DkimKey | undefined {
  const [file, selector] = ['SIMULATION_DKIM_KEY_FILE', 'SIMULATION_DKIM_SELECTOR'];
  if (!env[file] && !env[selector]) return undefined;
  for (const [name, other] of [[file, selector] as const, [selector, file] as const]) {
    if (!env[name]) throw new ConfigError(`${name} is required with ${other}`);
  }
  if (!/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(env[selector]!)) {
    throw new ConfigError(`${selector} must be a name such as simulations-2026`);
  }
  return { selector: env[selector]!, privateKey: privateKey(env[file]!, file) };
}

function privateKey(path: string, name: string): string {
  try {
    const pem = readFileSync(path, 'utf8');
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa') return pem;
  } catch {
    // Falls through to the same error, which repeats nothing from the file.
  }
  throw new ConfigError(`${name} must name a file with a private RSA key in PEM, as openssl genrsa 2048 prints it`);
}
