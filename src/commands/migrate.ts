// Migrates the database of DATABASE_OWNER_URL.
//   node src/commands/migrate.ts            brings it up to date; with INIT_COMPANY and INIT_ADMIN_EMAIL, an empty one
//                                           also gets its first company, and a one-time link for the admin is printed
//   node src/commands/migrate.ts down       rolls back the last migration; `down --all` rolls back all of them
//   node src/commands/migrate.ts status     lists the applied and the pending migrations
import { parseArgs } from 'node:util';
import { readEnvironment } from '../config/secret-files.ts';
import { ownerUrl, runCommand, UsageError } from './command.ts';
import { migrate, migrationStatus, rollBack } from './database.ts';
import { createFirstCompany, describeFirstCompany } from './migrate/first-company.ts';
import { firstCompanySettings } from './migrate/first-company-settings.ts';
import { DEFAULTS, type LockOptions } from './migrate/lock-retries.ts';

const USAGE = `Usage: node src/commands/migrate.ts [up | down [--all] | status] [--lock-timeout-ms N] [--timeout-s N]`;
const HELP = `${USAGE}

  --lock-timeout-ms N   the time that a statement waits for a lock. It then gives up, so that statements that queue behind
                        it can run, and the migration retries after a pause (default ${DEFAULTS.lockTimeoutMs}; below 1500,
                        Postgres has no time to cancel an autovacuum that holds the lock)
  --timeout-s N         the total time that a migration can wait for its locks (default ${DEFAULTS.timeoutMs / 1000})

If INIT_COMPANY and INIT_ADMIN_EMAIL are set and the database has no company, up creates that company and its admin. It
prints a link, which starts with PUBLIC_URL and signs the admin in once.`;

await runCommand(async () => {
  const { command, all, help, locks } = readArguments(process.argv.slice(2));
  if (help) return console.log(HELP);
  if (command === 'up') return up(locks);
  if (command === 'down') return down(all, locks);
  return status();
});

async function up(locks: LockOptions): Promise<void> {
  const url = ownerUrl(readEnvironment());
  const first = firstCompanySettings(process.env);
  const names = await migrate(url, locks);
  console.log(names.length > 0 ? `migrated: ${names.join(', ')}` : 'the database is up to date');
  const link = first && (await createFirstCompany(url, first));
  if (link !== undefined) console.log(describeFirstCompany(first!, link));
}

async function down(all: boolean, locks: LockOptions): Promise<void> {
  const names = await rollBack(ownerUrl(readEnvironment()), all ? Infinity : 1, locks);
  console.log(names.length > 0 ? `rolled back: ${names.join(', ')}` : 'no migration to roll back');
}

async function status(): Promise<void> {
  const { applied, pending } = await migrationStatus(ownerUrl(readEnvironment()));
  for (const name of applied) console.log(`applied  ${name}`);
  for (const name of pending) console.log(`pending  ${name}`);
}

function readArguments(args: string[]) {
  const { positionals, values } = parse(args);
  const [command = 'up', ...rest] = positionals;
  const { all = false, help = false } = values;
  if (!['up', 'down', 'status'].includes(command) || rest.length > 0 || (all && command !== 'down')) {
    throw new UsageError(USAGE);
  }
  const locks = {
    lockTimeoutMs: readNumber(values['lock-timeout-ms'], 1) ?? DEFAULTS.lockTimeoutMs,
    timeoutMs: (readNumber(values['timeout-s'], 0) ?? DEFAULTS.timeoutMs / 1000) * 1000,
    report: (sentence: string) => void process.stderr.write(`${sentence}\n`),
  };
  return { command, all, help, locks };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        'lock-timeout-ms': { type: 'string' },
        'timeout-s': { type: 'string' },
      },
    });
  } catch {
    throw new UsageError(USAGE);
  }
}

function readNumber(text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) throw new UsageError(USAGE);
  return Number(text);
}
