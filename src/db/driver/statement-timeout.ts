import type pg from 'pg';

const timeouts = new WeakMap<pg.Pool, number>();

/** Milliseconds that a statement on a connection of the pool may take; 0 for no limit. */
export function getStatementTimeout(pool: pg.Pool): number {
  return timeouts.get(pool) ?? 0;
}

export function setStatementTimeout(pool: pg.Pool, timeoutMs: number): void {
  timeouts.set(pool, timeoutMs);
}
