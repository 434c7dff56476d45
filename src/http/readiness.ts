import { readdir } from 'node:fs/promises';
import type pg from 'pg';
import { ConfigError } from '../config/variables.ts';
import type { DatabaseUrls } from '../db/database-urls.ts';
import { checkDatabaseUrls } from '../db/pooler-checks.ts';
import { ApiError } from '../contract/errors.ts';
import type { Logger } from '../observability/logger.ts';

export interface Readiness {
  /** Whether the process accepts traffic: false until `started`, and again while draining. */
  ready: boolean;
  /** Whether the database was reached, with all migrations and a role that is subject to row-level security. */
  started: boolean;
  /** The worker of the job queue, in a process with that role. */
  worker?: { isHealthy(): boolean } | undefined;
}

/**
 * Checks that the process is ready. A stuck worker makes the whole process not ready, so that the operator notices it.
 * @throws {ApiError} `not_ready`
 */
export function requireReady({ ready, worker }: Readiness): void {
  if (!ready) throw new ApiError('not_ready', 'The service is not ready; do not send requests yet.');
  if (worker && !worker.isHealthy()) {
    throw new ApiError('not_ready', 'The worker is not taking jobs from the queue although jobs are waiting.');
  }
}

const RETRY_MS = 1000;
const UNDEFINED_TABLE = '42P01';

export interface DatabaseWait {
  /** The pool that serves requests. */
  pool: pg.Pool;
  urls: DatabaseUrls;
  logger: Logger;
  signal: AbortSignal;
}

/**
 * Waits until the database has every migration of this release. Checks every second.
 * @throws {ConfigError} if the URLs, the role or the sessions do not meet the service's requirements
 */
export async function waitForDatabase({ pool, urls, logger, signal }: DatabaseWait): Promise<void> {
  for (let lastReason = ''; !signal.aborted;) {
    const reason = await whyNotReady(pool, urls).catch(formatError);
    if (reason === undefined) return;
    if (reason !== lastReason) logger.warn({ reason }, 'waiting for the database');
    lastReason = reason;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function whyNotReady(pool: pg.Pool, urls: DatabaseUrls): Promise<string | undefined> {
  await checkDatabaseUrls(urls);
  const { rows } = await pool.query<{ name: string }>('select name from knex_migrations');
  const applied = new Set(rows.map((row) => row.name));
  const files = await readdir(new URL('../../migrations/', import.meta.url));
  const missing = files.filter((file) => file.endsWith('.ts') && !applied.has(file));
  if (missing.length > 0) return `pending migrations: ${missing.join(', ')}`;
  await refusePrivilegedRole(pool);
  await requireUtcSessions(pool);
  return undefined;
}

function formatError(error: Error & { code?: string }): string {
  if (error instanceof ConfigError) throw error;
  return error.code === UNDEFINED_TABLE ? 'the database has no tables; run the migrations' : error.message;
}

/** @throws {ConfigError} if the service's role owns tables or can bypass row-level security */
async function refusePrivilegedRole(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ privileged: boolean }>(`
    select rolsuper or rolbypassrls
           or exists (select from pg_tables where schemaname = 'public' and pg_has_role(tableowner, 'member')) as privileged
      from pg_roles where rolname = current_user`);
  if (rows[0]?.privileged)
    throw new ConfigError('DATABASE_URL must name a role that owns no tables and cannot bypass row-level security');
}

/**
 * @throws {ConfigError} if sessions print times in another zone or format, because a pooler has dropped the settings
 */
async function requireUtcSessions(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ epoch: string }>(`select timestamptz 'epoch'::text as epoch`);
  if (rows[0]?.epoch === '1970-01-01 00:00:00+00') return;
  throw new ConfigError(
    "Sessions of DATABASE_URL must use UTC and ISO dates; run alter role … set timezone = 'UTC', and set datestyle = 'ISO'",
  );
}
