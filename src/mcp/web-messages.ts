import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Converts a request for the protocol's library. The result has no signal, because a stream ends anyway if its client
 * does not read it.
 */
export function toWebRequest({ method = 'POST', headers: given }: IncomingMessage, body?: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return new Request('http://localhost/mcp', { method, headers, ...(body && { body }) });
}

/** Sends a response from the library, in one piece unless it is a stream. */
export async function sendWebResponse(response: Response, res: ServerResponse): Promise<void> {
  const { status, headers, body } = response;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream');
  // The library does not decide whether the connection stays open.
  headers.delete('connection');
  for (const [name, value] of headers) res.setHeader(name, value);
  res.statusCode = status;
  if (!isStream || !body) return void res.end(await response.text());
  // If the client has disconnected, the call is over.
  await pipeline(Readable.fromWeb(body), res).catch(() => undefined);
}
