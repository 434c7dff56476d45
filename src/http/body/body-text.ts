import type { IncomingMessage } from 'node:http';
import { ApiError, invalidField } from '../../contract/errors.ts';

const OTHER_CHARSET = /;\s*charset=(?!"?utf-8"?\s*(;|$))/i;

/**
 * Reads a body as text; undefined when the client hangs up in the middle of it.
 * @throws {ApiError} `payload_too_large` as soon as it is seen to be longer, when the rest is not read, and what
 * `requirePlainText` and `decodeText` throw
 */
export async function readText(req: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const bytes = await readBody(req, maxBytes);
  return bytes && decodeText(bytes);
}

/** Reads a body that is to be text. @throws {ApiError} what `readText` throws, but for what is not UTF-8 */
export async function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  requirePlainText(req, maxBytes);
  return readBytes(req, maxBytes);
}

/** By events: an iterator over the request costs more than parsing what a tool is sent. */
function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    // No event would come any more.
    if (req.destroyed) return resolve(undefined);
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onChunk = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= maxBytes) return;
      // What follows is not read here.
      req.off('data', onChunk).pause();
      reject(payloadTooLarge(maxBytes));
    };
    req.on('data', onChunk);
    req.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    req.once('error', (error) => (req.readableAborted ? resolve(undefined) : reject(error)));
    req.once('close', () => resolve(undefined));
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Refuses a body by its headers.
 * @throws {ApiError} `unsupported_media_type` when its type names another charset than UTF-8; `invalid_request` when it is
 * encoded; `payload_too_large` by its stated length
 */
export function requirePlainText(req: IncomingMessage, maxBytes: number): void {
  const { 'content-type': type = '', 'content-length': length } = req.headers;
  if (OTHER_CHARSET.test(type)) throw new ApiError('unsupported_media_type', 'The body must be in UTF-8.');
  requireUnencoded(req);
  if (Number(length) > maxBytes) throw payloadTooLarge(maxBytes);
}

/** @throws {ApiError} `invalid_request` for what is not UTF-8 */
export function decodeText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidField('body', 'must be UTF-8');
  }
}

export function payloadTooLarge(maxBytes: number): ApiError {
  return new ApiError('payload_too_large', `The body is larger than ${maxBytes} bytes.`);
}

/** @throws {ApiError} `invalid_request` for a body with a Content-Encoding: what is small on the wire may be huge unpacked */
export function requireUnencoded({ headers }: IncomingMessage): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw invalidField('header/content-encoding', 'is not supported: send the body as it is');
  }
}
