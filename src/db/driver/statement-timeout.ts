import type pg from 'pg';

const timeouts = new WeakMap<pg.Pool, number>();

/** Returns the statement timeout of a pool in milliseconds; 0 for none. */
export function getStatementTimeout(pool: pg.Pool): number {
  return timeouts.get(pool) ?? 0;
}

export function setStatementTimeout(pool: pg.Pool, timeoutMs: number): void {
  timeouts.set(pool, timeoutMs);
}
