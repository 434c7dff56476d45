import pg from 'pg';
import { columnTypes } from './driver/column-types.ts';
import { detectCitus } from './driver/citus-detection.ts';
import { readPipeline } from './driver/read-pipeline.ts';
import { enableDecoderCache } from './driver/row-decoder.ts';
import { destroyUnresponsive } from './driver/dead-connections.ts';
import { sessionSettings } from './driver/session-settings.ts';
import { setStatementTimeout } from './driver/statement-timeout.ts';

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
    ...(!options.timesAsDates && { types: columnTypes }),
    verify: (client, done) => void detectCitus(client).then(() => done(), done),
  });
  setStatementTimeout(pool, options.statementTimeoutMs);
  destroyUnresponsive(pool, options.statementTimeoutMs + ANSWER_GRACE_MS);
  pool.on('error', (error) => options.onIdleError(error));
  // When a connection breaks in use, its query fails with the error. The client emits the same error, which would end
  // the process without a listener.
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (!options.isPooled) pool.on('connect', enableDecoderCache);
  return pool;
}
