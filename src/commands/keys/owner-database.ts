import type { Knex } from 'knex';
import { readEnvironment } from '../../config/secret-files.ts';
import { ConfigError } from '../../config/variables.ts';
import { CommandError, ownerUrl } from '../command.ts';

const UNDEFINED_TABLE = '42P01';

export type WithDatabase = (work: (database: Knex) => Promise<void>) => Promise<void>;

/** Runs the work on the database of DATABASE_OWNER_URL. */
export const withOwnerDatabase: WithDatabase = (work) => withDatabase(ownerUrl(readEnvironment()), work);

/** Runs the work on a database, as the owner of its tables. */
export async function withDatabase(url: string, work: (database: Knex) => Promise<void>): Promise<void> {
  // Loaded here, so that help and rejected arguments do not wait for it.
  const { openOwnerDatabase } = await import('../database.ts');
  const database = openOwnerDatabase(url);
  try {
    await requireOwner(database);
    await work(database);
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error;
    throw new CommandError(
      'The database has no tables yet; run make demo, or node src/commands/migrate.ts for your own database.',
    );
  } finally {
    await database.destroy();
  }
}

/** Requires the owner: for any other role, row-level security would show no companies, as if none existed. */
async function requireOwner(database: Knex): Promise<void> {
  const { rows } = await database.raw<{ rows: { owned: boolean }[] }>(
    `select pg_has_role(relowner, 'member') as owned from pg_class where oid = 'companies'::regclass`,
  );
  if (!rows[0]?.owned) throw new ConfigError('DATABASE_OWNER_URL must name the role that owns the tables');
}
