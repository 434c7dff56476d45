import type { IncomingMessage } from 'node:http';
import { ApiError, invalidField } from '../../contract/errors.ts';

const OTHER_CHARSET = /;\s*charset=(?!"?utf-8"?\s*(;|$))/i;

/**
 * Reads a body as text. Returns undefined if the client disconnects before its end.
 * @throws {ApiError} `payload_too_large` as soon as more than `maxBytes` have arrived, without reading the rest; the
 * errors of `requirePlainText` and `decodeText`
 */
export async function readText(req: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const bytes = await readBody(req, maxBytes);
  return bytes && decodeText(bytes);
}

/**
 * Reads a body as `readText` does, but does not decode it.
 * @throws {ApiError} the errors of `readText`, except the error for bytes that are not UTF-8
 */
export async function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  requirePlainText(req, maxBytes);
  return readBytes(req, maxBytes);
}

/** Uses events, because an iterator over the request costs more than parsing a typical tool call. */
function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    // A destroyed request emits no more events.
    if (req.destroyed) return resolve(undefined);
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onChunk = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= maxBytes) return;
      // Leaves the rest unread.
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
 * Checks the headers of a body.
 * @throws {ApiError} `unsupported_media_type` if the Content-Type names a charset other than UTF-8; `invalid_request`
 * if there is a Content-Encoding; `payload_too_large` if the stated length exceeds `maxBytes`
 */
export function requirePlainText(req: IncomingMessage, maxBytes: number): void {
  const { 'content-type': type = '', 'content-length': length } = req.headers;
  if (OTHER_CHARSET.test(type))
    throw new ApiError(
      'unsupported_media_type',
      'The body must be in UTF-8; remove or correct the charset of its Content-Type.',
    );
  requireUnencoded(req);
  if (Number(length) > maxBytes) throw payloadTooLarge(maxBytes);
}

/** Decodes UTF-8. @throws {ApiError} `invalid_request` if the bytes are not UTF-8 */
export function decodeText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidField('body', 'must be in UTF-8');
  }
}

export function payloadTooLarge(maxBytes: number): ApiError {
  return new ApiError('payload_too_large', `The body is larger than ${maxBytes} bytes; send less in one request.`);
}

/**
 * @throws {ApiError} `invalid_request` for a body with a Content-Encoding, because a small compressed body can be huge
 * once it is unpacked
 */
export function requireUnencoded({ headers }: IncomingMessage): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw invalidField('header/content-encoding', 'is not supported; send the body uncompressed');
  }
}
