// Distributes the database of DATABASE_OWNER_URL over the nodes of a Citus cluster.
//   node src/commands/distribute.ts
// It can run again, and then reports that nothing is left to do. The service must be stopped while it runs.
import { readEnvironment } from '../config/secret-files.ts';
import { CommandError, ownerUrl, runCommand, UsageError } from './command.ts';
import { distributeDatabase } from './distribute/distribute.ts';
import { migrationStatus } from './database.ts';

await runCommand(async () => {
  if (process.argv.length > 2) throw new UsageError('Usage: node src/commands/distribute.ts');
  const url = ownerUrl(readEnvironment());
  const { pending } = await migrationStatus(url);
  if (pending.length > 0) throw new CommandError('The database is not up to date. Run the migrations first.');
  await distributeDatabase(url, (line) => console.log(line));
});
