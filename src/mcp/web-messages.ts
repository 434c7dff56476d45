import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../errors.ts';

/**
 * Reads a body as text; undefined when the client hangs up in the middle of it.
 * @throws {ApiError} `payload_too_large` as soon as it is seen to be longer; the rest is not read
 */
export async function readText(req: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  const tooLarge = () =>
    new ApiError('payload_too_large', `The body must be of ${mostBytes} bytes at most.`, {
      headers: { Connection: 'close' },
    });
  if (Number(req.headers['content-length']) > mostBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length;
      if (bytes > mostBytes) throw tooLarge();
      chunks.push(chunk as Buffer);
    }
  } catch (thrown) {
    if (req.readableAborted) return undefined;
    throw thrown;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

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
  for (const [name, value] of headers) res.setHeader(name, value);
  res.statusCode = status;
  if (!isStream || !body) return void res.end(await response.text());
  // A client that has hung up has ended the call as well.
  await pipeline(Readable.fromWeb(body), res).catch(() => undefined);
}
