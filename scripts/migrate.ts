// Migrates the database of DATABASE_OWNER_URL.
//   node scripts/migrate.ts            brings it up to date
//   node scripts/migrate.ts down       takes the last migration back; `down --all` takes all of them back
//   node scripts/migrate.ts status     says which migrations it has and which it lacks
import { ownerUrl, runCommand, UsageError } from './command.ts';
import { migrate, migrationStatus, rollBack } from './database.ts';

const USAGE = 'Usage: node scripts/migrate.ts [up | down [--all] | status]';

await runCommand(async () => {
  const [command = 'up', ...rest] = process.argv.slice(2);
  if (command === 'up' && rest.length === 0) return up();
  if (command === 'down' && (rest.length === 0 || rest.join() === '--all')) return down(rest.length > 0);
  if (command === 'status' && rest.length === 0) return status();
  if (command === '--help' || command === '-h') return console.log(USAGE);
  throw new UsageError(USAGE);
});

async function up(): Promise<void> {
  const names = await migrate(ownerUrl(process.env));
  console.log(names.length > 0 ? `migrated: ${names.join(', ')}` : 'the database is up to date');
}

async function down(all: boolean): Promise<void> {
  const names = await rollBack(ownerUrl(process.env), all);
  console.log(names.length > 0 ? `taken back: ${names.join(', ')}` : 'there is no migration to take back');
}

async function status(): Promise<void> {
  const { applied, pending } = await migrationStatus(ownerUrl(process.env));
  for (const name of applied) console.log(`applied  ${name}`);
  for (const name of pending) console.log(`pending  ${name}`);
}
