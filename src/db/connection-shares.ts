import type pg from 'pg';
import { Bulkhead } from '../limits/bulkhead.ts';
import { isUnresponsive } from './driver/dead-connections.ts';

/**
 * The parts of a pool that one company can use, so that it leaves connections for the others.
 *
 * - A list holds its connection while Postgres computes the list. A change also holds its connection while it waits for
 *   other changes of its company. One company can use two tenths of the pool for lists, and two tenths for changes. If
 *   two companies use their whole share of lists, a third company can still read a list.
 * - Single reads are quick and can use the whole pool. One company has six tenths, or two tenths while other companies
 *   also read: many parallel reads slow down Postgres for all.
 * - Lookups use the pipeline of the pool, where the lookups of one company delay those of others by only a few
 *   milliseconds.
 */
interface ConnectionShares {
  lists: Bulkhead;
  changes: Bulkhead;
  reads: Bulkhead;
  lookups: Bulkhead;
}

/**
 * Limits on the lookups in flight on the pipeline of a pool. More than a few lookups of one company would delay those
 * of others.
 */
const LOOKUPS = { max: 128, maxPerCompany: 64, maxWithOthers: 4 };

const shares = new WeakMap<pg.Pool, ConnectionShares>();

/** Returns the shares of a pool. Creates them on the first call. */
export function connectionShares(pool: pg.Pool): ConnectionShares {
  const existing = shares.get(pool);
  if (existing) return existing;
  const { max } = pool.options;
  const part = (tenths: number) => Math.max(1, Math.floor((max * tenths) / 10));
  const isAway = () => isUnresponsive(pool);
  const made = {
    lists: new Bulkhead({ max: part(5), maxPerCompany: part(2), isAway }),
    changes: new Bulkhead({ max: part(4), maxPerCompany: part(2), isAway }),
    reads: new Bulkhead({ max, maxPerCompany: part(6), maxWithOthers: part(2), isAway }),
    lookups: new Bulkhead({ ...LOOKUPS, isAway }),
  };
  shares.set(pool, made);
  return made;
}
