import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bridgeFolder } from './support.ts';

async function json(path: string) {
  return JSON.parse(await readFile(path, 'utf8'));
}

test('the package is one file beside its description, of less than 10 KB', async () => {
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

test('it depends on nothing, installs without scripts, and is licensed as the service is', async () => {
  const manifest = await json(join(bridgeFolder, 'package.json'));
  const root = await json(join(bridgeFolder, '../package.json'));
  expect(Object.keys(manifest).filter((name) => /dependencies|scripts/i.test(name))).toEqual([]);
  expect(manifest).toMatchObject({
    type: 'module',
    engines: { node: '>=20' },
    license: root.license,
  });
  const source = await readFile(join(bridgeFolder, manifest.bin[manifest.name]), 'utf8');
  expect(source).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(source).not.toMatch(/^import |import\(|require\(/m);
});
