import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError, type Env } from './variables.ts';

export interface DkimKey {
  readonly selector: string;
  /** The private RSA key, parsed once: parsing its PEM takes as long as signing an email, about 0.2 ms. */
  readonly privateKey: KeyObject;
}

/**
 * Reads the key that signs messages, from the settings `…_KEY_FILE` and `…_SELECTOR`; undefined if neither is set. The
 * key must be RSA: nodemailer 10.6 signs with no other, and many receivers do not verify Ed25519 (RFC 8463).
 * @throws {ConfigError} naming the variable that is missing or invalid
 */
export function dkimKey(env: Env, prefix: 'MAIL_DKIM' | 'SIMULATION_DKIM'): DkimKey | undefined {
  const [file, selector] = [`${prefix}_KEY_FILE`, `${prefix}_SELECTOR`];
  if (!env[file] && !env[selector]) return undefined;
  for (const [name, other] of [[file, selector] as const, [selector, file] as const]) {
    if (!env[name]) throw new ConfigError(`${name} is required with ${other}`);
  }
  if (!/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(env[selector]!)) {
    throw new ConfigError(`${selector} must be a name such as simulations-2026`);
  }
  return { selector: env[selector]!, privateKey: privateKey(env[file]!, file) };
}

function privateKey(path: string, name: string): KeyObject {
  try {
    const key = createPrivateKey(readFileSync(path, 'utf8'));
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Falls through to the same error, which repeats nothing from the file.
  }
  throw new ConfigError(
    `${name} must name a file with a private RSA key in PEM, such as the output of openssl genrsa 2048`,
  );
}
