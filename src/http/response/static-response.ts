import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { namesTag } from '../../contract/etags.ts';
import { oncePerKey } from '../once.ts';
import { compressOnce, compressStatic, type Encoding, MIN_COMPRESSED_BYTES, selectEncoding } from './compression.ts';

/**
 * A response that stays the same while the process runs, for every client. Its bytes and its ETag are created once, and
 * its compressed bytes when the first client accepts them.
 */
export interface StaticResponse {
  headers: Readonly<Record<string, string>>;
  /** ETag of the unencoded body. Each encoding has a separate ETag. */
  tag: string;
  /** Whether the body is worth compressing. */
  isLong: boolean;
  /** Reads the body in an encoding; undefined for the unencoded body. */
  read: (encoding: Encoding | undefined) => Buffer | Promise<Buffer>;
}

/**
 * Creates a static response. Clients can cache it but must revalidate it each time, unless `headers` says otherwise.
 */
export function staticResponse(body: string | Buffer, headers: Readonly<Record<string, string>>): StaticResponse {
  const bytes = Buffer.from(body);
  const compressed = oncePerKey<Buffer>();
  const read = (encoding: Encoding | undefined) =>
    encoding ? compressed(encoding, () => compressStatic(bytes, encoding)) : bytes;
  return { ...describeStatic(bytes, headers), read };
}

/**
 * Creates a response that is sent only once. It is compressed fast, because compressing it well would take longer than
 * sending it.
 */
export function briefResponse(body: string | Buffer, headers: Readonly<Record<string, string>>): StaticResponse {
  const bytes = Buffer.from(body);
  const read = (encoding: Encoding | undefined) => (encoding ? compressOnce(bytes, encoding) : bytes);
  return { ...describeStatic(bytes, headers), read };
}

/** Describes a static response by its uncompressed body. */
export function describeStatic(body: Buffer, headers: Readonly<Record<string, string>>): Omit<StaticResponse, 'read'> {
  const tag = hash('sha256', body, 'base64url');
  return { headers: { 'Cache-Control': 'no-cache', ...headers }, tag, isLong: body.length >= MIN_COMPRESSED_BYTES };
}

/**
 * Sends the body in the encoding that the client prefers, or 304 if the client's ETag matches.
 * NOTE: does not use `req.fresh`, which is false for fetch, because fetch sends `Cache-Control: no-cache` with
 * If-None-Match.
 */
export async function sendStatic(
  req: Request,
  res: Response,
  { headers, tag, isLong, read }: StaticResponse,
): Promise<void> {
  res.status(200).set(headers);
  const encoding = isLong ? selectEncoding(req, res) : undefined;
  const etag = encoding ? `"${tag}.${encoding}"` : `"${tag}"`;
  res.set('ETag', etag);
  if (namesTag(req.headers['if-none-match'], etag)) {
    res.status(304).removeHeader('Content-Type');
    return void res.end();
  }
  const body = await read(encoding);
  if (encoding) res.set('Content-Encoding', encoding);
  res.set('Content-Length', String(body.length)).end(body);
}
