import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Connector, RequestOptions } from './connector.ts';

export type Fetch = typeof fetch;

/** Timeout of a request whose caller sets none. */
const TIMEOUT_MS = 15_000;
/** Statuses of responses without a body. */
const EMPTY = new Set([204, 205, 304]);

/**
 * Creates a `fetch` that goes through a connector, because the platform's own `fetch` cannot be restricted to certain
 * IP addresses. It makes GET requests, and POST requests with a string or a form. It returns a redirect as it is, and
 * decompresses gzip. The caller must limit how much of the body it reads.
 */
export function createFetch(connector: Connector): Fetch {
  return async (input, init = {}) => {
    const { method = 'GET', signal, body } = init;
    if (method !== 'GET' && method !== 'POST')
      throw new TypeError(`Only GET and POST requests can be sent to other services, not ${method}.`);
    const headers = new Headers(init.headers);
    headers.set('accept-encoding', 'gzip');
    // oidc-provider sends an empty user agent, which common firewalls reject.
    if (headers.get('user-agent') === '') headers.delete('user-agent');
    const url = input instanceof Request ? input.url : input;
    const sent = readSentBody(body);
    const options: RequestOptions = {
      method,
      headers: Object.fromEntries(headers),
      signal: signal ?? AbortSignal.timeout(TIMEOUT_MS),
    };
    const request = connector(url, options);
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    // After "101 Switching Protocols", Node 24 closes the connection without an error or a response.
    const closed = once(request, 'close').then((): never => {
      throw new Error('The connection closed without a response.');
    });
    request.end(sent);
    const [message] = await Promise.race([answered, closed]);
    // From here on, errors of the connection reach the reader of the body.
    request.on('error', () => undefined);
    return toResponse(message);
  };
}

function readSentBody(body: RequestInit['body']): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new TypeError('Only text and forms can be sent to other services.');
}

function toResponse(message: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const status = message.statusCode!;
  if (EMPTY.has(status)) message.resume();
  return new Response(EMPTY.has(status) ? null : openBody(message), { status, headers });
}

function openBody(message: IncomingMessage): ReadableStream {
  const body = Readable.toWeb(message) as ReadableStream;
  return message.headers['content-encoding'] === 'gzip' ? body.pipeThrough(new DecompressionStream('gzip')) : body;
}
