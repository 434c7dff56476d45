import { Resolver } from 'node:dns';

/** An error for a setting that is missing or invalid. The message names the setting, for the operator. */
export class ConfigError extends Error {}

/** The environment, or a test's stand-in for it. */
export type Env = Record<string, string | undefined>;

/**
 * Reads a whole number within bounds. Like all functions of this file, it throws a ConfigError for an invalid value.
 */
export function integer(env: Env, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}`);
  }
  return value;
}

/** Reads one of a list of allowed words. */
export function readChoice(env: Env, name: string, fallback: string, allowed: readonly string[]): string {
  const value = env[name] || fallback;
  if (!allowed.includes(value)) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}`);
  return value;
}

/** Reads a comma-separated list, without spaces around its values. */
export function listed(env: Env, name: string): string[] {
  const text = env[name]?.trim() ?? '';
  return text.split(/\s*,\s*/).filter(Boolean);
}

/** Reads web origins; `*` is also accepted. */
export function origins(env: Env, name: string): string[] {
  const values = listed(env, name);
  if (values.every((value) => value === '*' || (URL.canParse(value) && new URL(value).origin === value))) return values;
  throw new ConfigError(`${name} must be a comma-separated list of origins such as https://tools.example.org, or *`);
}

/** Reads domain names, and returns them in lower case. */
export function domains(env: Env, name: string): string[] {
  const values = listed(env, name).map((value) => value.toLowerCase());
  if (values.every((value) => /^([a-z0-9-]+\.)+[a-z0-9-]+$/.test(value))) return values;
  throw new ConfigError(`${name} must be a comma-separated list of domains such as mail.example, club.example`);
}

/** Reads secrets of 32 characters or more. */
export function secrets(env: Env, name: string): string[] {
  const given = listed(env, name);
  if (given.some((value) => value.length < 32)) {
    throw new ConfigError(`${name} must have at least 32 characters, such as the output of openssl rand -hex 32`);
  }
  return given;
}

/** Reads keys of 32 bytes in base64. */
export function encryptionKeys(env: Env, name: string): Buffer[] {
  return listed(env, name).map((text) => {
    const key = Buffer.from(text, 'base64');
    if (key.length === 32 && key.toString('base64') === text) return key;
    throw new ConfigError(`${name} must be 32 bytes in base64, such as the output of openssl rand -base64 32`);
  });
}

/** Reads an e-mail address, with or without a name: `Name <address>`. */
export function mailAddress(env: Env, name: string): { name: string; address: string } | undefined {
  const text = env[name]?.trim();
  if (!text) return undefined;
  const parts = /^(?:"?([^"<>\r\n]*?)"? *<([^<>\s]+)>|([^<>\s]+))$/.exec(text);
  const mailbox = { name: parts?.[1] ?? '', address: parts?.[2] ?? parts?.[3] ?? '' };
  if (!/^[^@]+@[^@]+$/.test(mailbox.address)) {
    throw new ConfigError(`${name} must be an address such as Security Awareness <awareness@example.org>`);
  }
  return mailbox;
}

/** Reads an `http:` or `https:` URL. */
export function webUrl(env: Env, name: string): string | undefined {
  return address(env, name, /^https?:$/, 'https://awareness.example.org');
}

/** Reads a URL to which paths are appended. Removes trailing slashes. */
export function baseUrl(env: Env, name: string): string | undefined {
  const value = webUrl(env, name);
  if (value !== undefined && /[?#]/.test(value)) throw new ConfigError(`${name} must not contain ? or #`);
  return value?.replace(/\/+$/, '');
}

/** Reads a URL with the given protocol. Errors never repeat the value, because it can hold a password. */
export function address(env: Env, name: string, protocol: RegExp, example: string): string | undefined {
  const value = env[name]?.trim();
  if (!value) return undefined;
  if (!URL.canParse(value) || !protocol.test(new URL(value).protocol) || !new URL(value).hostname) {
    throw new ConfigError(`${name} must be a URL such as ${example}`);
  }
  return value;
}

/** Reads a `postgres://` URL. Errors never repeat the value, because it holds a password. */
export function postgresUrl(env: Env, name: string): string {
  const value = env[name]?.trim();
  if (!value) throw new ConfigError(`${name} is required, such as postgres://user:password@host:5432/database`);
  if (!URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol)) {
    throw new ConfigError(
      `${name} must be a postgres:// URL; percent-encode special characters in the password, such as # as %23`,
    );
  }
  return value;
}

/** Reads the IP addresses of DNS servers, each with or without a port. */
export function dnsServers(env: Env, name: string): string[] {
  const values = listed(env, name);
  try {
    new Resolver().setServers(values);
  } catch {
    throw new ConfigError(
      `${name} must be a comma-separated list of IP addresses such as 192.0.2.53, [2001:db8::53]:5353`,
    );
  }
  return values;
}

/** Reports whether a URL leads to the local machine. */
export function isLoopback({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
