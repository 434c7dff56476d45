// Microsoft Graph as a mail server, for tenants that disable SMTP: POST {user}/sendMail with the whole MIME message,
// encoded in base64. A 202 means that Exchange Online has accepted the message.
//
// - Limits. After 429 or 503, nothing is sent before the time in `Retry-After`: `ready` makes the queue wait, so
//   waiting messages do not use up attempts.
// - Tokens. After a 401, the message is sent once more with a new token. Until then, Exchange has not accepted the
//   message.
// - Refusals. A message is given up only if Graph says that the message or its recipient is invalid. Everything else,
//   such as missing permissions, is for the operator to fix, and the message waits.
// - Duplicates. Graph does not support idempotency keys. If its response is lost, the message is sent again with the
//   same Message-ID.
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { createConnector } from '../../outbound/connector.ts';
import { createFetch } from '../../outbound/fetch.ts';
import { readLimited } from '../../outbound/read-limited.ts';
import { parseRetryAfterMs } from '../../outbound/retry-after.ts';
import type { DeliveryError } from './message-rules.ts';
import type { AccessTokens } from '../oauth/access-tokens.ts';

/** Graph's error codes for messages that would fail on every further attempt. */
const INVALID_MESSAGE = /^Error(Mime|InvalidRecipients|RecipientNotFound|InvalidSmtpAddress|MessageSizeExceeded)/;
const MAX_ERROR_BYTES = 65_536;

export interface GraphOptions {
  /** Maximum time of a request. After a timeout, Graph might still have accepted the message. */
  timeoutMs: number;
  tokens: AccessTokens;
  /** Certificate authorities to trust, in PEM; Node's by default. */
  ca?: string;
}

/** @param graphUrl the URL of a user in Microsoft Graph, without a trailing slash */
export function createGraphTransport(graphUrl: string, options: GraphOptions): GraphTransport {
  // The operator configured this host, so only it can be on this machine or in its network.
  const trustedHosts = [new URL(graphUrl).hostname.replace(/^\[|\]$/g, '')];
  // Each request has its own connection: if an idle one closed during a request, its result would be unknown.
  const fetch = createFetch(createConnector({ trustedHosts, ...(options.ca !== undefined && { ca: options.ca }) }));
  return new GraphTransport(`${graphUrl}/sendMail`, fetch, options);
}

export class GraphTransport {
  readonly #url: string;
  readonly #fetch: ReturnType<typeof createFetch>;
  readonly #options: GraphOptions;
  readonly #composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  /** Time until which nothing is sent, on the monotonic clock. */
  #pausedUntil = 0;

  constructor(url: string, fetch: ReturnType<typeof createFetch>, options: GraphOptions) {
    this.#url = url;
    this.#fetch = fetch;
    this.#options = options;
  }

  async ready(): Promise<void> {
    for (let left; (left = this.#pausedUntil - performance.now()) > 0;) await sleep(left, undefined, { ref: false });
  }

  async send(mail: SendMailOptions, isWanted?: () => Promise<boolean>): Promise<void> {
    const { message } = await this.#composer.sendMail(mail);
    const body = (message as Buffer).toString('base64');
    await this.ready();
    if (isWanted && !(await isWanted().catch(() => true))) {
      throw Object.assign(new Error('the message was withdrawn'), { code: 'EWITHDRAWN' });
    }
    const { tokens } = this.#options;
    const token = await tokens.get();
    const response = await this.#post(body, token);
    const last = response.status === 401 ? await this.#post(body, await tokens.get(token)) : response;
    if (last.status === 202) return;
    throw toDeliveryError(last);
  }

  async #post(body: string, token: string): Promise<GraphResponse> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' };
    const { timeoutMs } = this.#options;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await this.#fetch(this.#url, { method: 'POST', headers, body, signal });
      const { status } = response;
      if (status === 429 || status === 503) this.#pause(parseRetryAfterMs(response.headers));
      const text = await readLimited(response, MAX_ERROR_BYTES).catch(() => undefined);
      return { status, ...parseError(text ?? '') };
    } catch (cause) {
      const message = signal.aborted ? `the mail server took more than ${timeoutMs / 1000} seconds` : undefined;
      const { code, message: reason } = cause as NodeJS.ErrnoException;
      throw Object.assign(new Error(message ?? reason, { cause }), { code: message ? 'ETIMEDOUT' : code });
    }
  }

  #pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
  }
}

interface GraphResponse {
  status: number;
  code: string;
  message: string;
}

function parseError(text: string): Omit<GraphResponse, 'status'> {
  try {
    const { error } = JSON.parse(text) as { error: { code: unknown; message: unknown } };
    return { code: String(error.code), message: String(error.message) };
  } catch {
    return { code: '', message: '' };
  }
}

function toDeliveryError({ status, code, message }: GraphResponse): DeliveryError {
  const isInvalid = status === 413 || (status === 400 && INVALID_MESSAGE.test(code));
  const response = [status, code, message].filter(Boolean).join(' ');
  const fields = { code: isInvalid ? 'EMESSAGE' : 'EGRAPH', command: 'API', responseCode: status, response };
  return Object.assign(new Error(`Microsoft Graph responded with status ${status}`), fields);
}
