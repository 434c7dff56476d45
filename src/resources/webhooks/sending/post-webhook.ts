import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type ConnectorOptions, createConnector, RefusedAddressError } from '../../../outbound/connector.ts';
import { listExtraNetworks } from '../../../outbound/networks.ts';
import { type AddressRules, judgeAddress } from './address-guard.ts';

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 20_000;
const MAX_TEXT_BYTES = 2048;
/** Milliseconds for which an idle connection is kept open for the next event. */
const IDLE_MS = 4000;

/** Result of an attempt: the response status, or the reason why there is no response. */
export type WebhookResponse = {
  /** Value of Retry-After. */
  retryAfter: string | undefined;
  /** First 2 kB of the response, in characters that Postgres can store. */
  text: string;
} & ({ status: number; failure: null } | { status: null; failure: WebhookFailure });

/** Posts a body unchanged. Never throws. */
export type PostWebhook = (url: string, headers: Record<string, string>, body: string) => Promise<WebhookResponse>;

export interface SenderOptions extends Pick<ConnectorOptions, 'resolve' | 'ca'> {
  timeoutMs?: number;
}

/**
 * Creates a sender that connects only to IP addresses that the rules allow. The sender follows no redirects, uses no
 * proxy, gives up after 15 seconds in total and reads at most 20 kB of the response.
 */
export function createWebhookSender(rules: AddressRules, options: SenderOptions = {}): PostWebhook {
  const { timeoutMs = TIMEOUT_MS, ...connecting } = options;
  const allowedNetworks = listExtraNetworks(rules);
  const connector = createConnector({ ...connecting, allowedNetworks, keepAliveMs: IDLE_MS });
  return async (url, headers, body) => {
    if (judgeAddress(url, rules) !== undefined) return createFailure('refused_address');
    const signal = AbortSignal.timeout(timeoutMs);
    return exchange(url, { headers, bytes: Buffer.from(body), signal }).catch((error: unknown) =>
      createFailure(toWebhookFailure(error)),
    );
  };

  async function exchange(url: string, { headers, bytes, signal }: Sent): Promise<WebhookResponse> {
    const all = { accept: '*/*', ...headers, 'content-length': bytes.length };
    const request = connector(url, { method: 'POST', headers: all, signal });
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    request.end(bytes);
    const [response] = await answered.catch((error: NodeJS.ErrnoException) => {
      // A receiver can close a kept connection at any time.
      if (request.reusedSocket && error.code === 'ECONNRESET') return [undefined];
      throw error;
    });
    if (!response) return exchange(url, { headers, bytes, signal });
    // Once the response has begun, a connection error does not change the result.
    request.on('error', () => undefined);
    const text = decodeText(await drain(response));
    return { status: response.statusCode!, failure: null, retryAfter: response.headers['retry-after'], text };
  }
}

interface Sent {
  headers: Record<string, string>;
  bytes: Buffer;
  signal: AbortSignal;
}

function createFailure(failure: WebhookFailure): WebhookResponse {
  return { status: null, failure, retryAfter: undefined, text: '' };
}

/**
 * Reads up to 20 kB of a response, so that the connection can be reused after a short response. Returns the first 2 kB.
 */
async function drain(response: IncomingMessage): Promise<Buffer> {
  const beginning: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (size < MAX_TEXT_BYTES) beginning.push(chunk.subarray(0, MAX_TEXT_BYTES - size));
      size += chunk.length;
      if (size >= MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The connection closed early or timed out, but the status still counts.
  } finally {
    if (!response.complete) response.destroy();
  }
  return Buffer.concat(beginning);
}

/** Decodes UTF-8. Invalid bytes, and U+0000, which Postgres cannot store, become replacement characters. */
function decodeText(bytes: Buffer): string {
  return bytes.toString().replaceAll('\0', '\uFFFD');
}

/** Reason why there is no response. */
type WebhookFailure = 'refused_address' | 'name_not_found' | 'connection_failed' | 'tls_failed' | 'timed_out';

const OF_NAMES = /^(ENOTFOUND|EAI_\w+)$/;
const OF_TLS =
  /^(ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|HOSTNAME_MISMATCH|EPROTO|INVALID_CA|\w+_CERT\w*)$/;

/** Classifies a connection error for the endpoint's owner. Drops the message, which can name internal addresses. */
export function toWebhookFailure(error: unknown): WebhookFailure {
  const { name, code, errors = [] } = (error ?? {}) as { name?: string; code?: string; errors?: unknown[] };
  // `errors` has one error for each IP address of the host name. The last error counts.
  if (errors.length > 0) return toWebhookFailure(errors.at(-1));
  if (error instanceof RefusedAddressError) return 'refused_address';
  if (name === 'AbortError' || name === 'TimeoutError') return 'timed_out';
  if (code === 'ETIMEDOUT') return 'timed_out';
  if (code !== undefined && OF_NAMES.test(code)) return 'name_not_found';
  return code !== undefined && OF_TLS.test(code) ? 'tls_failed' : 'connection_failed';
}
