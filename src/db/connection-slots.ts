import type pg from 'pg';
import { FairSlots } from '../fair-slots.ts';

/**
 * What of a pool may be held for long: by lists, for as long as their clients read, and by changes, for as long as others
 * of their company are before them. So that neither takes the service from others, lists have four tenths of the pool,
 * changes as many, and the calls of one company half of each.
 */
export interface HeldConnections {
  lists: FairSlots;
  changes: FairSlots;
}

const held = new WeakMap<pg.Pool, HeldConnections>();

/** The slots of a pool. */
export function heldConnections(pool: pg.Pool): HeldConnections {
  const known = held.get(pool);
  if (known) return known;
  const made = { lists: slotsOf(pool), changes: slotsOf(pool) };
  held.set(pool, made);
  return made;
}

function slotsOf({ options: { max } }: pg.Pool): FairSlots {
  return new FairSlots({ most: Math.max(1, Math.floor(max * 0.4)), mostOfOne: Math.max(1, Math.floor(max * 0.2)) });
}
