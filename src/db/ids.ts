import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Reports whether a string has the form of an id. Callers reject other strings with 404 before they reach the database.
 */
export function isId(text: string): boolean {
  return ID.test(text);
}

const RANDOM_BYTES = 16;

/**
 * Creates ids, each greater than the one before. Draws the random bytes of all ids in a single call: for ten thousand
 * ids, a call for each would block the event loop for 15 ms.
 */
export function newIds(count: number): string[] {
  const random = randomBytes(RANDOM_BYTES * Math.max(count, 1));
  const msecs = Date.now();
  const firstSeq = random.readUInt32BE() >>> 1;
  return Array.from({ length: count }, (_, index) => {
    const start = RANDOM_BYTES * index;
    return uuidv7({ random: random.subarray(start, start + RANDOM_BYTES), msecs, seq: firstSeq + index });
  });
}
