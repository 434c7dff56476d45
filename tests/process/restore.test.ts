// Rehearses the chapter "Backup and restore" of the guide: its own commands on a database in use.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate, openOwnerDatabase } from '../../src/commands/database.ts';
import { dumpSchema } from '../../scripts/generate/dump-schema.ts';
import { createWorld, keys } from '../support/world.ts';
import { makeFolder, removeFolders } from './folders.ts';
import { run, type Service, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';
import { findPrograms, SystemPostgres } from './system-postgres.ts';

const guide = readFileSync('docs/guides/operating.md', 'utf8');
const bin = findPrograms();
if (!bin) process.stderr.write('SKIPPED: no pg_dump with a server of its own version, so no restore is rehearsed\n');

const postgres = new SystemPostgres(bin ?? '');
let folder: string;

beforeAll(async () => {
  if (!bin) return;
  await postgres.start();
  folder = makeFolder();
  await postgres.query('postgres', 'create role awareness_owner login; create role awareness_service login');
});
afterEach(stopServices);
afterAll(async () => {
  await postgres.stop();
  await removeFolders();
});

/** Returns the code block of the guide that contains these words. */
function block(language: 'sh' | 'sql', words: string): string {
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map((match) => match[1]!);
  return blocks.find((text) => text.includes(words))!;
}

async function sh(command: string, database: string): Promise<void> {
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    ADMIN_URL: postgres.url('postgres', 'postgres'),
    DATABASE_OWNER_URL: postgres.url('awareness_owner', database),
  };
  await promisify(execFile)('sh', ['-euc', command], { env, cwd: folder });
}

async function start(database: string, env: Record<string, string>): Promise<Service> {
  const service = await startService({ DATABASE_URL: postgres.url('awareness_service', database), ...env });
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  return service;
}

async function stop({ child, exit }: Service): Promise<void> {
  child.kill('SIGTERM');
  await exit;
}

async function invite(api: Service, name: string): Promise<void> {
  const answer = await fetch(`${api.url}/admins`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@tenant.test`, firstName: name, lastName: 'Restored' }),
  });
  expect(answer.status).toBe(200);
}

/** Runs a worker until this many messages are settled. */
async function work(database: string, count: number): Promise<void> {
  const worker = await start(database, { ROLES: 'worker', MAIL_FOLDER: mailsOf(database) });
  await until(async () => {
    const [row] = await postgres.query(
      database,
      `select count(*)::integer as n from messages where status <> 'queued'`,
    );
    return row!.n === count;
  });
  await stop(worker);
}

const mailsOf = (database: string) => join(folder, database);

/** Returns the recipients of the emails that the workers of a database have sent. */
function sent(database: string): string[] {
  const mails = readdirSync(mailsOf(database)).map((file) => readFileSync(join(mailsOf(database), file), 'utf8'));
  return mails.map((mail) => /^To: .*?(\w+)@tenant\.test/m.exec(mail)![1]!).sort();
}

/** Returns the number of rows and a checksum of every table. */
async function contentOf(database: string): Promise<Record<string, unknown>> {
  const tables = await postgres.query(
    database,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'graphile_worker') order by 1`,
  );
  const contents: Record<string, unknown> = {};
  for (const { name } of tables as { name: string }[]) {
    const [row] = await postgres.query(
      database,
      `select count(*)::integer as rows, md5(string_agg(t::text, '|' order by t::text collate "C")) as md5 from ${name} as t`,
    );
    contents[name] = row;
  }
  return contents;
}

(bin ? test : test.skip)(
  'a database that is dumped and restored as the guide says loses nothing and sends waiting mails',
  async () => {
    await postgres.query('postgres', 'create database awareness owner awareness_owner');
    const ownerUrl = postgres.url('awareness_owner', 'awareness');
    await migrate(ownerUrl);
    const owner = openOwnerDatabase(ownerUrl);
    await createWorld(owner);
    // Deactivates all admins, so that the invitations below cause no notices.
    await owner('admins').update({ status: 'invited' });
    await owner.destroy();

    const api = await start('awareness', { ROLES: 'api' });
    await invite(api, 'before');
    await work('awareness', 1);
    await invite(api, 'between');
    await invite(api, 'stopped');
    await stop(api);
    await sh(block('sh', 'pg_dump --format'), 'awareness');
    const dumped = { content: await contentOf('awareness'), schema: await dumpSchema(ownerUrl) };
    expect(Object.keys(dumped.content).length).toBeGreaterThan(30);
    // Sends the messages that are still queued in the dump.
    await work('awareness', 3);
    expect(sent('awareness')).toEqual(['before', 'between', 'stopped']);

    await sh(block('sh', 'create database restored'), 'restored');
    await sh(block('sh', 'pg_restore'), 'restored');
    expect(await contentOf('restored')).toEqual(dumped.content);
    expect(await dumpSchema(postgres.url('awareness_owner', 'restored'))).toBe(dumped.schema);
    const status = await run(['src/commands/migrate.ts'], {
      DATABASE_OWNER_URL: postgres.url('awareness_owner', 'restored'),
    });
    expect(status.stdout).toBe('the database is up to date\n');

    // Statements of the guide that the operator runs before a worker starts.
    const waiting = await postgres.query('restored', block('sql', 'order by m.created_at'));
    expect(waiting.map(({ email }) => email)).toEqual(['between@tenant.test', 'stopped@tenant.test']);
    const stopOne = block('sql', "set status = 'cancelled'").replace("'…'", `'${String(waiting[1]!.id)}'`);
    await postgres.query('restored', stopOne);
    await postgres.query('restored', block('sql', 'delete from oauth_grants'));
    await postgres.query('restored', block('sql', 'from api_keys'));

    const restored = await start('restored', { ROLES: 'api' });
    expect(await statusOf(`${restored.url}/learners`, keys.tenant)).toBe(200);
    await invite(restored, 'after');
    await work('restored', 4);
    expect(sent('restored')).toEqual(['after', 'between']);
    await stop(restored);
  },
  120_000,
);
