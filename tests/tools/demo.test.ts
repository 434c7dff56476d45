import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rollBack } from '../../src/commands/database.ts';
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import { keys } from '../support/world.ts';
import { endProcesses, makeFolder, processesOf, removeFolders } from '../process/folders.ts';
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

interface Demo extends Program {
  /** Base URL of the demo. */
  url: string;
}

/** Data folder of the demo; the first test that starts a demo creates the data. */
const folder = join(makeFolder(), 'demo');
afterEach(async () => {
  stopServices();
  await endProcesses();
});
afterAll(removeFolders);

const DEMO = ['scripts/demo/run.ts'];
const embedded = (port = 0) => ({ DEMO_DATA_FOLDER: folder, PORT: String(port) });

async function startDemo(env: Record<string, string>): Promise<Demo> {
  const program = startProgram(DEMO, env, true);
  await until(
    () => program.output().includes('Press Ctrl-C to stop the demo.') || program.child.exitCode !== null,
    170_000,
  );
  const url = /The service is ready: +(\S+)/.exec(program.output())?.[1];
  if (!url) throw new Error(program.output());
  return { ...program, url };
}

/** Sends Ctrl-C to the demo's terminal. Expects exit code 0, no further output and no remaining process. */
async function interrupt(demo: Program): Promise<void> {
  const said = demo.output();
  process.kill(-demo.child.pid!, 'SIGINT');
  expect(await demo.exit).toEqual({ code: 0, signal: null });
  expect(demo.output()).toBe(said);
  expect(processesOf(folder)).toEqual([]);
}

/** Returns the reference of the documentation, from the URL that the demo prints. */
async function referenceOf(demo: Demo): Promise<string> {
  const docs = /Documentation: +(\S+)/.exec(demo.output())![1]!;
  return (await fetch(`${docs}/reference`)).text();
}

/** Runs a line of the shell as pasted; curl prints the status on standard error. */
async function paste(line: string): Promise<{ status: string; body: string }> {
  const asked = line.replace('curl -s', "curl -s -w '%{stderr}%{http_code}'");
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', asked]);
  return { status: stderr, body: stdout };
}

describe('with only Node', () => {
  test('Ctrl-C while it creates its database ends everything', async () => {
    const demo = startProgram(DEMO, embedded(), true);
    const isCreating = () => existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('making-'));
    await until(() => demo.output() !== '' && isCreating());
    await interrupt(demo);
  });

  test('it serves, each printed curl line returns 200 as pasted, and Ctrl-C ends everything', async () => {
    const demo = await startDemo(embedded());
    const lines = demo.output().match(/^ +curl .*$/gm)!;
    for (const name of ['tenant', 'msp', 'distributor', 'prospect'] as const) {
      expect(lines.some((line) => line.includes(demoKeys[name]))).toBe(true);
    }
    for (const { status, body } of await Promise.all(lines.map(paste))) {
      expect(status).toBe('200');
      expect(body).toMatch(/^\{"data":(\[\{|\{)"/);
    }
    expect(await statusOf(`${demo.url}/openapi.json`)).toBe(200);
    expect(await referenceOf(demo)).toContain(`data-key="${demoKeys.tenant}"`);
    const simulated = await run(['scripts/demo/schedule-simulation.ts', demo.url], {});
    expect([simulated.code, simulated.stderr]).toEqual([0, '']);
    const receiver = startProgram(['scripts/demo/receive-webhooks.ts', demo.url], {}, true);
    await until(() => receiver.output().includes('verified  webhook.test'));
    receiver.child.kill('SIGINT');
    expect(await receiver.exit).toEqual({ code: 0, signal: null });
    // The demo, its service, and Postgres with its processes.
    expect(processesOf(folder).length).toBeGreaterThan(3);
    await interrupt(demo);
  });

  test('after kill -9 a new demo serves the same data on the same port, until SIGTERM', async () => {
    const port = await freePort();
    const killed = await startDemo(embedded(port));
    const learner = { email: 'survivor@acme-industries.test', firstName: 'Survivor', lastName: 'Singh' };
    const headers = { authorization: `Bearer ${demoKeys.tenant}`, 'content-type': 'application/json' };
    const created = await fetch(`${killed.url}/learners`, { method: 'POST', headers, body: JSON.stringify(learner) });
    const { data } = (await created.json()) as { data: { id: string } };
    killed.child.kill('SIGKILL');
    await killed.exit;

    const next = await startDemo(embedded(port));
    expect(next.url).toBe(killed.url);
    expect(await statusOf(`${next.url}/learners/${data.id}`, demoKeys.tenant)).toBe(200);
    next.child.kill('SIGTERM');
    expect(await next.exit).toEqual({ code: 0, signal: null });
    expect(processesOf(folder)).toEqual([]);
  });
});

describe('with a database of your own', () => {
  const own = () => ({
    ...embedded(),
    DATABASE_URL: testService.database.serviceUrl,
    DATABASE_OWNER_URL: testService.database.ownerUrl,
  });

  test('it serves existing data unchanged, without demo keys, and ends when its service dies', async () => {
    const demo = await startDemo(own());
    expect(await statusOf(`${demo.url}/company`, keys.tenant)).toBe(200);
    expect(await statusOf(`${demo.url}/company`, demoKeys.tenant)).toBe(401);
    expect(demo.output()).toContain('its own companies');
    expect(demo.output()).not.toContain('curl');
    const reference = await referenceOf(demo);
    expect(reference).not.toContain('data-key');
    expect(Object.values(demoKeys).filter((key) => reference.includes(key))).toEqual([]);

    const service = processesOf(folder).find((pid) => pid !== demo.child.pid)!;
    process.kill(service, 'SIGKILL');
    expect(await demo.exit).toEqual({ code: 1, signal: null });
    expect(demo.output()).toContain('The service has exited (SIGKILL).');
    expect(processesOf(folder)).toEqual([]);
  });

  test('it fills an empty database', async () => {
    await rollBack(testService.database.ownerUrl, Infinity);
    const demo = await startDemo(own());
    expect(demo.output()).toContain('Filled the empty database');
    expect(await statusOf(`${demo.url}/companies`, demoKeys.msp)).toBe(200);
    await interrupt(demo);
  });
});

describe('it rejects in one sentence', () => {
  test('a port that another program uses', async () => {
    const { port } = new URL(testService.url);
    expectRefusal(await run(DEMO, embedded(Number(port))), 1, `Port ${port} is in use`);
  });

  test('production', async () => {
    const refused = await run(DEMO, { ...embedded(), NODE_ENV: 'production' });
    expectRefusal(refused, 1, 'The demo does not run if NODE_ENV is production.');
  });

  test('an invalid setting, before it starts anything', async () => {
    expectRefusal(await run(DEMO, { ...embedded(), PORT: 'eighty' }), 78, 'PORT must be a whole number');
    expectRefusal(await run(DEMO, { ...embedded(), LOG_LEVEL: 'loud' }), 78, 'LOG_LEVEL must be one of');
    expectRefusal(
      await run(DEMO, { ...embedded(), DATABASE_OWNER_URL: testService.database.ownerUrl }),
      78,
      'DATABASE_URL is not',
    );
    expectRefusal(await run([...DEMO, 'now'], embedded()), 64, 'Usage: node scripts/demo/run.ts');
  });
});
