import type pg from 'pg';

/** Connections to databases of a Citus cluster, as node-postgres' protocol objects. */
const onCitus = new WeakSet<object>();

/**
 * Detects whether a new connection leads to a database of a Citus cluster. Must be awaited before the first statement
 * of a company: on an undetected Citus cluster, that statement would find no rows.
 */
export async function detectCitus(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ citus: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as citus`,
  );
  if (rows[0]!.citus) onCitus.add((client as unknown as { connection: object }).connection);
}

/**
 * Reports whether a connection leads to a Citus cluster.
 * @param connection node-postgres' protocol object
 */
export function isOnCitus(connection: object): boolean {
  return onCitus.has(connection);
}
