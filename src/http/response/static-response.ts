import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { namesTag } from '../../contract/etags.ts';

/** A response that stays the same while the process runs. Its bytes and its ETag are created once. */
export interface StaticResponse {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
}

/**
 * Creates a static response. Clients can cache it but must revalidate it each time, unless `headers` says otherwise.
 */
export function staticResponse(body: string | Buffer, headers: Readonly<Record<string, string>>): StaticResponse {
  const bytes = Buffer.from(body);
  const etag = `"${hash('sha256', bytes, 'base64url')}"`;
  return { body: bytes, headers: { 'Cache-Control': 'no-cache', ...headers, ETag: etag } };
}

/**
 * Sends the body, or 304 if the client's ETag matches.
 * NOTE: does not use `req.fresh`, which is false for fetch, because fetch sends `Cache-Control: no-cache` with
 * If-None-Match.
 */
export function sendStatic(req: Request, res: Response, { body, headers }: StaticResponse): void {
  res.status(200).set(headers);
  if (!namesTag(req.headers['if-none-match'], headers.ETag!)) {
    return void res.set('Content-Length', String(body.length)).end(body);
  }
  res.status(304).removeHeader('Content-Type');
  res.end();
}
