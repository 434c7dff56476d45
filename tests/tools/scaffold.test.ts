import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject, removeFolders } from '../process/folders.ts';
import { expectRefusal, run } from '../process/support.ts';
import { register } from '../../scripts/scaffold/code.ts';

const project = copyProject();
const SCAFFOLD = join(project, 'scripts/scaffold/run.ts');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

beforeAll(() => {
  for (const resource of ['groups', 'reports'])
    mkdirSync(join(project, 'tests/resources', resource), { recursive: true });
});
afterAll(removeFolders);

// tests/tools/dev.test.ts shows that the operation passes the linter, compiles and is served.
test('a new operation is added everywhere, and the output names the remaining work', async () => {
  const { code, stdout, stderr } = await run([SCAFFOLD, 'archiveGroup', 'POST', '/groups/{groupId}/archive'], {});
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const path of stdout.match(/^ {2}\S+/gm)!)
    expect(read(path.trim())).toMatch(/archiveGroup|ArchiveGroup|archive/);
  // The list of handlers has all handlers of this module.
  expect(read('src/operations/operations.ts')).toMatch(/^ {4}\.\.\.groups,$/m);
  expect(read('src/resources/groups/group-repository.ts')).toContain("'archiveGroup is not implemented'::uuid");
  expect(read('tests/resources/groups/archive-group.test.ts')).toContain('an unknown id returns 404');

  // Reports have no repository of this name.
  expect(await run([SCAFFOLD, 'getPhishingReport', 'GET', '/reports/phishing'], {})).toMatchObject({ code: 0 });
  expect(read('src/resources/reports/report-repository.ts')).toContain('getPhishingReport is not implemented');
});

test('a handler is added to a list that names the handlers of its module one by one', () => {
  const imported = `import * as sources from '../resources/sources/source-handlers.ts';\n`;
  const listed = '    listSources: sources.listSources,\n';
  const operation = { operationId: 'listSourceFaults', resource: 'sources', folder: 'sources', singular: 'source' };
  expect(register(`${imported}${listed}  };\n`, operation)).toBe(
    `${imported}${listed}    listSourceFaults: sources.listSourceFaults,\n  };\n`,
  );
});

test('a second method of a path is added next to the first', async () => {
  const { code } = await run([SCAFFOLD, 'listGroupArchives', 'GET', '/groups/{groupId}/archive'], {});
  expect(code).toBe(0);
  const { paths } = JSON.parse(read('generated/openapi.json'));
  expect(Object.keys(paths['/groups/{groupId}/archive']).toSorted()).toEqual(['get', 'post']);
});

test.each([
  [['closeGroup', 'POST', '/groups/{learnerId}/close'], 'has no parameter learnerId'],
  [['closeBreach', 'POST', '/breaches/close'], 'add this one by hand'],
])('%j is rejected in one sentence, and nothing is written', async (args, reason) => {
  const before = read('api/groups.yaml') + read('src/operations/operations.ts') + read('api/breaches.yaml');
  expectRefusal(await run([SCAFFOLD, ...args], {}), 1, reason);
  expect(read('api/groups.yaml') + read('src/operations/operations.ts') + read('api/breaches.yaml')).toBe(before);
  expect(existsSync(join(project, 'tests/resources/groups/close-group.test.ts'))).toBe(false);
});
