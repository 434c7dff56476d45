import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** Size of a chunk, in bytes. Hashing a chunk takes at most about 5 ms. */
const PIECE_BYTES = 1024 * 1024;

/** Yields the chunks of large content. The event loop runs between chunks. */
export async function* listPieces(bytes: Buffer): AsyncGenerator<Buffer, void> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield bytes.subarray(start, start + PIECE_BYTES);
    await setImmediate();
  }
}

/** Computes the SHA-256 of large content in chunks. A single call would block the event loop for 0.25 s per 100 MiB. */
export async function hashPieces(bytes: Buffer): Promise<Buffer> {
  const sha256 = createHash('sha256');
  for await (const piece of listPieces(bytes)) sha256.update(piece);
  return sha256.digest();
}
