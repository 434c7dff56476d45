import { type DkimKey, dkimKey } from './dkim-key.ts';
import { type FreeMailSettings, freeMailDomains } from './free-mail.ts';
import { type MailDelivery, simulationServer } from './mail-settings.ts';
import { baseUrl, ConfigError, domains, type Env, integer } from './variables.ts';

/** The settings of the phishing simulations that the service runs itself. */
export interface SimulationsConfig {
  /** The domains that phishing emails can come from, in lower case. */
  readonly senders: readonly string[];
  /** The prefix of links, without a trailing slash. `{sender}` in it stands for the sender's domain. */
  readonly url: string;
  /** The way to send messages; undefined if this process has none. */
  readonly delivery: MailDelivery | undefined;
  /** The key with which this process signs messages; undefined if it does not sign. */
  readonly dkim: DkimKey | undefined;
  /** Maximum number of messages per minute to one recipient domain. */
  readonly ratePerMinute: number;
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
  const delivery = simulationServer(env) ?? others.mailDelivery;
  if (others.sends) requireWayOut(env, delivery);
  return {
    senders,
    url: linkBase(env, senders) ?? others.publicUrl,
    delivery,
    dkim: others.sends ? dkimKey(env, 'SIMULATION_DKIM') : undefined,
    ratePerMinute: integer(env, 'SIMULATION_RATE_PER_MINUTE', 60, 1, 100_000),
  };
}

/** Returns the URL prefix of links in messages from a domain. */
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
    throw new ConfigError(
      `SIMULATION_SENDER_DOMAINS must not name ${refused}, which belongs to a free e-mail provider`,
    );
}

/** Requires a delivery. A server reaches real people, so it also requires an explicit URL for links. */
function requireWayOut(env: Env, delivery: MailDelivery | undefined): void {
  if (!delivery) {
    throw new ConfigError(
      'SIMULATION_SMTP_URL, SMTP_URL, MAIL_GRAPH_URL or MAIL_FOLDER is required with the role simulate',
    );
  }
  if (!('folder' in delivery) && !env.SIMULATION_URL && !env.PUBLIC_URL) {
    throw new ConfigError('SIMULATION_URL or PUBLIC_URL is required with SIMULATION_SMTP_URL');
  }
}

/** Reads the prefix of links, which must be a valid URL with each sender's domain inserted. */
function linkBase(env: Env, senders: readonly string[]): string | undefined {
  const name = 'SIMULATION_URL';
  for (const sender of senders) baseUrl({ [name]: env[name]?.replaceAll(SENDER, sender) }, name);
  return env[name]?.trim().replace(/\/+$/, '') || undefined;
}
