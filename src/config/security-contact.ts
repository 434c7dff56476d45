import { ConfigError, type Env } from './variables.ts';

const MAILBOX = /^mailto:[\w.!#$%&'*+/=?^`{|}~-]+@([a-z0-9-]+\.)+[a-z0-9-]+$/i;

/**
 * Reads the contact for reports of vulnerabilities: a `mailto:` or an `https:` URI of printable ASCII characters.
 * @throws {ConfigError} for any other value
 */
export function securityContact(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  if (!value) return undefined;
  if (MAILBOX.test(value) || isPage(value)) return value;
  throw new ConfigError(`${name} must be a URL such as mailto:security@example.org or https://example.org/security`);
}

function isPage(value: string): boolean {
  return /^https:\/\/[\x21-\x7e]+$/i.test(value) && URL.canParse(value) && new URL(value).username === '';
}
