import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { oncePerKey } from '../../src/http/once.ts';
import { runInThread } from '../../src/limits/run-in-thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'threads-'));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, body: string): URL {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, `import { parentPort, workerData } from 'node:worker_threads';\n${body}`);
  return pathToFileURL(path);
}

const double = program('double', 'parentPort.postMessage(workerData * 2);');
const unavailable = expect.objectContaining({ code: 'service_unavailable', headers: { 'Retry-After': '10' } });

test('a thread receives its data, and its message is the result', async () => {
  expect(await runInThread(double, 21)).toBe(42);
});

test('a thread that ends in the same tick as its message still returns a result', async () => {
  for (let n = 0; n < 40; n += 1) expect(await runInThread(double, n)).toBe(2 * n);
});

test.each([
  ['throws', "throw new Error('broken');"],
  ['ends without a message', ''],
  ['exits', 'process.exit(3);'],
  ['cannot be loaded', "import './missing.mjs';"],
])('a thread that %s is rejected with service_unavailable, and the next one works', async (title, body) => {
  await expect(runInThread(program(title.replaceAll(' ', '-'), body), null)).rejects.toEqual(unavailable);
  expect(await runInThread(double, 1)).toBe(2);
});

test('threads run one at a time, in the order of the calls', async () => {
  const slow = program('slow', 'setTimeout(() => parentPort.postMessage([workerData, Date.now()]), 100);');
  const ended: number[] = [];
  const start = Date.now();
  const times = await Promise.all(
    [0, 1, 2].map(async (index) => {
      const [id, time] = await runInThread<[number, number]>(slow, index);
      ended.push(id);
      return time - start;
    }),
  );
  expect(ended).toEqual([0, 1, 2]);
  for (const [index, time] of times.entries()) expect(time).toBeGreaterThanOrEqual(100 * (index + 1));
});

test('calls beyond the queue limit are rejected at once, and queued calls succeed', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 15 }, (_, index) => runInThread<number>(double, index)),
  );
  const answered = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(answered).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16]);
  expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))).toEqual(
    Array<unknown>(6).fill(unavailable),
  );
  expect(await runInThread(double, 1)).toBe(2);
});

test('oncePerKey computes a value once for all callers, and again after a failure', async () => {
  const values = oncePerKey<number>();
  let calls = 0;
  const failing = async () => {
    calls += 1;
    throw new Error('broken');
  };
  const asked = await Promise.allSettled([values('a', failing), values('a', failing), values('b', async () => 2)]);
  expect([calls, asked.map(({ status }) => status)]).toEqual([1, ['rejected', 'rejected', 'fulfilled']]);
  expect(await values('a', async () => 1)).toBe(1);
  expect(await values('a', failing)).toBe(1);
});
