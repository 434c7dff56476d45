/** Sets a moment to one earlier, by the interval of `$1`. On Citus, nothing beside a column may depend on a time zone. */
export const earlier = (column: string): string =>
  `${column} = (${column} at time zone 'UTC' - $1::interval) at time zone 'UTC'`;
