import { join } from 'node:path';
import { libraryContract } from './support/library-contract.ts';
import { Project, runGate } from './support/project.ts';

const CHANGELOG = '# Changelog\n\n## 1.0.0 (unreleased)\n\n- Contract 1.4.0: books.\n- SCIM contract 1.4.0: users.\n';

let project: Project;

beforeEach(async () => {
  const surfaces = { 'generated/openapi.json': libraryContract(), 'generated/scim.json': libraryContract() };
  const tools = { tools: { find_books: toolWith('genre', 'limit'), find_shelves: toolWith('limit') } };
  const names = { names: { createClient: 'value', Book: 'type', listBooks: 'operation' } };
  const files = { ...surfaces, 'generated/tools.json': tools, 'generated/names.json': names };
  project = await Project.create({ ...files, 'CHANGELOG.md': CHANGELOG, 'base.json': libraryContract() });
  await project.commit();
});

afterEach(() => project.remove());

describe('the comparison', () => {
  test('rejects a removed parameter in a fresh clone of main', async () => {
    await project.release('1.0.0');
    await publish(withoutParameter(0));
    await project.commit();
    const clone = await project.clone();
    const refused = await clone.gate().finally(() => clone.remove());
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('Breaking: 1') });
    expect(refused.out).toMatch(/^rest: 1\.4\.0, release 1\.0\.0 -> 1\.4\.0/);
  });

  test('allows and reports the removal of an unreleased parameter', async () => {
    await project.release('1.0.0');
    await publish(withParameter());
    await project.commit();
    await project.git('switch', '--quiet', '--create', 'topic');
    await publish(libraryContract());
    await project.commit();
    const { code, out } = await project.gate();
    expect(code).toBe(0);
    expect(out).toContain('Nothing breaks.');
    expect(out).toMatch(
      /Changed since where HEAD left main \(\w{9}\), never released: 1\n {2}GET \/books \(listBooks\): `sort`/,
    );
    expect((await json()).surfaces[0].unreleased.breaks).toMatchObject([{ rule: 'parameter-removed' }]);
    expect((await project.gate('--format', 'markdown')).out).toContain(', never released: 1');
  });

  test('rejects the removal of a released parameter on a branch, and reports it once', async () => {
    await project.release('1.0.0');
    await publish(withParameter());
    await project.commit();
    await project.git('switch', '--quiet', '--create', 'topic');
    await publish(withoutParameter(0));
    await project.commit();
    const { code, out } = await project.gate();
    expect(code).toBe(1);
    expect(out.match(/^ +`genre` query parameter was removed/gm)).toHaveLength(1);
    expect(out).toContain(', never released: 1');
  });

  test('accepts a git ref or a file as BASE', async () => {
    await project.write({ 'older.json': withoutParameter(0) });
    expect((await project.gate('HEAD')).code).toBe(0);
    expect((await project.gate('older.json')).out).toMatch(/^rest: 1\.4\.0, older\.json -> 1\.4\.0/);
    await publish(withoutParameter(0));
    expect((await project.gate('HEAD')).code).toBe(1);
  });

  test('works for two files without settings, versions or history', async () => {
    await project.write({
      'elsewhere/old.json': libraryContract(),
      'elsewhere/new.yaml': JSON.stringify(withoutParameter(0)),
    });
    const elsewhere = join(project.folder, 'elsewhere');
    const { code, out } = await runGate(elsewhere, 'old.json', 'new.yaml');
    expect([code, out]).toEqual([1, expect.stringMatching(/^old\.json -> new\.yaml\n\nBreaking: 1/)]);
    expect((await runGate(elsewhere, 'old.json', 'old.json')).code).toBe(0);
    expect(await runGate(elsewhere)).toMatchObject({ code: 2, err: expect.stringContaining('Usage:') });
  });
});

describe('the surfaces', () => {
  beforeEach(() => project.release('1.0.0'));

  test('a removed tool argument is a breaking change', async () => {
    await project.write({
      'generated/tools.json': { tools: { find_books: toolWith('limit'), find_shelves: toolWith('limit') } },
    });
    const [, , tools] = (await json()).surfaces;
    expect(tools).toMatchObject({
      surface: 'tools',
      breaking: [
        {
          rule: 'property-removed',
          pointer: '#/tools/find_books/inputSchema/properties/genre',
          operations: ['tool find_books'],
        },
      ],
    });
    expect(await project.gate()).toMatchObject({ code: 1, out: expect.stringContaining('needs at least 2.0.0') });
  });

  test('a removed tool is a breaking change, and an added one is compatible', async () => {
    await project.write({
      'generated/tools.json': { tools: { find_books: toolWith('genre', 'limit'), find: toolWith() } },
    });
    const [, , tools] = (await json()).surfaces;
    expect(tools.breaking).toMatchObject([{ rule: 'tool-removed', what: 'Tool `find_shelves` was removed.' }]);
    expect(tools.compatible).toMatchObject([{ rule: 'tool-added', what: 'Tool `find` was added.' }]);
  });

  test('a removed or changed export of the package is a breaking change', async () => {
    await project.write({
      'generated/names.json': { names: { createClient: 'type', listBooks: 'operation', more: 'value' } },
    });
    const sdk = (await json()).surfaces[3];
    expect(sdk.breaking).toMatchObject([
      { rule: 'name-removed', pointer: '#/names/Book' },
      { rule: 'name-changed', pointer: '#/names/createClient' },
    ]);
    expect(sdk.compatible).toMatchObject([{ pointer: '#/names/more' }]);
  });

  test('a removed webhook is a breaking change', async () => {
    const webhooks = { 'book.lent': { post: { responses: { '204': { description: 'Taken.' } } } } };
    await project.write({ 'base.json': { ...libraryContract(), webhooks } });
    const { out } = await project.gate('base.json', '--format', 'json');
    expect(JSON.parse(out).surfaces[0].breaking).toMatchObject([{ rule: 'webhook-removed' }]);
  });
});

test('a breaking change is accepted per contract, and each contract needs its own changelog line', async () => {
  await project.release('1.0.0');
  const [rest, scim] = [withoutParameter(0), withoutParameter(4)];
  for (const contract of [rest, scim]) contract.info.version = '2.0.0';
  await project.write({ 'generated/openapi.json': rest, 'generated/scim.json': scim });
  const changelog = await project.read('CHANGELOG.md');
  await project.write({ 'CHANGELOG.md': `${changelog}\n- Contract 2.0.0: no genres.\n` });
  const refused = await project.gate();
  expect(refused).toMatchObject({ code: 1, out: expect.stringMatching(/^ {2}contract: scim$/m) });
  expect(refused.out.match(/CHANGELOG\.md does not mention it/g)).toHaveLength(1);
  const entry = (index: number, name: string) => ({
    rule: 'parameter-removed',
    pointer: `#/paths/~1books/get/parameters/${index}`,
    what: `\`${name}\` query parameter was removed.`,
    reason: 'Nobody sends it.',
    date: '2026-08-01',
  });
  const own = { ...entry(0, 'genre'), noDeprecation: 'It never worked.' };
  const deprecation = { since: '2026-01-10', sunset: '2026-07-10' };
  const others = { ...entry(4, 'old'), deprecation, contract: 'scim' };
  await project.write({
    'CHANGELOG.md': `${changelog}\n- Contract 2.0.0: no genres.\n- SCIM contract 2.0.0: nothing old.\n`,
  });
  const codeWith = async (...entries: unknown[]) => {
    await project.write({ 'api/accepted-breaks.yaml': entries });
    return (await project.gate()).code;
  };
  expect(await codeWith(own, others)).toBe(0);
  expect(await codeWith(own)).toBe(1);
  expect(await codeWith(own, { ...others, contract: 'rest' })).toBe(1);
  expect(await codeWith(own, { ...others, contract: 'soap' })).toBe(2);
});

function toolWith(...names: string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { inputSchema: { type: 'object', properties, additionalProperties: false } };
}

async function json(): Promise<any> {
  return JSON.parse((await project.gate('--format', 'json')).out);
}

function withoutParameter(index: number): any {
  const contract = libraryContract();
  contract.paths['/books'].get.parameters.splice(index, 1);
  return contract;
}

function withParameter(): any {
  const contract = libraryContract();
  contract.paths['/books'].get.parameters.push({ name: 'sort', in: 'query', schema: { type: 'string' } });
  contract.info.version = '1.5.0';
  return contract;
}

async function publish(contract: unknown): Promise<void> {
  await project.write({ 'generated/openapi.json': contract });
}
