import { readFileSync, statSync } from 'node:fs';
import { ConfigError, type Env } from './variables.ts';

/** The settings that hold secrets. `NAME_FILE` names a file with the value of `NAME`. */
const SECRETS = [
  ...(['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL', 'DATABASE_OWNER_URL', 'REDIS_URL'] as const),
  ...(['SMTP_URL', 'SIMULATION_SMTP_URL', 'REPORT_MAILBOX_URL', 'OAUTH_SECRET', 'SECRETS_KEY'] as const),
  ...(['BREACH_FEED_KEY', 'BOUNCE_MAILBOX_URL', 'BOUNCE_WEBHOOK_SECRET'] as const),
  ...['MAIL_OAUTH', 'SIMULATION_OAUTH', 'REPORT_MAILBOX_OAUTH', 'BOUNCE_MAILBOX_OAUTH'].flatMap((prefix) =>
    ['CLIENT_SECRET', 'REFRESH_TOKEN', 'SERVICE_ACCOUNT'].map((name) => `${prefix}_${name}`),
  ),
];

const MAX_BYTES = 65_536;

/**
 * Returns the environment with the contents of the secret files that it names, such as files that Docker and Kubernetes
 * mount.
 * @throws {ConfigError} if a file cannot be read, is empty or larger than 64 KiB, or if its setting is also set
 */
export function readEnvironment(env: Env = process.env): Env {
  const named = SECRETS.filter((name) => env[`${name}_FILE`]);
  return { ...env, ...Object.fromEntries(named.map((name) => [name, readSecret(env, name)])) };
}

function readSecret(env: Env, name: string): string {
  if (env[name]) throw new ConfigError(`Set either ${name} or ${name}_FILE, not both`);
  const text = readText(env[`${name}_FILE`]!, `${name}_FILE`).trim();
  if (text === '') throw new ConfigError(`${name}_FILE names an empty file`);
  return text;
}

function readText(path: string, name: string): string {
  try {
    if (statSync(path).size <= MAX_BYTES) return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `${name} names a file that cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
    );
  }
  throw new ConfigError(`${name} names a file of more than ${MAX_BYTES / 1024} KiB`);
}
