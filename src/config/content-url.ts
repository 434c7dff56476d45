import { ConfigError, type Env, isLoopback } from './variables.ts';

/** The host that serves the files of course packages, and nothing else. See content-host.ts. */
export interface ContentHost {
  readonly protocol: 'http:' | 'https:';
  /** The host with its port, without the wildcard, in lower case. */
  readonly host: string;
  /** Whether each window of a package gets a different label before the host. */
  readonly isWildcard: boolean;
}

/**
 * Reads the URL of the content host: an origin, with or without `*.` before its host name. Packages are untrusted code,
 * so the host must not be the service's host, nor above or below it: cookies of one host would reach the other.
 */
export function contentHost(env: Env, name: string, publicUrl: string): ContentHost | undefined {
  const value = env[name]?.trim();
  if (!value) return undefined;
  const invalid = `${name} must be an origin such as https://*.content.example or https://content.example`;
  const [, protocol, wildcard, host] = /^(https?:)\/\/(\*\.)?([^/*?#@]+)\/?$/i.exec(value) ?? [];
  if (!protocol || !host || !URL.canParse(`${protocol}//${host}`)) throw new ConfigError(invalid);
  const [content, service] = [new URL(`${protocol}//${host}`), new URL(publicUrl)];
  const isWildcard = wildcard !== undefined;
  if (isWildcard && /^(\[.*\]|[\d.]+)$/.test(content.hostname)) throw new ConfigError(invalid);
  if (content.hostname.endsWith('.')) throw new ConfigError(invalid);
  if (isSameOrBelow(content.hostname, service.hostname) || isSameOrBelow(service.hostname, content.hostname)) {
    throw new ConfigError(`${name} must not be the host of PUBLIC_URL, nor a host above or below it`);
  }
  if (service.protocol === 'https:' && content.protocol !== 'https:') {
    throw new ConfigError(`${name} must be an https:// URL, like PUBLIC_URL`);
  }
  if (env.NODE_ENV === 'production' && content.protocol !== 'https:' && !isLoopback(content)) {
    throw new ConfigError(`${name} must be an https:// URL in production`);
  }
  return Object.freeze({ protocol: content.protocol as ContentHost['protocol'], host: content.host, isWildcard });
}

function isSameOrBelow(host: string, other: string): boolean {
  const [below, above] = [host, other].map((name) => name.replace(/\.$/, '')) as [string, string];
  return below === above || below.endsWith(`.${above}`);
}
