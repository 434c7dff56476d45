import type pg from 'pg';

/** Connections to databases of a Citus cluster: the driver's objects that speak the protocol. */
const onCitus = new WeakSet<object>();

/**
 * Finds out whether a new connection leads to a database of a Citus cluster. Must be awaited before the first statement
 * of a company: it would find nothing there.
 */
export async function detectCitus(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ citus: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as citus`,
  );
  if (rows[0]!.citus) onCitus.add((client as unknown as { connection: object }).connection);
}

/** Whether the connection, the driver's object that speaks the protocol, leads to a Citus cluster. */
export function isOnCitus(connection: object): boolean {
  return onCitus.has(connection);
}
