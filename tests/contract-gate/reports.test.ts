import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { libraryContract } from './support/library-contract.ts';
import { Project } from './support/project.ts';

const PRETTIER = join(import.meta.dirname, '../../node_modules/.bin/prettier');

let project: Project;

beforeEach(async () => {
  project = await Project.ofLibrary();
});

afterEach(() => project.remove());

describe('reports', () => {
  test('the text report has each break with its reason, audience, location and an entry to accept it', async () => {
    await publish(withoutParameter(4));
    const { out } = await project.gate('base.json');
    expect(out.replace(/\d+\.\d s/, '… s')).toBe(`rest: 1.4.0, base.json -> 1.4.0, generated/openapi.json

Breaking: 1

  GET /books (listBooks)
    \`old\` query parameter was removed.
    why:   an unknown parameter is rejected
    whom:  callers who send the parameter
    where: #/paths/~1books/get/parameters/4 of the base (parameter-removed)
    deprecated since 2026-01-10, sunset 2026-07-10

Compatible: none

Only descriptions or examples: none

REJECTED  1 breaking change not accepted.
REJECTED  info.version is 1.4.0, but a breaking change needs at least 2.0.0 (the base has 1.4.0).
REJECTED  CHANGELOG.md does not mention it: a heading or an item must begin with “Contract 2.0.0” or end with it in parentheses.

To accept a break, add an entry to the file of accepted breaks:
- rule: parameter-removed
  pointer: '#/paths/~1books/get/parameters/4'
  what: '\`old\` query parameter was removed.'
  reason: …
  date: ${new Date().toISOString().slice(0, 10)}
  deprecation: { since: 2026-01-10, sunset: 2026-07-10 }

Compared in … s.
`);
  });

  test.each([
    ['a parameter', (c: any) => c.paths['/books'].get.parameters.splice(0, 1)],
    ['a string with quotes', (c: any) => (c.components.schemas.Book.properties.title = { enum: ["it's", '"so"'] })],
    ['a list as a default', (c: any) => (c.paths['/books'].get.parameters[0].schema.default = ['a', 'b'])],
  ])('the entry to copy needs no formatting: %s', async (_case, edit) => {
    const [base, head] = [libraryContract(), libraryContract()];
    base.paths['/books'].get.parameters[0].schema.default = ['a'];
    edit(head);
    await project.write({ 'base.json': base, 'generated/openapi.json': head });
    const { out } = await project.gate('base.json');
    const entry = /(- rule: [^]*?)\n\nCompared/.exec(out)![1]!.replace('reason: …', 'reason: It never worked.');
    await project.write({ 'entry.yaml': `${entry}\n` });
    const options = ['--check', '--single-quote', '--print-width=120', 'entry.yaml'];
    await promisify(execFile)(PRETTIER, options, { cwd: project.folder });
    await project.write({ 'api/accepted-breaks.yaml': `${entry}\n` });
    const { surfaces } = JSON.parse((await project.gate('base.json', '--format', 'json')).out);
    expect(surfaces[0].breaking[0].accepted).not.toBeNull();
    expect(surfaces[0].outcome.refused.join()).not.toContain('accepted break');
  });

  test('an addition in many places is reported once', async () => {
    const contract = libraryContract();
    for (const name of ['Author', 'Shelf']) contract.components.schemas[name].properties.sort = { type: 'string' };
    contract.paths['/books'].get.parameters.push({ name: 'sort', in: 'query', schema: { type: 'string' } });
    await publish(contract);
    const { out } = await project.gate('base.json');
    expect(out).toContain('5 other operations: `sort` was added.');
    expect(out).toContain('/properties/sort and 1 other place');
    expect(out).toContain('GET /books (listBooks): `sort` query parameter was added.');
  });

  test('the Markdown report has a row for each change', async () => {
    await publish(withoutParameter(0));
    const { out } = await project.gate('base.json', '--format', 'markdown');
    expect(out).toContain('- ❌ 1 breaking change not accepted.');
    expect(out).toContain('| GET /books (listBooks) | `genre` query parameter was removed. |');
  });

  test.each([
    ['github', /^::error file=generated\/openapi\.json,title=parameter-removed::GET \/books \(listBooks\): `genre`/],
    [
      'junit',
      /<testsuite name="rest" tests="2" failures="2">\n<testcase classname="rest" name="GET \/books \(listBooks\): `genre`/,
    ],
    ['html', /<td class="removed"><pre>\{\n {2}&quot;name&quot;: &quot;genre&quot;/],
  ])('the report format %s contains the break', async (format, expected) => {
    await publish(withoutParameter(0));
    expect(await project.gate('base.json', '--format', format)).toMatchObject({
      code: 1,
      out: expect.stringMatching(expected),
    });
  });

  test('the SARIF report has rules, levels and locations', async () => {
    await publish(withoutParameter(0));
    const { runs, version } = JSON.parse((await project.gate('base.json', '--format', 'sarif')).out);
    expect(version).toBe('2.1.0');
    expect(runs[0].results.map(({ ruleId, level }: any) => [ruleId, level])).toEqual([
      ['parameter-removed', 'error'],
      ['refused', 'error'],
      ['refused', 'error'],
    ]);
    const [{ locations }] = runs[0].results;
    expect(locations[0].physicalLocation.artifactLocation.uri).toBe('generated/openapi.json');
    expect(locations[0].logicalLocations[0].fullyQualifiedName).toBe('#/paths/~1books/get/parameters/0');
  });

  test('strings from a document are escaped in markup', async () => {
    const contract = withoutParameter(0);
    contract.paths['/books'].get.operationId = '</pre><script>"\u0001';
    await project.write({ 'base.json': contract });
    await publish({ ...contract, paths: {} });
    for (const format of ['html', 'junit']) {
      const { out } = await project.gate('base.json', '--format', format);
      expect(out).not.toContain('<script>');
      expect(out).not.toContain('\u0001');
    }
  });

  test('the JSON report has versions, outcome and changes', async () => {
    await publish(withoutParameter(0));
    const { out } = await project.gate('base.json', '--format', 'json');
    expect(JSON.parse(out)).toMatchObject({
      exitCode: 1,
      surfaces: [
        {
          versions: { before: '1.4.0', after: '1.4.0', needed: '2.0.0' },
          outcome: { openBreaks: 1 },
          breaking: [{ rule: 'parameter-removed', operations: ['GET /books (listBooks)'], accepted: null }],
          compatible: [],
        },
      ],
    });
  });
});

function withoutParameter(index: number): any {
  const contract = libraryContract();
  contract.paths['/books'].get.parameters.splice(index, 1);
  return contract;
}

async function publish(contract: unknown): Promise<void> {
  await project.write({ 'generated/openapi.json': contract });
}

describe('--uses', () => {
  beforeEach(async () => {
    const contract = withoutParameter(0);
    contract.paths['/shelves'].get.parameters = [{ name: 'size', in: 'query', required: true, schema: {} }];
    await publish(contract);
  });

  test.each<[string, Record<string, string>, string, number]>([
    ['an operationId', { 'uses.txt': '# ours\nlistBooks\n' }, 'uses.txt', 1],
    ['a method and path', { 'uses.txt': 'get /books\n' }, 'uses.txt', 1],
    ['an unused operation', { 'uses.txt': 'GET /books/{id}\n' }, 'uses.txt', 0],
    ['a folder with matching code', { 'code/a.py': 'client.list_books(genre="x")\n' }, 'code', 1],
    ['a folder with other code', { 'code/a.py': 'print("list books")\n' }, 'code', 0],
  ])('reports only breaks that affect %s', async (_case, files, path, breaks) => {
    await project.write(files);
    const { code, out } = await project.gate('base.json', '--uses', path, '--format', 'json');
    const { breaking } = JSON.parse(out).surfaces[0];
    expect([code, breaking.length]).toEqual([breaks, breaks]);
    expect(out).not.toContain('listShelves');
  });

  test.each([
    ['nowhere', 'nowhere is neither a file nor a folder'],
    ['empty.txt', 'empty.txt names no operation'],
  ])('%s is rejected', async (path, message) => {
    await project.write({ 'empty.txt': '\n# nothing\n' });
    expect(await project.gate('base.json', '--uses', path)).toMatchObject({ code: 2, err: `${message}\n` });
  });
});
