import pg from 'pg';
import { noteEngine } from './engine.ts';
import { readPipeline } from './read-pipeline.ts';
import { breakSilentConnections } from './silence.ts';
import { setStatementTimeout } from './statement-timeout.ts';

export interface PoolOptions {
  connectionString: string;
  poolSize: number;
  /** Milliseconds that a statement, or one batch of a list, may take. */
  statementTimeoutMs: number;
  /** Milliseconds to wait for a connection. After that, the database counts as unavailable. */
  connectTimeoutMs: number;
  /** True: it leads to a pooler in transaction mode. Nothing is asked of its sessions; their role has the settings. */
  isPooled?: boolean;
  /** True: times are `Date` objects, as the library of the job queue expects. Otherwise ISO strings. */
  timesAsDates?: boolean;
  /** Called when an idle connection breaks. The pool replaces the connection itself. */
  onIdleError(error: Error): void;
}

const KEEP_ALIVE_AFTER_MS = 5000;
/** How long an answer is awaited after Postgres' own timeout. */
const ANSWER_GRACE_MS = 2000;

/** What the service asks for when it connects. */
const SESSION_OPTIONS = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  // Postgres, too, notices within 90 seconds that the machine of the client is gone.
  'tcp_keepalives_idle=60',
  'tcp_keepalives_interval=10',
  'tcp_keepalives_count=3',
  // Postgres stops a statement when its connection is closed, such as a list that nobody reads any more.
  'client_connection_check_interval=500',
];

/**
 * Postgres prints `2026-03-02 08:30:00.5+00` on a connection in UTC. The contract wants ISO 8601 with milliseconds.
 * When a pooler has dropped our time zone, the text ends with another offset, such as `+02` or `+05:30`.
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

/** Ends with the connections that its lookups share. */
class PipelinedPool extends pg.Pool {
  override async end(): Promise<void> {
    await Promise.all([super.end(), readPipeline(this).end()]);
  }
}

/** Opens a pool. It connects on first use. */
export function openPool(options: PoolOptions): pg.Pool {
  const pool = new PipelinedPool({
    connectionString: options.connectionString,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMs,
    ...(!options.isPooled && sessionSettings(options.statementTimeoutMs)),
    keepAlive: true,
    // After that, the system probes every second, ten times: a dead machine is noticed within 15 s.
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'awareness-service',
    ...(!options.timesAsDates && { types }),
    verify: (client, done) => void noteEngine(client).then(() => done(), done),
  });
  setStatementTimeout(pool, options.statementTimeoutMs);
  breakSilentConnections(pool, options.statementTimeoutMs + ANSWER_GRACE_MS);
  pool.on('error', (error) => options.onIdleError(error));
  // When a connection breaks in use, its query fails with the error. The client emits the same error, which would end
  // the process without a listener.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function sessionSettings(timeoutMs: number): pg.PoolConfig {
  return {
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: timeoutMs,
    options: SESSION_OPTIONS.map((option) => `-c ${option}`).join(' '),
  };
}
