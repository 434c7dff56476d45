import { giveWay } from './give-way.ts';

/** Number of characters that are decoded at a time, in a few milliseconds. */
const PIECE = 1024 * 1024;
const NOT_BASE64 = /[^A-Za-z0-9+/_-]+/g;

/**
 * Decodes base64 in either alphabet, from a string or from its bytes. Yields to other requests after each chunk:
 * decoding an email of 20 MiB at once would block the event loop for a tenth of a second. Skips other characters, such
 * as line breaks.
 */
export async function decodeBase64(encoded: string | Buffer): Promise<Buffer> {
  // Joining the chunks at the end would hold the event loop for as long as decoding several of them.
  const decoded = Buffer.allocUnsafe(Math.ceil(encoded.length / 4) * 3);
  let size = 0;
  let rest = '';
  for (let at = 0; at < encoded.length; at += PIECE) {
    const part =
      typeof encoded === 'string' ? encoded.slice(at, at + PIECE) : encoded.toString('latin1', at, at + PIECE);
    const text = rest + part.replace(NOT_BASE64, '');
    // Four characters are three bytes.
    const whole = text.length - (text.length % 4);
    size += decoded.write(text.slice(0, whole), size, 'base64');
    rest = text.slice(whole);
    if (at + PIECE < encoded.length) await giveWay();
  }
  size += decoded.write(rest, size, 'base64');
  return decoded.subarray(0, size);
}
