import type pg from 'pg';
import { Bulkhead } from '../limits/bulkhead.ts';
import { isSilent } from './silence.ts';

/**
 * What the calls of one company can have of a pool, so that none takes it from the others. Lists hold a connection for as
 * long as Postgres computes them, and changes for as long as others of their company are before them. One company has two
 * tenths of the pool for each kind; two that have all of theirs leave a place for the lists of a third. Single reads are
 * quick and may use all of the pool, one company six tenths, and two while others read too: what it runs side by side
 * would be felt by them in Postgres.
 */
interface ConnectionShares {
  lists: Bulkhead;
  changes: Bulkhead;
  reads: Bulkhead;
}

const shares = new WeakMap<pg.Pool, ConnectionShares>();

/** The shares of a pool. */
export function connectionShares(pool: pg.Pool): ConnectionShares {
  const known = shares.get(pool);
  if (known) return known;
  const { max } = pool.options;
  const part = (tenths: number) => Math.max(1, Math.floor((max * tenths) / 10));
  const isAway = () => isSilent(pool);
  const made = {
    lists: new Bulkhead({ max: part(5), maxPerCompany: part(2), isAway }),
    changes: new Bulkhead({ max: part(4), maxPerCompany: part(2), isAway }),
    reads: new Bulkhead({ max, maxPerCompany: part(6), maxBesideOthers: part(2), isAway }),
  };
  shares.set(pool, made);
  return made;
}
