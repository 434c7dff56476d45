import { Bulkhead } from '../../limits/bulkhead.ts';

/**
 * Bodies that are large or have no stated length. They arrive side by side on the disk (at most 1.6 GiB), so a slow client
 * takes a place from its own company alone. The wait is shorter than what Node gives a request to arrive, which runs
 * meanwhile.
 */
export const spooledBodies = new Bulkhead({ max: 64, maxPerCompany: 4, timeoutMs: 30_000 });

/** In memory: those that have arrived, until the work on them is done. */
export const bufferedBodies = new Bulkhead({ max: 4, maxPerCompany: 2, timeoutMs: 60_000 });
