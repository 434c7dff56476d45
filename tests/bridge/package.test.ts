import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bridgeFolder } from './support.ts';

async function json(path: string) {
  return JSON.parse(await readFile(path, 'utf8'));
}

test('the package contains one file next to its description, in less than 10 KB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-pack-'));
  try {
    const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    const { stdout } = await promisify(execFile)('npm', pack, { cwd: bridgeFolder });
    const described = JSON.parse(stdout);
    const [packed] = Object.values<any>(described);
    expect(packed.files.map((file: { path: string }) => file.path).sort()).toEqual([
      'README.md',
      'bridge.mjs',
      'package.json',
    ]);
    const { size } = await stat(join(folder, packed.filename));
    expect(size).toBeLessThan(10_000);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the package has no dependencies and no install scripts, and the licence of the service', async () => {
  const manifest = await json(join(bridgeFolder, 'package.json'));
  const root = await json(join(bridgeFolder, '../package.json'));
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
  expect(Object.keys(manifest.scripts)).toEqual(['prepack']);
  expect(manifest).toMatchObject({
    type: 'module',
    engines: { node: '>=20' },
    license: root.license,
  });
  const source = await readFile(join(bridgeFolder, manifest.bin['security-awareness-mcp-bridge']), 'utf8');
  expect(source).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(source).not.toMatch(/^import |import\(|require\(/m);
});

describe('npm pack', () => {
  const address = (to: string) => [['bridge.mjs', "= 'https://awareness.example.com/mcp'", `= '${to}'`]];
  const scope = [
    ['package.json', '"name": "', '"name": "@vendor/'],
    ['README.md', '@SCOPE/', '@vendor/'],
  ];
  const VENDOR = address('https://tools.vendor.com/mcp');

  /** Packs a copy of the package with replaced strings, and returns the output of npm. */
  async function pack(changes: string[][]): Promise<{ code: number; said: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'bridge-pack-'));
    try {
      await cp(bridgeFolder, folder, { recursive: true });
      for (const [file, from, to] of changes) {
        const text = await readFile(join(folder, file!), 'utf8');
        expect(text).toContain(from);
        await writeFile(join(folder, file!), text.replaceAll(from!, to!));
      }
      const packing = promisify(execFile)('npm', ['pack', '--pack-destination', folder], { cwd: folder });
      return await packing.then(
        ({ stdout }) => ({ code: 0, said: stdout }),
        ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  test('packs a package with a scope and a URL', async () => {
    const { code, said } = await pack([...scope, ...VENDOR]);
    expect(said).toMatch(/vendor-security-awareness-mcp-bridge-.*\.tgz/);
    expect(code).toBe(0);
  });

  test.each([
    ['the placeholder URL', scope, 'DEFAULT_ADDRESS'],
    ['a URL without TLS', [...scope, ...address('http://tools.vendor.com/mcp')], 'DEFAULT_ADDRESS'],
    ['a name without a scope', VENDOR, 'has no scope'],
    ['a README that names another package', [scope[0]!, ...VENDOR], 'README.md does not name @vendor/'],
    [
      'a program of another version',
      [...scope, ...VENDOR, ['bridge.mjs', "const VERSION = '", "const VERSION = '9."]],
      'bridge.mjs must have the version',
    ],
  ])('rejects %s', async (_what, changes, reason) => {
    const { code, said } = await pack(changes);
    expect(said).toContain(reason);
    expect(code).not.toBe(0);
  });
});
