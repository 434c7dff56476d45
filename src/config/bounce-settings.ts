import { type MailboxAccount, mailboxAccount } from './mailbox-account.ts';
import { ConfigError, type Env, secrets } from './variables.ts';

/** The settings of bounces: emails that report that a message was not delivered. */
export interface BounceSettings {
  /** The local part of return paths before the `+`. */
  readonly mailbox: string;
  /** The domain of return paths. `{sender}` stands for the domain of the sender. */
  readonly domain: string;
  /** Secrets from which the keys of signatures are derived. The first signs, all verify. */
  readonly keys: readonly Buffer[];
  /** The mailbox that receives bounces; undefined if this service reads none. */
  readonly account: MailboxAccount | undefined;
  /** Passwords for the webhook of the mail provider; empty if the service has no such webhook. */
  readonly webhookSecrets: readonly string[];
}

const [ADDRESS, ACCOUNT, WEBHOOK] = ['BOUNCE_ADDRESS', 'BOUNCE_MAILBOX', 'BOUNCE_WEBHOOK_SECRET'] as const;
/** Maximum length of the local part, so that it stays within 64 characters with `+` and a token of 42 characters. */
const MAX_LOCAL_PART = 21;
const PATTERN = new RegExp(`^([a-z0-9._-]{1,${MAX_LOCAL_PART}})@(\\{sender\\}|([a-z0-9-]+\\.)+[a-z0-9-]+)$`);

/**
 * Reads the settings of bounces; undefined if BOUNCE_ADDRESS is not set.
 * @throws {ConfigError} naming the variable that is missing or invalid
 */
export function bounceSettings(env: Env, keys: readonly Buffer[]): BounceSettings | undefined {
  const account = mailboxAccount(env, ACCOUNT);
  const webhookSecrets = secrets(env, WEBHOOK);
  const address = env[ADDRESS]?.trim().toLowerCase();
  if (!address) {
    const needing = account ? `${ACCOUNT}_URL` : webhookSecrets.length > 0 ? WEBHOOK : undefined;
    if (needing !== undefined) throw new ConfigError(`${ADDRESS} is required with ${needing}`);
    return undefined;
  }
  const [, mailbox, domain] = PATTERN.exec(address) ?? [];
  if (mailbox === undefined || domain === undefined) {
    throw new ConfigError(
      `${ADDRESS} must be an e-mail address such as bounces@mail.example.org or bounces@{sender}, with at most ${MAX_LOCAL_PART} characters before the @`,
    );
  }
  if (keys.length === 0) throw new ConfigError(`SECRETS_KEY is required with ${ADDRESS}`);
  return { mailbox, domain, keys, account, webhookSecrets };
}
