import { readdirSync } from 'node:fs';
import { expectRefusal, run, stopServices } from './support.ts';

afterEach(stopServices);

const names = readdirSync('migrations').sort();

/** Runs the command. Each test begins and ends with an up-to-date database. */
function migrate(args: string[], url = testService.database.ownerUrl): ReturnType<typeof run> {
  return run(['src/commands/migrate.ts', ...args], { DATABASE_OWNER_URL: url });
}

/** Returns the standard output of a successful run. */
async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await migrate(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trim();
}

function withPart(part: 'password' | 'pathname' | 'host' | 'search', value: string): string {
  return Object.assign(new URL(testService.database.ownerUrl), { [part]: value }).href;
}

async function countTables(): Promise<unknown> {
  const [row] = await testService.query(
    `select count(*)::integer as tables from pg_tables where schemaname = 'public' and tablename !~ '^knex_'`,
  );
  return row!.tables;
}

test('status lists the migrations of the database and changes nothing', async () => {
  expect(await done('status')).toBe(names.map((name) => `applied  ${name}`).join('\n'));
});

test('down rolls back the last migration, and up applies it again', async () => {
  expect(await done('down')).toBe(`rolled back: ${names.at(-1)}`);
  expect((await done('status')).split('\n').at(-1)).toBe(`pending  ${names.at(-1)}`);
  expect(await done()).toBe(`migrated: ${names.at(-1)}`);
  expect(await done('up')).toBe('the database is up to date');
});

test('down --all rolls back every migration, last first, and then none is left', async () => {
  expect(await done('down', '--all')).toBe(`rolled back: ${names.toReversed().join(', ')}`);
  expect(await countTables()).toBe(0);
  expect(await done('down')).toBe('no migration to roll back');
  expect(await done()).toBe(`migrated: ${names.join(', ')}`);
});

test('of two simultaneous runs, one migrates and the other waits, despite the lock of a killed one', async () => {
  await done('down', '--all');
  await testService.query('update knex_migrations_lock set is_locked = 1');
  const both = await Promise.all([migrate([]), migrate([])]);
  expect(both.map(({ code, stdout }) => [code, stdout]).sort()).toEqual([
    [0, `migrated: ${names.join(', ')}\n`],
    [0, 'the database is up to date\n'],
  ]);
  const waiting = both.find(({ stdout }) => stdout.startsWith('the database'))!;
  expect(waiting.stderr).toBe('Another process is migrating this database; waiting for it to finish\n');
});

test('the role of the service is rejected and creates nothing', async () => {
  await done('down', '--all');
  const refused = await migrate([], testService.database.serviceUrl);
  expectRefusal(refused, 1, 'permission denied');
  expect(await countTables()).toBe(0);
  await done();
});

test('a database of another release is left unchanged', async () => {
  await testService.query(`insert into knex_migrations (name, batch) values ('29990101000000_later.ts', 99)`);
  const tables = await countTables();
  for (const args of [['up'], ['down']]) {
    expectRefusal(await migrate(args), 1, 'another release; this one lacks 29990101000000_later.ts');
  }
  expect(await countTables()).toBe(tables);
  await testService.query(`delete from knex_migrations where name = '29990101000000_later.ts'`);
});

test('a migration that sorts before an applied one is rejected with the reason', async () => {
  await testService.query('delete from knex_migrations where name = $1', [names[3]]);
  expectRefusal(
    await migrate([]),
    1,
    `Migration ${names[3]} sorts before ${names.at(-1)}, which this database already has`,
  );
  await testService.query('insert into knex_migrations (name, batch) values ($1, 1)', [names[3]]);
});

test.each([
  ['a wrong password', () => withPart('password', 'hush-hush'), 1, 'password authentication failed'],
  ['an unknown database', () => withPart('pathname', '/not_there'), 1, 'database "not_there" does not exist'],
  ['a port without a listener', () => withPart('host', '127.0.0.1:1'), 1, 'connect ECONNREFUSED 127.0.0.1:1'],
  ['a server other than Postgres', () => withPart('host', new URL(testService.url).host), 1, 'Database error'],
  ['an unknown host', () => withPart('host', 'host.invalid:5432'), 1, 'host.invalid'],
  ['a URL of another kind of database', () => 'mysql://root:hush-hush@127.0.0.1/db', 78, 'must be a postgres:// URL'],
  ['a missing URL', () => '', 78, 'DATABASE_OWNER_URL is required'],
])('%s is reported in one sentence without the password', async (_what, address, code, reason) => {
  const url = address();
  const answer = await migrate([], url);
  expectRefusal(answer, code, reason);
  for (const secret of ['hush-hush', new URL(testService.database.ownerUrl).password]) {
    expect(answer.stderr).not.toContain(secret);
  }
});

test('an unknown command prints the usage and changes nothing', async () => {
  const calls = [['sideways'], ['up', 'twice'], ['down', '--most'], ['status', '--all'], ['--lock-timeout-ms', '0']];
  for (const args of [...calls, ['up', '--timeout-s', 'soon'], ['--timeout-s']]) {
    expectRefusal(
      await migrate(args),
      64,
      /^Usage: node src\/commands\/migrate\.ts \[up \| down \[--all\] \| status\] .*\n$/,
    );
  }
  expect(await done('--help')).toContain('Usage: node src/commands/migrate.ts');
});
