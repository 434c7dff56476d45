/**
 * Returns the assignment that moves a timestamp column back by the interval `$1`. The assignment computes in UTC,
 * because on Citus an update of a column cannot depend on the session's time zone.
 */
export const earlier = (column: string): string =>
  `${column} = (${column} at time zone 'UTC' - $1::interval) at time zone 'UTC'`;
