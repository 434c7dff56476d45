import { send } from '../support/client.ts';
import { companies, keys, unknownId } from '../support/world.ts';
import { expectRefusal, run, stopServices } from './support.ts';
import { until } from '../support/until.ts';

afterEach(stopServices);

const KEY = /^sk_[0-9a-z]{12}_[0-9a-f]{72}$/;

function runKeys(args: string[], env: Record<string, string> = {}): ReturnType<typeof run> {
  return run(['src/commands/keys.ts', ...args], { DATABASE_OWNER_URL: testService.database.ownerUrl, ...env });
}

/** Returns the standard output of a successful command. */
async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runKeys(args);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trim();
}

const issue = (company: string, ...options: string[]) =>
  done('issue', '--company', company, '--name', 'from the tests', ...options);
const create = (kind: string, ...options: string[]) =>
  done('create-company', '--kind', kind, '--name', `A new ${kind}`, ...options);
const publicIdOf = (key: string) => key.slice(3, 15);

async function ask(key: string, path = '/company'): Promise<{ status: number; data: any }> {
  const { status, body } = await send('GET', path, { headers: { authorization: `Bearer ${key}` } });
  return { status, data: body.data };
}

/** Waits until a key returns 401: within a second, because KEY_CACHE_MS is 200 in tests. */
function stopsWorking(key: string): Promise<void> {
  return until(async () => (await ask(key)).status === 401, 1000);
}

async function keysOf(company: string): Promise<Record<string, unknown>[]> {
  return JSON.parse(await done('list', '--company', company, '--json')) as Record<string, unknown>[];
}

/** Returns a key of the company `other` as the command lists it. */
async function find(key: string): Promise<unknown> {
  return (await keysOf(companies.other)).find(({ publicId }) => publicId === publicIdOf(key));
}

async function countRows(): Promise<unknown> {
  const [row] = await testService.query(
    'select (select count(*) from companies) as companies, (select count(*) from api_keys) as keys',
  );
  return row;
}

describe('issue', () => {
  test('prints only a key, which works at once for its company', async () => {
    const { code, stdout, stderr } = await runKeys(['issue', '--company', companies.tenant, '--name', 'HR import']);
    expect(code).toBe(0);
    expect(stdout.trimEnd()).toMatch(KEY);
    expect(stderr).toContain('The tenant company works until it is revoked');
    expect(await ask(stdout.trim())).toMatchObject({ status: 200, data: { id: companies.tenant } });
  });

  test('stores only the hash of a key', async () => {
    const key = await issue(companies.tenant);
    const [row] = await testService.query(
      `select key_hash = sha256($1::bytea) as hashed, api_keys::text like '%' || $2 || '%' as kept
         from api_keys where public_id = $3`,
      [key, key.slice(16), publicIdOf(key)],
    );
    expect(row).toEqual({ hashed: true, kept: false });
  });

  test('a key with an expiry date works until the end of that day in UTC', async () => {
    const key = await issue(companies.other, '--expires', '2099-03-31');
    expect(await find(key)).toMatchObject({ expires: '2099-03-31T23:59:59.999Z', state: 'active' });
    expect((await ask(key)).status).toBe(200);
    await testService.query('update api_keys set expires_at = now() where public_id = $1', [publicIdOf(key)]);
    await stopsWorking(key);
    expect(await find(key)).toMatchObject({ state: 'expired' });
  });

  test('a key with an expiry time works until that time, with any offset', async () => {
    const key = await issue(companies.other, '--expires', '2099-03-31T18:00:00+02:00');
    expect(await find(key)).toMatchObject({ expires: '2099-03-31T16:00:00.000Z', state: 'active' });
  });
});

describe('revoke', () => {
  test('stops a key within a second, and no other key of the company', async () => {
    const key = await issue(companies.tenant);
    expect((await ask(key)).status).toBe(200);
    expect(await done('revoke', publicIdOf(key))).toContain(`Revoked ${publicIdOf(key)}`);
    await stopsWorking(key);
    expect((await ask(keys.tenant)).status).toBe(200);
  });

  test('succeeds a second time, and keeps the time of the first revocation', async () => {
    const publicId = publicIdOf(keys.revoked);
    expect(await done('revoke', publicId)).toBe(`${publicId} was already revoked.`);
    const [row] = await testService.query('select revoked_at from api_keys where public_id = $1', [publicId]);
    expect(row!.revoked_at).toEqual(new Date('2020-01-01T00:00:00Z'));
  });

  test('rejects a whole key without repeating it', async () => {
    const answer = await runKeys(['revoke', keys.childA]);
    expectRefusal(answer, 1, 'The public id must be the 12 characters');
    expect(answer.stderr).not.toContain(keys.childA.slice(16, 40));
    expect((await ask(keys.childA)).status).toBe(200);
  });
});

describe('list', () => {
  test('prints a table with the company and the state of each key', async () => {
    const table = await done('list');
    const [head, ...rows] = table.split('\n');
    expect(head!.split(/ {2,}/)).toEqual([
      'PUBLIC ID',
      'NAME',
      'COMPANY',
      'CREATED',
      'EXPIRES',
      'LAST USED',
      'APPS',
      'STATE',
      'SCOPES',
    ]);
    const line = (key: string) => rows.find((row) => row.startsWith(publicIdOf(key)));
    expect(line(keys.msp)).toMatch(/ The msp company .* active +all$/);
    expect(line(keys.expired)).toMatch(/ The tenant company .* 2020-01-01 00:00 .* expired +all$/);
    expect(line(keys.revoked)).toMatch(/ revoked +all$/);
  });

  test('--json prints company ids and full dates, for all companies or one', async () => {
    const [key, ...others] = await keysOf(companies.prospect);
    expect(others.map(({ name }) => name)).toEqual(['spare']);
    expect(key).toMatchObject({
      publicId: publicIdOf(keys.prospect),
      company: 'The prospect company',
      companyId: companies.prospect,
      expires: null,
      lastUsed: null,
      state: 'active',
    });
    expect(new Date(key!.created as string).toISOString()).toBe(key!.created);
  });

  test('prints neither a key nor a hash', async () => {
    const key = await issue(companies.tenant);
    const [{ hex, base64 }] = (await testService.query(
      `select encode(key_hash, 'hex') as hex, encode(key_hash, 'base64') as base64 from api_keys where public_id = $1`,
      [publicIdOf(key)],
    )) as [{ hex: string; base64: string }];
    for (const printed of [await done('list'), await done('list', '--json'), await done('companies', '--json')]) {
      for (const secret of [key.slice(16), key.slice(16, 48), hex, base64]) expect(printed).not.toContain(secret);
      expect(printed).not.toMatch(/[0-9a-f]{32}/);
    }
  });
});

describe('create-company', () => {
  test('creates a company with the given properties, for which a key can be issued', async () => {
    const options = ['--plan', 'freeTrial', '--learner-limit', '1', '--domain', 'Example.ORG', '--domain-lock'];
    const id = await create('tenant', ...options);
    expect((await ask(await issue(id))).data).toMatchObject({
      id,
      name: 'A new tenant',
      accountType: 'tenant',
      plan: {
        name: 'freeTrial',
        learnerCount: 0,
        learnerLimit: 1,
        domainLock: true,
        domain: 'example.org',
        isTrial: true,
      },
    });
    const listed = JSON.parse(await done('companies', '--json')) as object[];
    expect(listed.at(-1)).toMatchObject({ id, kind: 'tenant', plan: 'freeTrial', learnerLimit: 1, parent: null });
  });

  test.each([
    ['tenant', 'msp', ['msp', 'distributor']],
    ['tenant', 'distributor', ['distributor']],
    ['prospect', 'msp', ['msp', 'distributor']],
    ['prospect', 'distributor', ['distributor']],
  ] as const)('a new %s below the %s is read by each account above it and by no other', async (kind, parent, above) => {
    const id = await create(kind, '--parent', companies[parent]);
    for (const name of ['msp', 'distributor', 'strangerMsp'] as const) {
      const { data } = await ask(keys[name], '/companies');
      const found = (data as { id: string }[]).some((company) => company.id === id);
      expect({ name, found }).toEqual({ name, found: (above as readonly string[]).includes(name) });
    }
  });

  test('a new distributor reads a tenant of its new MSP', async () => {
    const distributor = await create('distributor');
    const msp = await create('msp', '--parent', distributor);
    const tenant = await create('tenant', '--parent', msp);
    for (const company of [distributor, msp]) {
      const { data } = await ask(await issue(company), '/companies');
      expect((data as { id: string }[]).map(({ id }) => id)).toEqual([tenant]);
    }
  });

  test.each([
    ['tenant', 'tenant', 'The parent of a tenant must be an MSP or a distributor; The tenant company is a tenant.'],
    ['tenant', 'prospect', 'The parent of a tenant must be an MSP or a distributor'],
    ['prospect', 'tenant', 'The parent of a prospect must be an MSP or a distributor'],
    ['msp', 'msp', 'The parent of an MSP must be a distributor'],
    ['distributor', 'distributor', 'A distributor has no parent'],
  ] as const)('rejects a %s below a %s, and creates nothing', async (kind, parent, reason) => {
    const before = await countRows();
    const args = ['create-company', '--name', 'No', '--kind', kind, '--parent', companies[parent]];
    expectRefusal(await runKeys(args), 1, reason);
    expect(await countRows()).toEqual(before);
  });
});

const named = ['--name', 'x'];
const tenant = ['create-company', ...named, '--kind', 'tenant'];

test.each([
  ['an unknown command', ['drop-everything'], 'Unknown command drop-everything'],
  ['the name of an inherited property', ['constructor'], 'Unknown command constructor'],
  ['an unknown option', ['list', '--all'], "Unknown option '--all'"],
  ['a missing option', ['issue', ...named], '--company is required'],
  [
    'a company together with children',
    ['issue', ...named, '--company', 'x', '--children-of', 'y'],
    'cannot be combined',
  ],
  ['an option without its value', ['issue', '--company'], "'--company <value>' argument missing"],
  ['an unexpected argument', ['list', 'everything'], "Unexpected argument 'everything'"],
  ['a missing public id', ['revoke'], 'Give exactly <publicId>'],
  ['two public ids', ['revoke', 'demotenant00', 'demoother000'], 'Give exactly <publicId>'],
  ['a domain lock without a domain', [...tenant, '--domain-lock'], '--domain-lock requires --domain'],
])('%s is a usage error: one sentence and a pointer to the help', async (_what, args, reason) => {
  const answer = await runKeys(args);
  expectRefusal(answer, 64, reason);
  expect(answer.stderr).toMatch(/See: keys .*--help\n$/);
});

test.each([
  ['an unknown company', ['issue', ...named, '--company', unknownId], `Company ${unknownId} not found`],
  ['a malformed company id', ['list', '--company', 'acme'], 'Company acme not found'],
  ['an unknown parent', [...tenant, '--parent', unknownId], `Company ${unknownId} not found`],
  ['an unknown key', ['revoke', 'nobodyskey00'], 'Key nobodyskey00 not found'],
  ['an unknown kind', ['create-company', ...named, '--kind', 'reseller'], 'one of tenant, prospect, msp, distributor'],
  ['a limit that is not a number', [...tenant, '--learner-limit', 'many'], '--learner-limit must be a whole number'],
  ['a limit above the maximum', [...tenant, '--learner-limit', '2147483648'], '--learner-limit must be a whole number'],
  ['an invalid domain', [...tenant, '--domain', 'example'], '--domain must be a domain name'],
  ['a name with a line break', ['create-company', '--name', 'a\nb', '--kind', 'tenant'], '--name must be one line'],
  [
    'an expiry in the past',
    ['issue', ...named, '--company', companies.tenant, '--expires', '2020-01-01'],
    'must be in the future',
  ],
  ['an invalid date', ['issue', ...named, '--company', companies.tenant, '--expires', '2099-02-30'], 'must be a date'],
])('%s is rejected in one sentence, and nothing changes', async (_what, args, reason) => {
  const before = await countRows();
  expectRefusal(await runKeys(args), 1, reason);
  expect(await countRows()).toEqual(before);
});

test('a missing command prints the help as a usage error', async () => {
  const { code, stdout, stderr } = await runKeys([]);
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  expect(stderr.trim()).toBe(await done('--help'));
});

test('--help lists every command, and the help of a command lists every option', async () => {
  const help = await done('--help');
  const options = {
    issue: ['--company', '--name', '--expires', '--scopes', '--children-of', '--out'],
    list: ['--company', '--json'],
    revoke: ['<publicId>'],
    'create-company': ['--name', '--kind', '--parent', '--plan', '--learner-limit', '--domain', '--domain-lock'],
    'update-company': ['--company', '--enable', '--disable', '--watched-domains', '--no-domain-lock', '--parent'],
    'deprecated-uses': ['--company', '--json'],
    companies: ['--json'],
    'remove-passkeys': ['--company', '--admin'],
    reseal: ['SECRETS_KEY'],
  };
  for (const [command, names] of Object.entries(options)) {
    expect(help).toMatch(new RegExp(`^  ${command} `, 'm'));
    const more = await done(command, '--help');
    for (const name of ['Usage: keys', ...names]) expect(more).toContain(name);
  }
  expect(help.match(/^ {2}[a-z-]+ {2,}/gm)).toHaveLength(Object.keys(options).length);
});

test('a missing or wrong database URL is reported in one sentence without the password', async () => {
  const url = new URL(testService.database.ownerUrl);
  const serviceAlone = { DATABASE_OWNER_URL: '', DATABASE_URL: testService.database.serviceUrl };
  expectRefusal(await runKeys(['list'], serviceAlone), 78, 'DATABASE_OWNER_URL');
  expectRefusal(await run(['scripts/demo/keys.ts', 'list'], serviceAlone), 78, 'set DATABASE_OWNER_URL');
  expectRefusal(await runKeys(['list'], { DATABASE_OWNER_URL: 'mysql://u:secret@h/d' }), 78, /^(?!.*secret)/);
  url.password = 'hush-hush';
  const refused = await runKeys(['list'], { DATABASE_OWNER_URL: url.href });
  expectRefusal(refused, 1, /^Database error: (?!.*hush)/);
});
