import type pg from 'pg';
import { Bulkhead } from '../limits/bulkhead.ts';
import { isUnresponsive } from './driver/dead-connections.ts';

/**
 * The parts of a pool that one company can use, so that it leaves connections to the others. A list holds its
 * connection as long as Postgres computes it. A change also holds it while it waits for other changes of its company.
 * For lists and for changes, one company has two tenths of the pool each; when two companies use all of theirs, a third
 * one still gets a list. Single reads are quick and may use the whole pool: one company six tenths, and two while
 * others read too, since many parallel reads slow down Postgres for all. Lookups do
 * not use the pool but the connections of its pipeline, where those of one company delay others by a few milliseconds.
 */
interface ConnectionShares {
  lists: Bulkhead;
  changes: Bulkhead;
  reads: Bulkhead;
  lookups: Bulkhead;
}

/** In flight on the pipeline of a pool. More than a few of one company would be felt by others in Postgres. */
const LOOKUPS = { max: 128, maxPerCompany: 64, maxBesideOthers: 4 };

const shares = new WeakMap<pg.Pool, ConnectionShares>();

/** The shares of a pool. */
export function connectionShares(pool: pg.Pool): ConnectionShares {
  const existing = shares.get(pool);
  if (existing) return existing;
  const { max } = pool.options;
  const part = (tenths: number) => Math.max(1, Math.floor((max * tenths) / 10));
  const isAway = () => isUnresponsive(pool);
  const made = {
    lists: new Bulkhead({ max: part(5), maxPerCompany: part(2), isAway }),
    changes: new Bulkhead({ max: part(4), maxPerCompany: part(2), isAway }),
    reads: new Bulkhead({ max, maxPerCompany: part(6), maxBesideOthers: part(2), isAway }),
    lookups: new Bulkhead({ ...LOOKUPS, isAway }),
  };
  shares.set(pool, made);
  return made;
}
