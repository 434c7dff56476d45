import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { libraryContract } from '../contract-gate/support/library-contract.ts';
import { Project } from '../contract-gate/support/project.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
let folder: string;
let project: Project;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-gate-package-'));
  const { stdout } = await run('npm', ['pack', join(root, 'contract-gate'), '--silent', '--pack-destination', folder]);
  await run('tar', ['-xzf', join(folder, stdout.trim().split('\n').at(-1)!), '-C', folder]);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});

afterAll(() => rm(folder, { recursive: true }));

beforeEach(async () => {
  const files = {
    'generated/openapi.json': libraryContract(),
    'old.json': libraryContract(),
    'new.json': withoutGenre(),
  };
  project = await Project.create({ ...files, 'CHANGELOG.md': '# Changelog\n\n## 1.0.0 (unreleased)\n' }, ['rest']);
  await project.commit();
  await project.release('1.0.0');
});

afterEach(() => project.remove());

test('the packed command compares two files and prints its usage', async () => {
  const command = join(folder, 'package/dist/cli.js');
  const compared = await ended(process.execPath, [command, 'old.json', 'new.json']);
  expect(compared).toMatchObject({ code: 1, out: expect.stringContaining('`genre` query parameter was removed.') });
  expect(await ended(process.execPath, [command, '--help'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Usage:/),
  });
  expect(await ended(process.execPath, [command])).toMatchObject({ code: 0 });
});

test('the action annotates, writes the job summary and fails', async () => {
  const summary = join(folder, 'summary.md');
  const env = { ...process.env, GITHUB_STEP_SUMMARY: summary, BASE: '', HEAD: '' };
  expect((await ended('sh', [join(root, 'contract-gate/action.sh')], env)).code).toBe(0);
  await project.write({ 'generated/openapi.json': withoutGenre() });
  const failed = await ended('sh', [join(root, 'contract-gate/action.sh')], env);
  expect(failed).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^::error file=generated\/openapi\.json,title=parameter-removed::GET/),
  });
  expect(await readFile(summary, 'utf8')).toContain('- ❌ 1 breaking change not accepted.');
  const files = await ended('sh', [join(root, 'contract-gate/action.sh')], {
    ...env,
    BASE: 'old.json',
    HEAD: 'new.json',
  });
  expect(files.code).toBe(1);
});

test('the hook rejects a commit that breaks the contract, and allows others and releases', async () => {
  await symlink(join(root, 'contract-gate/hooks/pre-commit'), join(project.folder, '.git/hooks/pre-commit'));
  await project.write({ 'generated/openapi.json': withoutGenre() });
  await expect(project.commit()).rejects.toThrow('`genre` query parameter was removed.');
  const added = libraryContract();
  added.paths['/books'].get.parameters.push({ name: 'sort', in: 'query', schema: { type: 'string' } });
  await project.write({ 'generated/openapi.json': added });
  await project.commit('an addition, whose version comes later');
  added.info.version = '1.5.0';
  const changelog = (await project.read('CHANGELOG.md')).replace('## 1', '## 1.1.0 (unreleased)\n\n## 1');
  await project.write({ 'generated/openapi.json': added, 'CHANGELOG.md': changelog });
  await project.release('1.1.0');
  expect((await project.gate()).code).toBe(0);
});

function withoutGenre(): unknown {
  const contract = libraryContract();
  contract.paths['/books'].get.parameters.splice(0, 1);
  return contract;
}

async function ended(command: string, called: string[], env: NodeJS.ProcessEnv = process.env) {
  const done = await run(command, called, { cwd: project.folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failure: { code: number; stdout: string; stderr: string }) => failure,
  );
  return { code: done.code, out: done.stdout, err: done.stderr };
}
