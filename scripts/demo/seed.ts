// Fills the migrated database of DATABASE_OWNER_URL with the demo, unless it has companies already. Facts are recorded
// by the service, on DATABASE_URL.
//   node scripts/demo/seed.ts
import { seedDemo } from '../../seeds/demo.ts';
import { CommandError, ownerUrl, runCommand, UsageError } from '../../src/commands/command.ts';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import { postgresUrl } from '../../src/config/variables.ts';

await runCommand(async () => {
  if (process.argv.length > 2) throw new UsageError('Usage: node scripts/demo/seed.ts');
  if (process.env.NODE_ENV === 'production')
    throw new CommandError('The demo is not seeded if NODE_ENV is production.');
  const serviceUrl = postgresUrl(process.env, 'DATABASE_URL');
  const database = openOwnerDatabase(ownerUrl(process.env));
  try {
    console.log(
      (await seedDemo(database, serviceUrl)) ? 'seeded the demo' : 'nothing seeded: the database already has companies',
    );
  } finally {
    await database.destroy();
  }
});
