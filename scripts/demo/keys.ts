// Runs the command `keys` in a checkout. If no database is set, it uses the demo's database.
//   node scripts/demo/keys.ts --help
import { withDatabase, withOwnerDatabase } from '../../src/commands/keys/owner-database.ts';
import { runKeys } from '../../src/commands/keys/run.ts';
import { ConfigError } from '../../src/config/variables.ts';
import { startDemoPostgres } from './postgres.ts';

await runKeys(async (work) => {
  if (process.env.DATABASE_OWNER_URL) return withOwnerDatabase(work);
  if (process.env.DATABASE_URL) {
    throw new ConfigError('DATABASE_URL is set, so set DATABASE_OWNER_URL: the role of the service cannot write keys');
  }
  process.stderr.write('DATABASE_OWNER_URL is not set; using the database of the demo.\n');
  const server = await startDemoPostgres();
  try {
    await withDatabase(server.ownerUrl, work);
  } finally {
    await server.stop();
  }
});
