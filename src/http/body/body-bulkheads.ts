import { Bulkhead } from '../../limits/bulkhead.ts';

/**
 * Slots on disk for bodies that are large or have no stated length, at most 1.6 GiB in all. Bodies arrive in parallel,
 * so a slow client occupies only a slot of its own company. The wait for a slot counts towards Node's timeout for a
 * request to arrive (60 s), so the wait must be shorter.
 */
export const spooledBodies = new Bulkhead({ max: 64, maxPerCompany: 4, timeoutMs: 30_000 });

/** Slots in memory for bodies that have arrived, until the work on them is done. */
export const bufferedBodies = new Bulkhead({ max: 4, maxPerCompany: 2, timeoutMs: 60_000 });

/**
 * Slots for files of more than 25 MiB, which only packages have. Only one of them is in memory at a time, so a process
 * needs memory for at most one package of the maximum size.
 */
export const largeBodies = {
  spooled: new Bulkhead({ max: 4, maxPerCompany: 1, timeoutMs: 30_000 }),
  buffered: new Bulkhead({ max: 1, maxPerCompany: 1, timeoutMs: 60_000 }),
};
