import type { Request, Response } from 'express';

/** A body that is no longer is read to its end like any other, and its connection kept. */
const SMALL_BYTES = 64 * 1024;
const LONGEST_MS = 2000;
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Ends an answer, of which the head is set, with a text. When much of the request has not been read, the connection is
 * closed, but not before the client has had time to read the answer: closed at once, with bytes on their way, it would
 * take the answer with it; kept, it would be read for as long as the client sends.
 */
export function endWith(res: Response, text: string | Buffer): void {
  res.setHeader('Content-Length', Buffer.byteLength(text));
  if (!isUnread(res.req)) return void res.end(text);
  res.setHeader('Connection', 'close');
  res.write(text);
  const end = () => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(end, LONGEST_MS);
  let bytes = 0;
  res.req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) end();
  });
  res.req.once('close', end).resume();
}

function isUnread(req: Request): boolean {
  if (req.complete) return false;
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > SMALL_BYTES;
}
