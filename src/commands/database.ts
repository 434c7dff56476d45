import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import knex, { type Knex } from 'knex';
import { CommandError, databaseMessage } from './command.ts';
import { DEFAULTS, type LockOptions, withLockRetries } from './migrate/lock-retries.ts';
import { oneAtATime } from './migrate/one-at-a-time.ts';
import { APPLICATION_NAME, preparedPool, withPreparedPool } from './migrate/sessions.ts';

/** Error about a database with migrations that this release does not have. */
export class OtherReleaseError extends CommandError {}

const MIGRATIONS = join(import.meta.dirname, '../../migrations');

/** Opens the database as its owner, who creates the tables and bypasses row-level security. Connects on first use. */
export function openOwnerDatabase(url: string, name = 'awareness-tools', pool: Knex.PoolConfig = {}): Knex {
  const silent = () => undefined;
  return knex({
    client: 'pg',
    connection: { connectionString: url, application_name: name, connectionTimeoutMillis: 10_000 },
    pool: { min: 0, max: 4, ...pool },
    migrations: {
      directory: MIGRATIONS,
      tableName: 'knex_migrations',
      loadExtensions: ['.ts'],
    },
    log: { warn: silent, error: silent, deprecate: silent, debug: silent },
  });
}

/**
 * Brings the schema up to date, one migration at a time. Returns the names of the migrations that were run.
 * @throws {CommandError} if a migration fails or gets no lock; earlier migrations are kept
 */
export function migrate(url: string, locks: Partial<LockOptions> = {}): Promise<string[]> {
  const options = { ...DEFAULTS, ...locks };
  return withMigrations(url, options, async (database) => {
    // The queue's own tables come first: migrations grant the service rights on them.
    await withLockRetries(database, "The queue's own migration", options, () => migrateQueue(url, options));
    const migrations = await listMigrations(database);
    refuseDisorder(migrations);
    const { pending } = migrations;
    for (const name of pending) await runMigration(database, name, options, () => database.migrate.up());
    return pending;
  });
}

/** Rolls back the last `count` migrations, or all if there are fewer. Returns their names, latest first. */
export function rollBack(url: string, count = 1, locks: Partial<LockOptions> = {}): Promise<string[]> {
  const options = { ...DEFAULTS, ...locks };
  return withMigrations(url, options, async (database) => {
    const { applied } = await listMigrations(database);
    const names = applied.reverse().slice(0, count);
    for (const name of names) await runMigration(database, name, options, () => database.migrate.down());
    return names;
  });
}

/** Lists the migrations that the database has and those that it lacks, oldest first. */
export function migrationStatus(url: string): Promise<{ applied: string[]; pending: string[] }> {
  return withDatabase(url, DEFAULTS, listMigrations);
}

function withMigrations<T>(url: string, options: LockOptions, work: (database: Knex) => Promise<T>): Promise<T> {
  return oneAtATime(url, options, () =>
    withDatabase(url, options, async (database) => {
      // If Knex's own lock is left behind, the process that took it was killed: a running process would hold our lock.
      await database.migrate.forceFreeMigrationsLock();
      return work(database);
    }),
  );
}

async function withDatabase<T>(
  url: string,
  { lockTimeoutMs }: LockOptions,
  work: (database: Knex) => Promise<T>,
): Promise<T> {
  const database = openOwnerDatabase(url, APPLICATION_NAME, preparedPool(lockTimeoutMs));
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

async function migrateQueue(url: string, { lockTimeoutMs }: LockOptions): Promise<void> {
  // Loaded only here: other commands that use a database do not need it.
  const { Logger, runMigrations } = await import('graphile-worker');
  await withPreparedPool(url, lockTimeoutMs, (pgPool) =>
    runMigrations({ pgPool, logger: new Logger(() => () => undefined) }),
  );
}

async function runMigration(
  database: Knex,
  name: string,
  options: LockOptions,
  run: () => Promise<unknown>,
): Promise<void> {
  try {
    await withLockRetries(database, `Migration ${name}`, options, run);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`Migration ${name} failed: ${databaseMessage(error)}`);
  }
}

/** Lists the migrations that the database has, oldest first. */
async function appliedNames(database: Knex): Promise<string[]> {
  if (!(await database.schema.hasTable('knex_migrations'))) return [];
  const rows = await database<{ name: string }>('knex_migrations').select('name').orderBy('id');
  return rows.map(({ name }) => name);
}

async function listMigrations(database: Knex): Promise<{ applied: string[]; pending: string[] }> {
  const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.ts')).sort();
  const applied = await appliedNames(database);
  const unknown = applied.filter((name) => !files.includes(name));
  if (unknown.length > 0)
    throw new OtherReleaseError(`The database was migrated by another release; this one lacks ${shorten(unknown)}`);
  return { applied, pending: files.filter((file) => !applied.includes(file)) };
}

function shorten(names: string[]): string {
  return names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');
}

/**
 * Rejects a pending migration that sorts before an applied one, because each migration is written for the schema that
 * all migrations before it produce.
 */
function refuseDisorder({ applied, pending }: { applied: string[]; pending: string[] }): void {
  const last = applied.toSorted().at(-1);
  const early = pending.find((name) => last !== undefined && name < last);
  if (early !== undefined)
    throw new CommandError(
      `Migration ${early} sorts before ${last}, which this database already has; rename it with the current time`,
    );
}
