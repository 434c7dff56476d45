import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { keys, learnerId } from '../support/world.ts';
import { copyProject, removeFolders } from './folders.ts';
import { expectRefusal, type Program, run, startProgram, stopServices } from './support.ts';
import { until } from '../support/until.ts';

const NAME = '29990101000000_change_learners.ts';
const open = new Set<pg.Client>();
let project: string;

beforeAll(() => (project = copyProject()));
afterEach(async () => {
  stopServices();
  for (const client of open) await client.end();
  open.clear();
  await testService.query('alter table learners drop column if exists shoe_size');
  await testService.query('delete from knex_migrations where name = $1', [NAME]);
});
afterAll(removeFolders);

/** Writes the last migration of the project copy. */
function writeMigration(up: string, head = ''): void {
  const text = `${head}
    export async function up(knex) { ${up} }
    export async function down(knex) { await knex.raw('alter table learners drop column shoe_size'); }`;
  writeFileSync(join(project, 'migrations', NAME), text);
}

const ADD_COLUMN = `await knex.raw('alter table learners add column shoe_size integer');`;

const env = () => ({ DATABASE_OWNER_URL: testService.database.ownerUrl });

function startMigrating(...args: string[]): Program {
  return startProgram([join(project, 'src/commands/migrate.ts'), ...args], env());
}

/** Reads a list of learners slowly, as the service does: between two batches, its transaction is idle. */
async function readSlowly(url = testService.database.ownerUrl): Promise<pg.Client> {
  const reader = new pg.Client({ connectionString: url, application_name: 'slow-list' });
  reader.on('error', () => undefined);
  open.add(reader);
  await reader.connect();
  await reader.query('begin');
  await reader.query(`declare list cursor for select * from learners where first_name <> 'hush-hush'`);
  await reader.query('fetch 1 from list');
  return reader;
}

async function end(client: pg.Client): Promise<void> {
  open.delete(client);
  await client.end();
}

async function hasColumn(): Promise<boolean> {
  const rows = await testService.query(
    `select from information_schema.columns where table_name = 'learners' and column_name = 'shoe_size'`,
  );
  return rows.length > 0;
}

function countLines(program: Program, words: string): number {
  return program.output().split(words).length - 1;
}

test('a migration that waits for a slow reader blocks no other call, and ends once the reader has', async () => {
  writeMigration(ADD_COLUMN);
  const reader = await readSlowly();
  const { pid } = (await reader.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!;
  const migrator = startMigrating('--lock-timeout-ms', '300');
  const authorization = `Bearer ${keys.tenant}`;
  const paths = ['/v1/learners', `/v1/learners/${learnerId('tenant', 1)}`];
  await until(async () => {
    for (const path of paths) {
      const answer = await fetch(testService.url + path, { headers: { authorization } });
      await answer.text();
      expect([path, answer.status]).toEqual([path, 200]);
    }
    return countLines(migrator, 'retrying in') >= 3;
  });
  expect(migrator.output()).toMatch(
    new RegExp(
      `^Migration ${NAME} is waiting for pid ${pid} \\(slow-list, idle in transaction, in a transaction for \\d+ s\\)$`,
      'm',
    ),
  );
  expect(migrator.output()).not.toContain('hush-hush');
  expect(await hasColumn()).toBe(false);
  await end(reader);
  expect(await migrator.exit).toEqual({ code: 0, signal: null });
  expect(migrator.output()).toMatch(`\nmigrated: ${NAME}\n`);
  expect(await hasColumn()).toBe(true);
});

test('a migration that times out names the blocking process and leaves the database unchanged', async () => {
  writeMigration(`await knex.raw('create table shoes (size integer)'); ${ADD_COLUMN}`);
  const reader = await readSlowly();
  const migrator = startMigrating('--lock-timeout-ms', '200', '--timeout-s', '1');
  expect(await migrator.exit).toEqual({ code: 1, signal: null });
  expect(migrator.output().trim().split('\n').at(-1)).toMatch(
    /^Migration \S+ gave up without a lock after \d+ s; blocked by pid \d+ \(slow-list, .+\)$/,
  );
  expect(await hasColumn()).toBe(false);
  expect(await testService.query(`select to_regclass('shoes') as shoes`)).toEqual([{ shoes: null }]);
  await end(reader);
  expect((await run([join(project, 'src/commands/migrate.ts')], env())).stdout).toBe(`migrated: ${NAME}\n`);
  await testService.query('drop table shoes');
});

test('a rollback waits in the same way', async () => {
  writeMigration(ADD_COLUMN);
  await startMigrating().exit;
  const reader = await readSlowly();
  const migrator = startMigrating('down', '--lock-timeout-ms', '200');
  await until(() => countLines(migrator, 'retrying in') >= 1);
  expect(await hasColumn()).toBe(true);
  await end(reader);
  expect(await migrator.exit).toEqual({ code: 0, signal: null });
  expect(await hasColumn()).toBe(false);
});

test('a failing migration is not retried, and earlier migrations are kept', async () => {
  writeMigration(`await knex.raw('alter table learners add column shoe_size no_such_type');`);
  await run(['src/commands/migrate.ts', 'down'], env());
  const failed = await run([join(project, 'src/commands/migrate.ts')], env());
  expectRefusal(failed, 1, `Migration ${NAME} failed: type "no_such_type" does not exist`);
  expect((await run(['src/commands/migrate.ts'], env())).stdout).toBe('the database is up to date\n');
});

test('an index is created concurrently while another process waits, and status does not wait', async () => {
  // A waiting statement of the second process would be an older transaction, for which the index would wait in turn.
  writeMigration(
    `await createIndexConcurrently(knex, { name: 'learners_first_name', on: 'learners (first_name)' });`,
    `import { createIndexConcurrently } from '../src/db/migration-steps.ts';
     export const config = { transaction: false };`,
  );
  const writer = await readSlowly();
  await writer.query(`update learners set first_name = first_name where id = $1`, [learnerId('tenant', 1)]);
  const first = startMigrating('--lock-timeout-ms', '200');
  await until(() => countLines(first, 'is waiting for pid') > 0);
  const second = startMigrating();
  await until(() => countLines(second, 'Another process') > 0);
  expect((await run([join(project, 'src/commands/migrate.ts'), 'status'], env())).stdout).toMatch(`pending  ${NAME}\n`);
  await end(writer);
  expect([await first.exit, await second.exit].map(({ code }) => code)).toEqual([0, 0]);
  expect(
    await testService.query(`select indisvalid from pg_index where indexrelid = 'learners_first_name'::regclass`),
  ).toEqual([{ indisvalid: true }]);
  await testService.query('drop index learners_first_name');
});

test("timeouts of the owner's role do not end a long migration", async () => {
  writeMigration(`await knex.raw("select pg_sleep(1)"); ${ADD_COLUMN}`);
  const { ownerUrl } = testService.database;
  const short = 'statement_timeout=300ms -c idle_in_transaction_session_timeout=300ms'.replaceAll(' ', '%20');
  const DATABASE_OWNER_URL = `${ownerUrl}?options=-c%20${short}`;
  const { code, stdout } = await run([join(project, 'src/commands/migrate.ts')], { DATABASE_OWNER_URL });
  expect([code, stdout]).toEqual([0, `migrated: ${NAME}\n`]);
});
