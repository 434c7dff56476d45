import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyProject, removeFolders } from './folders.ts';
import { expectRefusal, run } from './support.ts';

const project = copyProject();
const SCAFFOLD = join(project, 'scripts/scaffold/run.ts');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

beforeAll(() => {
  for (const resource of ['groups', 'reports'])
    mkdirSync(join(project, 'tests/resources', resource), { recursive: true });
});
afterAll(removeFolders);

test('a new operation has every place, passes the linter and compiles, and is not taken for done', async () => {
  const { code, stdout, stderr } = await run([SCAFFOLD, 'archiveGroup', 'POST', '/groups/{groupId}/archive'], {});
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const path of stdout.match(/^ {2}\S+/gm)!)
    expect(read(path.trim())).toMatch(/archiveGroup|ArchiveGroup|archive/);
  expect(read('src/operations/operations.ts')).toContain('archiveGroup: groups.archiveGroup,');
  expect(read('src/resources/groups/group-repository.ts')).toContain("'archiveGroup has no statement yet'::uuid");
  expect(read('tests/resources/groups/archive-group.test.ts')).toContain('an id of nobody is a 404');

  // Reports have no repository of this name.
  expect(await run([SCAFFOLD, 'getPhishingReport', 'GET', '/reports/phishing'], {})).toMatchObject({ code: 0 });
  expect(read('src/resources/reports/report-repository.ts')).toContain('getPhishingReport has no statement yet');

  const checks = `const { lintContract } = await import('./scripts/dev/lint.ts');
    const { createTypeCheck } = await import('./scripts/dev/types.ts');
    console.log(JSON.stringify([...(await lintContract()), ...createTypeCheck()()]));`;
  const args = ['--input-type=module', '-e', checks];
  const { stdout: problems } = await promisify(execFile)(process.execPath, args, { cwd: project });
  expect(JSON.parse(problems)).toEqual([]);
}, 120_000);

test('a second method of a path stands beside the first', async () => {
  const { code } = await run([SCAFFOLD, 'listGroupArchives', 'GET', '/groups/{groupId}/archive'], {});
  expect(code).toBe(0);
  const { paths } = JSON.parse(read('generated/openapi.json'));
  expect(Object.keys(paths['/groups/{groupId}/archive']).toSorted()).toEqual(['get', 'post']);
}, 60_000);

test.each([
  [['getGroup', 'GET', '/groups/{groupId}/other'], 64, 'There is an operation getGroup already.'],
  [['fetchGroup', 'GET', '/groups/{groupId}'], 64, 'GET /groups/{groupId} is getGroup already.'],
  [['Archive', 'POST', '/groups/archive'], 64, 'The name Archive must be a verb and a noun'],
  [['archiveGroup2x', 'FETCH', '/groups/x'], 64, 'The method FETCH must be GET'],
  [['closeGroup', 'POST', 'groups/close'], 64, 'The path groups/close must be like'],
  [['closeGroup', 'POST', '/groups/{learnerId}/close'], 1, 'has no parameter learnerId'],
  [['closeThing', 'POST', '/things/close'], 1, 'There is no resource things'],
  [['closeBreach', 'POST', '/breaches/close'], 1, 'this one is written by hand'],
  [['closeGroup'], 64, 'Usage: make scaffold'],
])(
  '%j is refused in one sentence, and nothing is written',
  async (args, code, reason) => {
    const before = read('api/groups.yaml') + read('src/operations/operations.ts') + read('api/breaches.yaml');
    expectRefusal(await run([SCAFFOLD, ...args], {}), code, reason);
    expect(read('api/groups.yaml') + read('src/operations/operations.ts') + read('api/breaches.yaml')).toBe(before);
    expect(existsSync(join(project, 'tests/resources/groups/close-group.test.ts'))).toBe(false);
  },
  30_000,
);
