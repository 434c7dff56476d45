import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text looks like an id of this service. Others are answered with 404 before the database sees them. */
export function isId(text: string): boolean {
  return ID.test(text);
}

const RANDOM_BYTES = 16;

/**
 * New ids, each greater than the one before. One call for random bytes serves them all: a call for each id would hold the
 * event loop for 15 ms when there are ten thousand.
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
