import { jest } from '@jest/globals';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcesses, copyProject, processesOf, removeFolders } from '../process/folders.ts';
import {
  expectRefusal,
  freePort,
  type Program,
  run,
  startProgram,
  statusOf,
  stopServices,
} from '../process/support.ts';
import { until } from '../support/until.ts';

interface Contract {
  paths: object;
}

// The first type check takes 9 s on an idle machine, and took more than 170 s on a busy one.
const CHANGE_MS = 580_000;
jest.setTimeout(CHANGE_MS + 10_000);

const project = copyProject();
const HANDLERS = 'src/resources/company/company-handlers.ts';
let program: Program;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/v1`;
  const { serviceUrl, ownerUrl } = testService.database;
  const env = { PORT: String(port), DATABASE_URL: serviceUrl, DATABASE_OWNER_URL: ownerUrl };
  program = startProgram([join(project, 'scripts/dev/run.ts')], env, true);
  await until(() => program.output().includes('Watching api/, src/, migrations/.'), CHANGE_MS);
});

afterAll(async () => {
  stopServices();
  await endProcesses();
  await removeFolders();
});

/** Saves a file by renaming, as editors do. Returns the output since then, once it contains the expected words. */
async function save(path: string, change: (text: string) => string, answer: string | RegExp): Promise<string> {
  const said = program.output().length;
  const file = join(project, path);
  writeFileSync(`${file}~`, change(readFileSync(file, 'utf8')));
  renameSync(`${file}~`, file);
  await until(() => new RegExp(answer).test(program.output().slice(said)), CHANGE_MS);
  return program.output().slice(said);
}

const served = (path: string) => `Serving ${path} after \\d+\\.\\d s\\.`;
const document = async () => (await fetch(`${url}/openapi.json`)).text();
const generated = () => readFileSync(join(project, 'generated/openapi.json'), 'utf8');
const health = async () => (await (await fetch(`${url}/health`)).json()) as { data: { service: string } };

test('a linter error is reported with its position, and the contract is neither served nor generated', async () => {
  const lines = readFileSync(join(project, 'api/courses.yaml'), 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('summary: List courses')) + 1;
  const output = await save(
    'api/courses.yaml',
    (text) => text.replace('summary: List courses', 'summery: List no course'),
    'Not served',
  );
  expect(output).toContain(`api/courses.yaml:${line}:7  Property \`summery\` is not expected here.`);
  expect(await document()).toContain('List courses');
  expect(generated()).not.toContain('List no course');
});

test('unreadable YAML is reported with its position, once', async () => {
  const output = await save(
    'api/courses.yaml',
    (text) => text.replace('paths:', 'paths: ['),
    'Not served: one problem',
  );
  expect(output).toMatch(/api\/courses\.yaml:\d+:\d+ {2}Failed to parse/);
  expect(await statusOf(`${url}/health`)).toBe(200);
});

test('a corrected contract is served and generated', async () => {
  const mend = (text: string) => text.replace('paths: [', 'paths:').replace('summery: List no', 'summary: List some');
  await save('api/courses.yaml', mend, served('api/courses.yaml'));
  expect(await document()).toContain('List some course');
  expect(generated()).toContain('List some course');
});

test('a compiler error is reported with its position, and the last good service keeps serving', async () => {
  const output = await save(
    HANDLERS,
    (text) => `${text}export const wrong: number = 'three';\n`,
    'Not served: one problem',
  );
  const line = readFileSync(join(project, HANDLERS), 'utf8').trimEnd().split('\n').length;
  expect(output).toContain(`${HANDLERS}:${line}:14  Type 'string' is not assignable to type 'number'. (TS2322)`);
  expect(await statusOf(`${url}/health`)).toBe(200);
});

test('a saved change is served as soon as all saved files are valid', async () => {
  const handlers = join(project, HANDLERS);
  writeFileSync(handlers, readFileSync(handlers, 'utf8').replace(/export const wrong.*\n/, ''));
  const routes = 'src/rest/system-routes.ts';
  const rename = (text: string) => text.replace("'security-awareness-program-service'", "'another-name'");
  await save(routes, rename, `Serving .*${routes}.* after`);
  expect((await health()).data.service).toBe('another-name');
});

test('scaffolded operations pass the linter, compile and are served', async () => {
  for (const resource of ['groups', 'reports'])
    mkdirSync(join(project, 'tests/resources', resource), { recursive: true });
  for (const args of [
    ['archiveGroup', 'POST', '/groups/{groupId}/archive'],
    // Reports have no repository of this name.
    ['getPhishingReport', 'GET', '/reports/phishing'],
  ])
    expect(await run([join(project, 'scripts/scaffold/run.ts'), ...args], {})).toMatchObject({ code: 0 });
  // Between two processes the service is unreachable.
  const paths = async () => Object.keys((JSON.parse(await document().catch(() => '{"paths":{}}')) as Contract).paths);
  const wanted = ['/groups/{groupId}/archive', '/reports/phishing'];
  await until(async () => ((now) => wanted.every((path) => now.includes(path)))(await paths()), CHANGE_MS);
});

test('a new migration runs before the service starts again', async () => {
  const path = 'migrations/20990101000000_create_later.ts';
  const text = `import type { Knex } from 'knex';
export const up = (knex: Knex) => knex.raw('create table later (id int)');
export const down = (knex: Knex) => knex.raw('drop table later');\n`;
  writeFileSync(join(project, path), '');
  await save(path, () => text, 'migrated: 20990101000000_create_later.ts');
  expect(await testService.query('select * from later')).toEqual([]);
});

test('an edited migration does not run again, and the output says what to do', async () => {
  const path = 'migrations/20990101000000_create_later.ts';
  const output = await save(path, (text) => text.replace('id int', 'id text'), 'not run again; write a new one');
  expect(output).toContain('make migrate ARGS=down');
});

test('Ctrl-C ends the program and leaves no process', async () => {
  process.kill(-program.child.pid!, 'SIGINT');
  expect(await program.exit).toEqual({ code: 0, signal: null });
  expect(processesOf(project)).toEqual([]);
});

test('production and an argument are rejected in one sentence', async () => {
  expectRefusal(
    await run(['scripts/dev/run.ts'], { NODE_ENV: 'production' }),
    1,
    'does not run if NODE_ENV is production',
  );
  expectRefusal(await run(['scripts/dev/run.ts', 'now'], {}), 64, 'Usage: node scripts/dev/run.ts');
});
