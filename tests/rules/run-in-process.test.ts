import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ProcessLimits, readProcessUsage, runInProcess } from '../../src/limits/run-in-process.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'programs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const output = new URL('../../src/limits/process-output.ts', import.meta.url).href;
const LIMITS = { maxCpuMs: 60_000, maxMemoryMib: 512, maxHeapMib: 64, maxMs: 120_000 };
let count = 0;

/** Runs a program with this body on a string. */
function run(
  body: string,
  { text = '', signal, ...limits }: { text?: string; signal?: AbortSignal } & Partial<ProcessLimits> = {},
) {
  const path = join(folder, `program-${(count += 1)}.mjs`);
  writeFileSync(path, `import { readInput, writeLines } from '${output}';\n${body}`);
  return runInProcess(pathToFileURL(path), Buffer.from(text), { limits: { ...LIMITS, ...limits }, signal });
}

test('a program receives its input, and its lines are the result', async () => {
  const body = "await writeLines([(await readInput()).toString(), ['line\\nbreak'], null]);";
  expect(await run(body, { text: 'grüezi' })).toEqual(['grüezi', ['line\nbreak'], null]);
});

test('a result of 5 MiB arrives complete', async () => {
  const lines = (await run("await writeLines(Array.from({ length: 5000 }, (_, n) => [n, 'é'.repeat(500)]));")) as [
    number,
    string,
  ][];
  expect(lines.map(([n]) => n)).toEqual(Array.from({ length: 5000 }, (_, n) => n));
  expect(lines.every(([, text]) => text === 'é'.repeat(500))).toBe(true);
});

test.each([
  ['throws', 'failed', "throw new Error('broken');"],
  ['exits', 'failed', 'process.exit(3);'],
  ['computes for too long', 'time', 'for (;;);'],
  ['runs out of heap', 'failed', 'const kept = []; for (;;) kept.push({ kept });'],
  ['fills the memory', 'memory', 'setInterval(() => (globalThis.kept ??= []).push(Buffer.alloc(8e6, 1)), 1);'],
])('a program that %s has no result, and the service keeps running', async (_title, reason, body) => {
  await expect(run(body, { maxCpuMs: 5000 })).rejects.toMatchObject({ reason });
});

test('a program that waits for too long is reported as a busy machine', async () => {
  await expect(run('setInterval(() => undefined, 1000);', { maxMs: 300 })).rejects.toMatchObject({
    code: 'service_timeout',
  });
});

test('an aborted program ends with the reason of the signal', async () => {
  const controller = new AbortController();
  const reason = new Error('the client left');
  setTimeout(() => controller.abort(reason), 100);
  await expect(run('setInterval(() => undefined, 1000);', { signal: controller.signal })).rejects.toBe(reason);
});

test('a program that computes ends even if the service is killed', async () => {
  const [pidPath, program, service] = ['pid', 'endless.mjs', 'service.mjs'].map((name) => join(folder, name));
  writeFileSync(
    program!,
    `import { writeFileSync } from 'node:fs'; writeFileSync('${pidPath}', String(process.pid)); for (;;);`,
  );
  const limits = JSON.stringify({ ...LIMITS, maxCpuMs: 1000 });
  const source = new URL('../../src/limits/run-in-process.ts', import.meta.url).href;
  writeFileSync(
    service!,
    `import { runInProcess } from '${source}';
     await runInProcess(new URL('${pathToFileURL(program!).href}'), Buffer.alloc(0), { limits: ${limits} });`,
  );
  const parent = spawn(process.execPath, [service!], { stdio: 'ignore' });
  const exited = once(parent, 'exit');
  await until(() => existsSync(pidPath!) && readFileSync(pidPath!, 'utf8') !== '');
  const pid = Number(readFileSync(pidPath!, 'utf8'));
  parent.kill('SIGKILL');
  await exited;
  const isRunning = () => readProcessUsage(pid) !== undefined;
  expect(isRunning()).toBe(true);
  await until(() => !isRunning()).finally(() => isRunning() && process.kill(pid, 'SIGKILL'));
});
