import type { IncomingMessage } from 'node:http';
import { ApiError, invalidField } from './errors.ts';

const OTHER_CHARSET = /;\s*charset=(?!"?utf-8"?\s*(;|$))/i;

/**
 * Reads a body as text; undefined when the client hangs up in the middle of it.
 * @throws {ApiError} `payload_too_large` as soon as it is seen to be longer, when the rest is not read;
 * `unsupported_media_type` when its type names another charset than UTF-8; `invalid_request` when it is not UTF-8, or
 * encoded: what is small on the wire may be huge unpacked
 */
export async function readText(req: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  const { 'content-type': type = '', 'content-length': length } = req.headers;
  const tooLarge = () => new ApiError('payload_too_large', `The body is larger than ${mostBytes} bytes.`);
  if (OTHER_CHARSET.test(type)) throw new ApiError('unsupported_media_type', 'The body must be in UTF-8.');
  requireUnencoded(req);
  if (Number(length) > mostBytes) throw tooLarge();
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
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw invalidField('body', 'must be UTF-8');
  }
}

/** @throws {ApiError} `invalid_request` for a body with a Content-Encoding */
export function requireUnencoded({ headers }: IncomingMessage): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw invalidField('header/content-encoding', 'is not supported: send the body as it is');
  }
}
