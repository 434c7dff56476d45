import type pg from 'pg';

/** What the service asks for when it connects straight to Postgres. */
const OPTIONS = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  // Postgres, too, notices within 90 seconds that the machine of the client is gone.
  'tcp_keepalives_idle=60',
  'tcp_keepalives_interval=10',
  'tcp_keepalives_count=3',
  // Postgres stops a statement when its connection is closed, such as a list that nobody reads any more.
  'client_connection_check_interval=500',
];
const READ_ONLY = 'default_transaction_read_only=on';

/** @param timeoutMs that a statement may take, and a transaction may be idle */
export function sessionSettings(timeoutMs: number): pg.ClientConfig {
  return settings(timeoutMs, OPTIONS);
}

/** The same for a connection that only reads. */
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

/** Connections that have such a session: the driver's objects that speak the protocol. */
const reading = new WeakSet<object>();

/**
 * Finds out whether the session of a new connection is as `readingSessionSettings` asks. Behind a pooler it is not: its
 * sessions are everybody's.
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

/** Whether the connection, the driver's object that speaks the protocol, only reads by itself, in UTC and for a bounded time. */
export function isReadingSession(connection: object): boolean {
  return reading.has(connection);
}
