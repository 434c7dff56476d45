import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callWith } from '../resources/api-keys/key-calls.ts';
import { companies } from '../support/world.ts';
import { expectRefusal, run, stopServices } from './support.ts';

afterEach(stopServices);

function runKeys(args: string[]): ReturnType<typeof run> {
  return run(['src/commands/keys.ts', ...args], { DATABASE_OWNER_URL: testService.database.ownerUrl });
}

async function countKeys(): Promise<unknown> {
  return (await testService.query('select count(*) from api_keys'))[0];
}

describe('issue --children-of', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keys-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const forMsp = (file: string) => ['issue', '--children-of', companies.msp, '--name', 'all', '--out', file];

  test('writes scoped keys of all children into a private file, and does not overwrite it', async () => {
    const file = join(folder, 'keys.json');
    const { code, stdout } = await runKeys([...forMsp(file), '--scopes', 'company:read,learners:read']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const written = JSON.parse(await readFile(file, 'utf8')) as { companyId: string; company: string; key: string }[];
    expect(written.map(({ companyId }) => companyId).toSorted()).toEqual([companies.childA, companies.childB]);
    for (const { companyId, company, key } of written) {
      expect((await callWith(key, 'GET', '/company')).body.data).toMatchObject({ id: companyId, name: company });
      expect((await callWith(key, 'GET', '/groups')).status).toBe(403);
    }
    const entries = `select company_id from audit_log where actor_type = 'operator' order by company_id`;
    expect(await testService.query(entries)).toEqual([
      { company_id: companies.childA },
      { company_id: companies.childB },
    ]);
    const before = await countKeys();
    expectRefusal(await runKeys(forMsp(file)), 1, 'already exists');
    expect(await countKeys()).toEqual(before);
  });

  test('rejects a company without children and writes nothing', async () => {
    const args = ['issue', '--children-of', companies.tenant, '--name', 'x', '--out', join(folder, 'none.json')];
    expectRefusal(await runKeys(args), 1, 'has no child companies');
    await expect(stat(join(folder, 'none.json'))).rejects.toThrow('ENOENT');
  });
});

const named = ['issue', '--name', 'x'];

test.each([
  ['a company together with children', ['--company', 'x', '--children-of', 'y'], 64, 'cannot be combined with'],
  ['children without a file', ['--children-of', companies.msp], 64, '--out is required'],
  [
    'an invalid scope',
    ['--company', companies.tenant, '--scopes', 'all'],
    1,
    '--scopes must be a comma-separated list of scopes',
  ],
] as const)('%s is rejected, and nothing changes', async (_what, args, code, reason) => {
  const before = await countKeys();
  expectRefusal(await runKeys([...named, ...args]), code, reason);
  expect(await countKeys()).toEqual(before);
});
