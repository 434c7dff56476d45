// Runs the tests with PgBouncer in transaction mode between the service and Postgres.
import { spawnSync } from 'node:child_process';
import { findPgBouncers, isNewEnough } from '../support/pgbouncer.ts';

const found = findPgBouncers();
const usable = found.find(isNewEnough);
if (!usable) {
  const seen = found.map(({ path, version }) => `${path} is ${version.join('.')}`).join(', ') || 'none was found';
  process.stdout.write(
    `SKIPPED: the tests through PgBouncer need 1.21 or newer (PGBOUNCER=/path/to/pgbouncer): ${seen}.\n`,
  );
} else {
  process.stdout.write(`Through ${usable.path}, PgBouncer ${usable.version.join('.')}.\n`);
  const args = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/.bin/jest'];
  const env = { ...process.env, TEST_POOLED: 'yes', PGBOUNCER: usable.path };
  const { status } = spawnSync(process.execPath, [...args, ...process.argv.slice(2)], { env, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
