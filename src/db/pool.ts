import pg from 'pg';
import { breakSilentConnections } from './silence.ts';

export interface PoolOptions {
  connectionString: string;
  poolSize: number;
  /** Milliseconds a statement may run, or Postgres may take for a batch of a list. */
  statementTimeoutMs: number;
  /** Milliseconds to wait for a connection before the database counts as away. */
  connectTimeoutMs: number;
  /** True: times come as `Date`, as the job queue's library expects; else as ISO strings. */
  timesAsDates?: boolean;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  onIdleError(error: Error): void;
}

const KEEP_ALIVE_AFTER_MS = 5000;
/** How much longer than Postgres' own time-out an answer is waited for. */
const ANSWER_GRACE_MS = 2000;

const SESSION_OPTIONS = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  // Postgres, too, finds out within a minute and a half that the machine at the other end is gone.
  'tcp_keepalives_idle=60',
  'tcp_keepalives_interval=10',
  'tcp_keepalives_count=3',
  // It stops a statement whose connection is closed: a list that nobody reads any more.
  'client_connection_check_interval=500',
];

/**
 * Postgres prints `2026-03-02 08:30:00.5+00` on a connection in UTC; the contract wants ISO 8601 with milliseconds. Where
 * a pooler has dropped our setting, the offset of the zone stands at the end: `+02` or `+05:30`.
 */
export function isoTimestamp(text: string): string {
  if (text.endsWith('+00')) return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
  const [, day, time, offset] = /^(\S+) (\S+?)([+-]\d\d(?::\d\d)?)$/.exec(text)!;
  return new Date(`${day}T${time}${offset!.padEnd(6, ':00')}`).toISOString();
}

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoTimestamp);
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** Opens a pool; connects on the first use. */
export function openPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMs,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: options.statementTimeoutMs,
    keepAlive: true,
    // The system then asks each second, and gives up after ten: a dead machine is noticed within 15 s.
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'awareness-service',
    options: SESSION_OPTIONS.map((option) => `-c ${option}`).join(' '),
    ...(!options.timesAsDates && { types }),
  });
  breakSilentConnections(pool, options.statementTimeoutMs + ANSWER_GRACE_MS);
  pool.on('error', (error) => options.onIdleError(error));
  // A connection that breaks while it is in use fails its query, which says so; without a listener of its own the same
  // error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
