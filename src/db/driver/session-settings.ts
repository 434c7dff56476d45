import type pg from 'pg';

/** Session settings that the service requests when it connects straight to Postgres. */
const OPTIONS = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  // With these keep-alive settings, Postgres notices within 90 seconds that the client's machine is dead.
  'tcp_keepalives_idle=60',
  'tcp_keepalives_interval=10',
  'tcp_keepalives_count=3',
  // Postgres cancels a statement within 500 ms of losing the client, for example when a client abandons a list.
  'client_connection_check_interval=500',
];
const READ_ONLY = 'default_transaction_read_only=on';

/**
 * Returns the settings of a connection straight to Postgres.
 * @param timeoutMs timeout of a statement, and of an idle transaction
 */
export function sessionSettings(timeoutMs: number): pg.ClientConfig {
  return settings(timeoutMs, OPTIONS);
}

/** Returns the settings of `sessionSettings`, for a read-only connection. */
export function readingSessionSettings(timeoutMs: number): pg.ClientConfig {
  return settings(timeoutMs, [...OPTIONS, READ_ONLY]);
}

function settings(timeoutMs: number, options: readonly string[]): pg.ClientConfig {
  return {
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: timeoutMs,
    options: options.map((option) => `-c ${option}`).join(' '),
  };
}

/** Connections whose session has the settings of `readingSessionSettings`, as node-postgres' protocol objects. */
const reading = new WeakSet<object>();

/**
 * Detects whether the session of a new connection has the settings of `readingSessionSettings`. A session behind a
 * pooler does not have them, because clients share it.
 */
export async function detectReadingSession(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  const { rows } = await client.query<{ is_reading: boolean }>(
    `select current_setting('default_transaction_read_only') = 'on' and current_setting('TimeZone') = 'UTC'
            and current_setting('DateStyle') like 'ISO,%'
            and (select setting from pg_settings where name = 'statement_timeout') = $1 as is_reading`,
    [String(timeoutMs)],
  );
  if (rows[0]!.is_reading) reading.add((client as unknown as { connection: object }).connection);
}

/**
 * Reports whether the session of a connection is read-only and in UTC, and has a statement timeout.
 * @param connection node-postgres' protocol object
 */
export function isReadingSession(connection: object): boolean {
  return reading.has(connection);
}
