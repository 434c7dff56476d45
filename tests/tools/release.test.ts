import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { libraryContract } from '../contract-gate/support/library-contract.ts';

const scripts = join(import.meta.dirname, '../../scripts');
const today = new Date().toISOString().slice(0, 10);
let folder: string;
let remote: string;

/** Makes a small project with everything that a release reads and writes, on main and pushed. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-'));
  remote = `${folder}.git`;
  for (const name of ['api', 'generated', 'bridge', 'sdk']) await mkdir(join(folder, name));
  await publish(libraryContract());
  await write(
    'Makefile',
    `check:\n\t@test ! -e broken\ncontract-diff:\n\t@node ${scripts}/../contract-gate/src/cli.ts\n`,
  );
  const surface = { name: 'rest', file: 'generated/openapi.json', changelogName: 'Contract' };
  await write('contract-gate.config.mjs', `export default { surfaces: [${JSON.stringify(surface)}] };\n`);
  await write('CHANGELOG.md', '# Changelog\n\n## 0.2.0 (unreleased)\n\n- Contract 1.4.0: books.\n');
  await write('api/accepted-breaks.yaml', '# What is meant.\n[]\n');
  const manifest = (version: string) =>
    `{\n  "name": "a",\n  "version": "${version}",\n  "x": { "version": "0.1.0" }\n}\n`;
  await write('package.json', manifest('0.1.0'));
  await write('sdk/package.json', manifest('0.2.1'));
  await write('bridge/package.json', manifest('0.1.1'));
  await write('bridge/README.md', 'security-awareness-mcp-bridge@0.1.1\n'.repeat(3));
  await write('generated/bridge.ts', `export const bridgePackage = { name: 'x', version: '0.1.1' };\n`);
  await write('bridge/bridge.mjs', `const VERSION = '0.1.1';\nconst OTHER = '0.1.1';\n`);
  const lock = { version: '0.1.0', packages: { '': { version: '0.1.0' }, 'node_modules/b': { version: '0.1.0' } } };
  await write('package-lock.json', JSON.stringify(lock, null, 2));
  await git('init', '--quiet', '--initial-branch=main');
  await git('config', 'user.name', 'A');
  await git('config', 'user.email', 'a@example.org');
  await git('init', '--quiet', '--bare', remote);
  await git('remote', 'add', 'origin', remote);
  await commit();
  await git('push', '--quiet', 'origin', 'main');
});

afterEach(() => Promise.all([folder, remote].map((one) => rm(one, { recursive: true }))));

test('the first release updates contract, changelog and versions, commits and tags, and pushes nothing', async () => {
  const pushed = await git('rev-parse', 'HEAD');
  expect(await release()).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('git push origin main v0.2.0'),
  });
  expect(await git('status', '--porcelain')).toBe('');
  expect(await git('log', '-1', '--format=%s %(describe)')).toBe('release: 0.2.0 v0.2.0\n');
  expect(await git('rev-parse', 'HEAD^')).toBe(pushed);
  expect(await git('ls-remote', 'origin', 'refs/*')).toBe(`${pushed.trim()}\trefs/heads/main\n`);
  expect(await read('CHANGELOG.md')).toContain(`\n## 0.2.0 (${today})\n`);
  expect(await read('api/released/0.2.0/openapi.json')).toBe(await read('generated/openapi.json'));
  expect(JSON.parse(await read('package.json'))).toMatchObject({ version: '0.2.0', x: { version: '0.1.0' } });
  expect(JSON.parse(await read('package-lock.json'))).toEqual({
    version: '0.2.0',
    packages: { '': { version: '0.2.0' }, 'node_modules/b': { version: '0.1.0' } },
  });
  expect(JSON.parse(await read('bridge/package.json')).version).toBe('0.2.0');
  expect(await read('bridge/README.md')).toBe('security-awareness-mcp-bridge@0.2.0\n'.repeat(3));
  expect(await read('generated/bridge.ts')).toContain(`version: '0.2.0'`);
  expect(await read('bridge/bridge.mjs')).toBe(`const VERSION = '0.2.0';\nconst OTHER = '0.1.1';\n`);
});

test('a package with a higher version keeps it', async () => {
  await release();
  expect(JSON.parse(await read('sdk/package.json')).version).toBe('0.2.1');
});

test('an accepted break is released, and the next release begins without accepted breaks', async () => {
  await release();
  const contract = libraryContract();
  contract.paths['/books'].get.parameters.splice(0, 1);
  contract.info.version = '2.0.0';
  await publish(contract);
  const [title, ...earlier] = (await read('CHANGELOG.md')).split('\n');
  const told = ['', '## 0.3.0 (unreleased)', '', '- Contract 2.0.0: no genres.'];
  await write('CHANGELOG.md', [title, ...told, ...earlier].join('\n'));
  await commit();
  const before = await state();
  expect(await release()).toMatchObject({ code: 1, err: expect.stringContaining('make contract-diff failed') });
  expect(await state()).toBe(before);

  const entry = {
    rule: 'parameter-removed',
    pointer: '#/paths/~1books/get/parameters/0',
    date: today,
    what: '`genre` query parameter was removed.',
  };
  const reasons = { reason: 'Nobody sends it.', noDeprecation: 'It never worked.' };
  await write('api/accepted-breaks.yaml', `# What is meant.\n${JSON.stringify([{ ...entry, ...reasons }])}\n`);
  await commit();
  expect(await release()).toMatchObject({ code: 0 });
  expect(await read('api/accepted-breaks.yaml')).toBe('# What is meant.\n[]\n');
  expect(await git('describe', '--tags')).toBe('v0.3.0\n');
  const { acceptedBreaks } = JSON.parse(await read('api/released/0.3.0/release.json'));
  expect(acceptedBreaks).toEqual([{ ...entry, ...reasons }]);
  await promisify(execFile)('make', ['contract-diff'], { cwd: folder });
});

test.each([
  ['on another branch', () => git('switch', '--quiet', '--create', 'topic'), 'needs the branch main, not topic'],
  ['with uncommitted changes', () => write('new.ts', ''), /Uncommitted changes:\n\?\? new\.ts/],
  [
    'without a heading',
    () => write('CHANGELOG.md', '## 0.2.0 (2026-01-01)\n').then(commit),
    'no heading for the next release',
  ],
  [
    'of a version that has been released',
    () => git('tag', 'v0.2.0'),
    'announces 0.2.0, but v0.2.0 is already released',
  ],
  ['whose baseline was lost', () => git('tag', 'v0.1.9'), 'git checkout v0.1.9 -- api/released'],
  ['that fails its checks', () => write('broken', '').then(commit), 'make check failed; nothing is released'],
  [
    'that cannot be tagged',
    () => git('config', 'tag.gpgSign', 'true').then(() => git('config', 'gpg.program', 'false')),
    'The release was undone',
  ],
])('a release %s is rejected and changes nothing', async (_case, prepare, reason) => {
  await prepare();
  const before = await state();
  expect(await release()).toMatchObject({ code: 1, err: expect.stringMatching(reason) });
  expect(await state()).toBe(before);
});

async function publish(contract: unknown): Promise<void> {
  await write('generated/openapi.json', JSON.stringify(contract));
}

async function write(name: string, content: string): Promise<void> {
  await writeFile(join(folder, name), content);
}

function read(name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8');
}

async function commit(): Promise<void> {
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'A step');
}

async function state(): Promise<string> {
  return (await git('rev-parse', 'HEAD')) + (await git('status', '--porcelain')) + (await git('tag'));
}

async function git(...called: string[]): Promise<string> {
  return (await promisify(execFile)('git', called, { cwd: folder })).stdout;
}

async function release(): Promise<{ code: number; out: string; err: string }> {
  const done = await promisify(execFile)(process.execPath, [join(scripts, 'release/run.ts')], { cwd: folder }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failure: { code: number; stdout: string; stderr: string }) => failure,
  );
  return { code: done.code, out: done.stdout, err: done.stderr };
}
