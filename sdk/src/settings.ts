import type { ClientOptions } from './options.ts';

/** The validated options of a client. */
export interface Settings {
  /** The URL of the API, without a trailing slash. */
  readonly baseUrl: string;
  readonly authorization: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryWaitMs: number;
  readonly fetch: NonNullable<ClientOptions['fetch']>;
  readonly onDeprecation: NonNullable<ClientOptions['onDeprecation']>;
}

/** Validates options. @throws {TypeError} that names the invalid option and never contains the key */
export function readSettings(options: ClientOptions): Settings {
  const { apiKey, timeoutMs = 60_000, maxRetries = 3, maxRetryWaitMs = 60_000 } = options;
  // Checked here, because the error that `fetch` throws would contain the invalid header.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey is required, and must be ASCII characters without white space');
  return {
    baseUrl: checkBaseUrl(options),
    authorization: `Bearer ${apiKey}`,
    timeoutMs: checked('timeoutMs', timeoutMs, 1),
    maxRetries: checked('maxRetries', maxRetries, 0),
    maxRetryWaitMs: checked('maxRetryWaitMs', maxRetryWaitMs, 0),
    onDeprecation: options.onDeprecation ?? (() => undefined),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  };
}

/** The longest delay of timers, in milliseconds. */
const MOST = 2 ** 31 - 1;

/** Returns the value. @throws {TypeError} unless it is a whole number from `least` to the longest delay of timers */
export function checked(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= MOST) return value;
  throw new TypeError(`${name} must be a whole number from ${least} to ${MOST}`);
}

/** Returns the key. @throws {TypeError} unless a header can carry it and the service accepts it */
export function checkedKey(key: string): string {
  if (/^[\x21\x23-\x7e][\x21-\x7e]{0,254}$/.test(key)) return key;
  throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters');
}

function checkBaseUrl({ baseUrl, allowInsecureHttp = false }: ClientOptions): string {
  const url = parseUrl(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must be an https URL');
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError('baseUrl must have no user, query or fragment');
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !isLocal && !allowInsecureHttp)
    throw new TypeError(
      'baseUrl must use https, because http shows the key to the network; allowInsecureHttp allows http',
    );
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path || '/v1'}`;
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
