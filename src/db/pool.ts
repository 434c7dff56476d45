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
  /** Timeout of a statement, or of one batch of a list, in milliseconds. */
  statementTimeoutMs: number;
  /** Timeout of connecting in milliseconds. After that, the database counts as unavailable. */
  connectTimeoutMs: number;
  /** Whether the URL leads to a pooler in transaction mode. The role must then have the session settings. */
  isPooled?: boolean;
  /** Whether times are `Date` objects, as the library of the job queue expects, and not ISO strings. */
  timesAsDates?: boolean;
  /** Called when an idle connection breaks. The pool replaces the connection itself. */
  onIdleError(error: Error): void;
}

const KEEP_ALIVE_AFTER_MS = 5000;
/** Milliseconds to wait for a reply after Postgres' own statement timeout. */
const REPLY_GRACE_MS = 2000;

/** A pool that also ends the connections of its read pipeline. */
class PipelinedPool extends pg.Pool {
  override async end(): Promise<void> {
    await Promise.all([super.end(), readPipeline(this).end()]);
  }
}

/** Opens a pool, which connects on first use. */
export function openPool(options: PoolOptions): pg.Pool {
  const pool = new PipelinedPool({
    connectionString: options.connectionString,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMs,
    ...(!options.isPooled && sessionSettings(options.statementTimeoutMs)),
    keepAlive: true,
    // After this delay, the system probes every second, ten times, so it detects a dead machine within 15 s.
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'awareness-service',
    ...(!options.timesAsDates && { types: columnTypes }),
    verify: (client, done) => void detectCitus(client).then(() => done(), done),
  });
  setStatementTimeout(pool, options.statementTimeoutMs);
  destroyUnresponsive(pool, options.statementTimeoutMs + REPLY_GRACE_MS);
  pool.on('error', (error) => options.onIdleError(error));
  // If a connection breaks in use, its query fails with the error. The client also emits the error, which would end the
  // process without a listener.
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (!options.isPooled) pool.on('connect', enableDecoderCache);
  return pool;
}
