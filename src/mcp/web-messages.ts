import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A request as the protocol's library takes it. It has no signal: a stream ends when its client does not read it. */
export function toWebRequest({ method = 'POST', headers: given }: IncomingMessage, body?: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return new Request('http://localhost/mcp', { method, headers, ...(body && { body }) });
}

/** Sends what the library answers: in one piece, unless it is a stream. */
export async function sendWebResponse(response: Response, res: ServerResponse): Promise<void> {
  const { status, headers, body } = response;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream');
  // The library does not decide whether the connection stays open.
  headers.delete('connection');
  for (const [name, value] of headers) res.setHeader(name, value);
  res.statusCode = status;
  if (!isStream || !body) return void res.end(await response.text());
  // When the client has disconnected, the call is over too.
  await pipeline(Readable.fromWeb(body), res).catch(() => undefined);
}
