import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { libraryContract } from './support/library-contract.ts';

const script = join(import.meta.dirname, '../../contract-gate/src/cli.ts');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-gate-'));
  for (const name of ['api', 'generated']) await mkdir(join(folder, name));
  await publish(libraryContract());
  await write('CHANGELOG.md', '# Changelog\n\n- Contract 1.4.0: books.\n');
  await write('api/accepted-breaks.yaml', '[]\n');
});

afterEach(() => rm(folder, { recursive: true }));

describe('what is compared', () => {
  test('without a released contract nothing passes, and the way on is said', async () => {
    await commit();
    const failed = {
      code: 4,
      out: '',
      err: expect.stringMatching(/^Nothing to compare with: .*`make release` writes it/),
    };
    expect(await gate()).toEqual(failed);
    expect(await gate('--format', 'json')).toEqual(failed);
  });

  test('in a fresh clone of main a removed parameter is refused', async () => {
    await release();
    await publish(withoutParameter(0));
    await commit();
    const clone = `${folder}-clone`;
    await git('clone', '--quiet', folder, clone);
    const refused = await gateIn(clone).finally(() => rm(clone, { recursive: true }));
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('Breaking: 1') });
    expect(refused.out).toMatch(/^Contract 1\.4\.0, api\/released\/openapi\.json -> 1\.4\.0/);
  });

  test('what is in no release may be taken back, and is told', async () => {
    await release();
    await publish(withParameter());
    await commit();
    await git('switch', '--quiet', '--create', 'topic');
    await publish(libraryContract());
    await commit();
    const { code, out } = await gate();
    expect(code).toBe(0);
    expect(out).toContain('Nothing breaks.');
    expect(out).toMatch(
      /Changed since where HEAD left main \(\w{9}\), and never released: 1\n {2}GET \/books \(listBooks\): `sort`/,
    );
    expect(JSON.parse((await gate('--format', 'json')).out).unreleased.breaks).toMatchObject([
      { rule: 'parameter-removed' },
    ]);
    expect((await gate('--format', 'markdown')).out).toContain('and never released: 1');
  });

  test('what was released is refused on a branch, and told once', async () => {
    await release();
    await publish(withParameter());
    await commit();
    await git('switch', '--quiet', '--create', 'topic');
    await publish(withoutParameter(0));
    await commit();
    const { code, out } = await gate();
    expect(code).toBe(1);
    expect(out.match(/^ +`genre` query parameter was removed/gm)).toHaveLength(1);
    expect(out).toContain('and never released: 1');
  });

  test('a baseline that is not what was released is refused', async () => {
    await release();
    await git('tag', 'v1.0.0');
    expect((await gate()).out).toMatch(/^Contract 1\.4\.0, api\/released\/openapi\.json \(v1\.0\.0\) -> 1\.4\.0/);
    await publish(withoutParameter(0));
    await write('api/released/openapi.json', JSON.stringify(withoutParameter(0)));
    await commit();
    expect(await gate()).toEqual({ code: 4, out: '', err: expect.stringContaining('is not what v1.0.0 released') });
  });

  test('BASE is a git ref or a file', async () => {
    await commit();
    await write('older.json', JSON.stringify(withoutParameter(0)));
    expect((await gate('HEAD')).code).toBe(0);
    expect((await gate('older.json')).out).toMatch(/^Contract 1\.4\.0, older\.json -> 1\.4\.0/);
    expect(await gate('HEAD', '--head', 'older.json')).toMatchObject({ code: 1 });
  });
});

test('a break of the SCIM door is accepted as its own, and no entry of one contract is stale in the other', async () => {
  const scim = ['scim-base.json', '--head', 'generated/scim.json'];
  await write('base.json', JSON.stringify(libraryContract()));
  await write('scim-base.json', JSON.stringify(libraryContract()));
  const [rest, ofScim] = [withoutParameter(0), withoutParameter(4)];
  for (const contract of [rest, ofScim]) contract.info.version = '2.0.0';
  await publish(rest);
  await write('generated/scim.json', JSON.stringify(ofScim));
  await write('CHANGELOG.md', '- Contract 2.0.0: no genres.\n');
  expect(await gate(...scim)).toMatchObject({ code: 1, out: expect.stringMatching(/^ {4}contract: scim$/m) });
  const entry = (index: number, name: string) => ({
    rule: 'parameter-removed',
    pointer: `#/paths/~1books/get/parameters/${index}`,
    what: `\`${name}\` query parameter was removed.`,
    reason: 'Nobody sends it.',
    date: '2026-08-01',
  });
  const own = { ...entry(0, 'genre'), noDeprecation: 'It never worked.' };
  const others = {
    ...entry(4, 'old'),
    deprecation: { since: '2026-01-10', sunset: '2026-07-10' },
    contract: 'scim',
  };
  await write('api/accepted-breaks.yaml', JSON.stringify([own, others]));
  expect([(await gate('base.json')).code, (await gate(...scim)).code]).toEqual([0, 0]);
  await write('api/accepted-breaks.yaml', JSON.stringify([own]));
  expect((await gate(...scim)).code).toBe(1);
  await write('api/accepted-breaks.yaml', JSON.stringify([own, { ...others, pointer: '#/paths/~1books/get/no' }]));
  expect([(await gate('base.json')).code, (await gate(...scim)).out]).toEqual([
    0,
    expect.stringContaining('matches no break any more'),
  ]);
});

describe('misuse exits 2 with what is wrong', () => {
  test.each([
    ['#/components/schemas/Gone', /^broken\.json refers to #\/components\/schemas\/Gone, which it does not hold$/m],
    ['books.yaml#/Book', /^broken\.json is not bundled: it refers to books\.yaml#\/Book$/m],
  ])('a reference to %s', async ($ref, message) => {
    await write('broken.json', JSON.stringify({ openapi: '3.1.1', components: { schemas: { Book: { $ref } } } }));
    expect(await gate('broken.json')).toEqual({ code: 2, out: '', err: expect.stringMatching(message) });
  });

  test.each([
    ['a base that is neither file nor ref', ['nowhere'], /^nowhere is neither a file nor a git ref$/m],
    ['a file that is no contract', ['CHANGELOG.md'], /^CHANGELOG\.md cannot be read: /m],
    ['another format', ['HEAD', '--format', 'xml'], /^FORMAT=xml is none of text, markdown, json$/m],
    ['two bases', ['HEAD', 'HEAD'], /^one BASE is compared, not 2$/m],
    ['an unknown option', ['--hed', 'x'], /Unknown option '--hed'/],
  ])('%s', async (_case, called, message) => {
    expect(await gate(...called)).toEqual({ code: 2, out: '', err: expect.stringMatching(message) });
  });
});

describe('reports', () => {
  beforeEach(() => write('base.json', JSON.stringify(libraryContract())));

  test('as text, with the break, for whom, where, and how to accept it', async () => {
    await publish(withoutParameter(4));
    expect((await gate('base.json')).out.replace(/\d+\.\d s/, '… s'))
      .toBe(`Contract 1.4.0, base.json -> 1.4.0, generated/openapi.json

Breaking: 1

  GET /books (listBooks)
    \`old\` query parameter was removed.
    why:   an unknown parameter is refused
    whom:  callers who send the parameter
    where: #/paths/~1books/get/parameters/4 of the base (parameter-removed)
    deprecated since 2026-01-10, sunset 2026-07-10

Compatible: none

Words only: none

REFUSED  1 breaking change not accepted.
REFUSED  info.version is 1.4.0, and a breaking change asks for 2.0.0 at least (the base has 1.4.0).
REFUSED  CHANGELOG.md has no line for it, like “- Contract 2.0.0: …”.

If a break is meant, say so in api/accepted-breaks.yaml:
  - rule: parameter-removed
    pointer: '#/paths/~1books/get/parameters/4'
    what: "\`old\` query parameter was removed."
    reason: …
    date: ${new Date().toISOString().slice(0, 10)}
    deprecation: { since: 2026-01-10, sunset: 2026-07-10 }

Compared in … s.
`);
  });

  test('what is added in many places is told once', async () => {
    const contract = libraryContract();
    for (const name of ['Author', 'Shelf']) contract.components.schemas[name].properties.sort = { type: 'string' };
    contract.paths['/books'].get.parameters.push({ name: 'sort', in: 'query', schema: { type: 'string' } });
    await publish(contract);
    const { out } = await gate('base.json');
    expect(out).toContain('5 other operations: `sort` was added.');
    expect(out).toContain('/properties/sort and 1 other place');
    expect(out).toContain('GET /books (listBooks): `sort` query parameter was added.');
  });

  test('as Markdown, a row for each change', async () => {
    await publish(withoutParameter(0));
    const { out } = await gate('base.json', '--format', 'markdown');
    expect(out).toContain('- ❌ 1 breaking change not accepted.');
    expect(out).toContain('| GET /books (listBooks) | `genre` query parameter was removed. |');
  });

  test('as JSON, for machines', async () => {
    await publish(withoutParameter(0));
    const { out } = await gate('base.json', '--format', 'json');
    expect(JSON.parse(out)).toMatchObject({
      versions: { before: '1.4.0', after: '1.4.0', needed: '2.0.0' },
      outcome: { exitCode: 1, openBreaks: 1 },
      breaking: [{ rule: 'parameter-removed', operations: ['GET /books (listBooks)'], accepted: null }],
      compatible: [],
    });
  });
});

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

async function release(): Promise<void> {
  await mkdir(join(folder, 'api/released'));
  await write('api/released/openapi.json', JSON.stringify(libraryContract()));
  await commit();
}

async function publish(contract: any): Promise<void> {
  await write('generated/openapi.json', JSON.stringify(contract));
}

async function write(name: string, content: string): Promise<void> {
  await writeFile(join(folder, name), content);
}

async function commit(): Promise<void> {
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', 'A step');
}

async function git(...called: string[]): Promise<void> {
  await promisify(execFile)('git', called, { cwd: folder });
}

/** What the command says and how it ends, called as make calls it. */
function gate(...called: string[]): ReturnType<typeof gateIn> {
  return gateIn(folder, ...called);
}

async function gateIn(cwd: string, ...called: string[]): Promise<{ code: number; out: string; err: string }> {
  const done = await promisify(execFile)(process.execPath, [script, ...called], { cwd }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failure: { code: number; stdout: string; stderr: string }) => failure,
  );
  return { code: done.code, out: done.stdout, err: done.stderr };
}
