import type { Knex } from 'knex';
import { ConfigError } from '../../src/config.ts';
import { CommandError, ownerUrl } from '../../src/commands/command.ts';

const UNDEFINED_TABLE = '42P01';

/** Runs the work on the database of DATABASE_OWNER_URL, or on that of the demo, which goes on running where it is in use. */
export async function withOwnerDatabase(work: (database: Knex) => Promise<void>): Promise<void> {
  if (process.env.DATABASE_OWNER_URL) return withDatabase(ownerUrl(process.env), work);
  if (process.env.DATABASE_URL) {
    throw new ConfigError(
      'DATABASE_URL is set, so DATABASE_OWNER_URL must be as well: the service itself may not write keys',
    );
  }
  process.stderr.write('Using the database of the demo, as DATABASE_OWNER_URL is not set.\n');
  // Only here: a production image has no demo.
  const { startDemoPostgres } = await import('../demo/postgres.ts');
  const server = await startDemoPostgres();
  try {
    await withDatabase(server.ownerUrl, work);
  } finally {
    await server.stop();
  }
}

async function withDatabase(url: string, work: (database: Knex) => Promise<void>): Promise<void> {
  // Loaded here: help, and what is refused before there is a database, come sooner.
  const { openOwnerDatabase } = await import('../../src/commands/database.ts');
  const database = openOwnerDatabase(url);
  try {
    await requireOwner(database);
    await work(database);
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error;
    throw new CommandError(
      'The database has no tables yet: run make demo, or node src/commands/migrate.ts for one of your own.',
    );
  } finally {
    await database.destroy();
  }
}

/** Under any other role row-level security would show no company, as if there were none. */
async function requireOwner(database: Knex): Promise<void> {
  const { rows } = await database.raw<{ rows: { owned: boolean }[] }>(
    `select pg_has_role(relowner, 'member') as owned from pg_class where oid = 'companies'::regclass`,
  );
  if (!rows[0]?.owned) throw new ConfigError('DATABASE_OWNER_URL must name the role that owns the tables');
}
