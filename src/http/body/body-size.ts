import type { IncomingMessage } from 'node:http';

/** Bodies up to this size are always read to the end, and as they come. */
export const SMALL_BYTES = 64 * 1024;

/** Whether a body is larger than that, or may be: its length is not stated. */
export function isLarge({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BYTES;
}
