import { Bulkhead } from '../../limits/bulkhead.ts';

/**
 * Slots on disk for bodies that are large or have no stated length, at most 1.6 GiB in all. Bodies arrive in parallel,
 * so a slow client takes a slot only from its own company. The wait for a slot counts towards Node's timeout for a
 * request to arrive (60 s), so the wait must be shorter.
 */
export const spooledBodies = new Bulkhead({ max: 64, maxPerCompany: 4, timeoutMs: 30_000 });

/** Slots in memory for bodies that have arrived, until the work on them is done. */
export const bufferedBodies = new Bulkhead({ max: 4, maxPerCompany: 2, timeoutMs: 60_000 });

/**
 * Slots for files of more than 25 MiB, which only packages have. One at a time is in memory, so that the memory of a
 * process is bounded by one package of the largest size.
 */
export const largeBodies = {
  spooled: new Bulkhead({ max: 4, maxPerCompany: 1, timeoutMs: 30_000 }),
  buffered: new Bulkhead({ max: 1, maxPerCompany: 1, timeoutMs: 60_000 }),
};
