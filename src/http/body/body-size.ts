import type { IncomingMessage } from 'node:http';

/** Maximum size in bytes of a body that is read directly into memory, and always to its end. */
export const SMALL_BYTES = 64 * 1024;

/** Reports whether a body is larger than `SMALL_BYTES`, or might be because its length is not stated. */
export function isLarge({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BYTES;
}
