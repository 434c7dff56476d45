import { hash } from 'node:crypto';
import type { Request, Response } from 'express';

/** An answer that stays the same for as long as the process runs: its bytes and its ETag are made once. */
export interface FixedAnswer {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
}

/** Clients may keep it, and ask each time whether it is still right; `headers` may say otherwise. */
export function fixedAnswer(body: string | Buffer, headers: Readonly<Record<string, string>>): FixedAnswer {
  const bytes = Buffer.from(body);
  const etag = `"${hash('sha256', bytes, 'base64url')}"`;
  return { body: bytes, headers: { 'Cache-Control': 'no-cache', ...headers, ETag: etag } };
}

/** Sends it, or a 304 to whom already has it. */
export function sendFixed(req: Request, res: Response, { body, headers }: FixedAnswer): void {
  res.status(200).set(headers);
  if (!names(req.headers['if-none-match'], headers.ETag!)) {
    return void res.set('Content-Length', String(body.length)).end(body);
  }
  res.status(304).removeHeader('Content-Type');
  res.end();
}

/** NOTE: not `req.fresh`, which takes the `Cache-Control: no-cache` that fetch adds to If-None-Match for a no. */
function names(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
