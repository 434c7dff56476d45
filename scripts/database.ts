import { join } from 'node:path';
import knex, { type Knex } from 'knex';
import { CommandError, databaseMessage } from './command.ts';

/** Any number: held while migrations run, so that two processes never migrate at once. */
const MIGRATION_LOCK = 7_261_121;

/**
 * Opens the database as its owner, who makes the tables and is not held by row-level security. Connects on the first use.
 * @param warn is told what Knex has to say, such as which migration failed.
 */
export function openOwnerDatabase(url: string, warn: (message: string) => void = () => undefined): Knex {
  return knex({
    client: 'pg',
    connection: { connectionString: url, application_name: 'awareness-tools', connectionTimeoutMillis: 10_000 },
    pool: { min: 0, max: 4 },
    migrations: {
      directory: join(import.meta.dirname, '../migrations'),
      tableName: 'knex_migrations',
      loadExtensions: ['.ts'],
    },
    log: { warn, error: warn, deprecate: warn, debug: () => undefined },
  });
}

/** Brings the schema up to date, and gives the names of the migrations that this took. */
export function migrate(url: string): Promise<string[]> {
  return withMigrations(url, async (database) => {
    // Loaded here alone: other commands that use a database do without.
    const { Logger, runMigrations } = await import('graphile-worker');
    // The queue's own tables come first: migrations give the service its rights on them.
    await runMigrations({ connectionString: url, logger: new Logger(() => () => undefined) });
    return namesOf(await database.migrate.latest());
  });
}

/** Takes the last migration back, or all of them. Gives their names, the last one first. */
export function rollBack(url: string, all = false): Promise<string[]> {
  return withMigrations(url, async (database) =>
    namesOf(await (all ? database.migrate.rollback(undefined, true) : database.migrate.down())),
  );
}

/** The migrations that the database has and those that it lacks, eldest first. */
export function migrationStatus(url: string): Promise<{ applied: string[]; pending: string[] }> {
  return withMigrations(url, async (database) => {
    const [applied, pending] = (await database.migrate.list()) as [{ name: string }[], { file: string }[]];
    return { applied: applied.map(({ name }) => name), pending: pending.map(({ file }) => file) };
  });
}

async function withMigrations<T>(url: string, work: (database: Knex) => Promise<T>): Promise<T> {
  let failed = '';
  const database = openOwnerDatabase(
    url,
    (message) => (failed ||= /^migration file "(.+)" failed/.exec(message)?.[1] ?? ''),
  );
  try {
    return await database.transaction(async (lock) => {
      // Without a binding: node-postgres would leave the portal open, and with it a snapshot until the transaction ends,
      // for which CREATE INDEX CONCURRENTLY waits.
      await lock.raw(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      // Whoever left Knex's own lock behind was killed: a living one would hold ours.
      await database.migrate.forceFreeMigrationsLock();
      return work(database);
    });
  } catch (error) {
    const unknown = /following files are missing: (.+)$/.exec((error as Error).message)?.[1];
    if (unknown) throw new CommandError(`The database was migrated by another release: this one has no ${unknown}`);
    if (failed) throw new CommandError(`Migration ${failed} failed: ${databaseMessage(error)}`);
    throw error;
  } finally {
    await database.destroy();
  }
}

/** Of what Knex answers: a batch's number and its migrations. */
function namesOf(batch: unknown): string[] {
  return (batch as [number: number, names: string[]])[1];
}
