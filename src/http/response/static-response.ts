import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { namesTag } from '../../contract/etags.ts';

/** An answer that stays the same for as long as the process runs: its bytes and its ETag are made once. */
export interface StaticResponse {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
}

/** Clients may cache the answer and must revalidate it each time, unless `headers` says otherwise. */
export function staticResponse(body: string | Buffer, headers: Readonly<Record<string, string>>): StaticResponse {
  const bytes = Buffer.from(body);
  const etag = `"${hash('sha256', bytes, 'base64url')}"`;
  return { body: bytes, headers: { 'Cache-Control': 'no-cache', ...headers, ETag: etag } };
}

/**
 * Sends the body, or 304 when the client's ETag matches.
 * NOTE: not by `req.fresh`: fetch sends `Cache-Control: no-cache` with If-None-Match, and `req.fresh` is then false.
 */
export function sendStatic(req: Request, res: Response, { body, headers }: StaticResponse): void {
  res.status(200).set(headers);
  if (!namesTag(req.headers['if-none-match'], headers.ETag!)) {
    return void res.set('Content-Length', String(body.length)).end(body);
  }
  res.status(304).removeHeader('Content-Type');
  res.end();
}
