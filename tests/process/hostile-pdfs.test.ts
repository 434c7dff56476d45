import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { readProcessUsage } from '../../src/limits/run-in-process.ts';
import { type Service, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';
import { expectContract } from '../support/client.ts';
import { companies, keys } from '../support/world.ts';
import { bombs, hexadecimalBomb } from '../resources/policies/hostile-bombs.ts';
import { laborious, millionParts, miscount, noise } from '../resources/policies/hostile-structures.ts';
import { bytesOf, ONE_PAGE, pdfOf, written } from '../resources/policies/pdf-samples.ts';

const MAX_CPU_MS = 4000;
/** CPU time that a reader can use beyond its limit before the service notices and ends the reader. */
const GRACE_MS = 500;
const MAX_MS = 20_000;
const MAX_GROWTH_KIB = 256 * 1024;
/** Maximum CPU time that the service itself uses before it answers a health check. */
const MAX_HELD_UP_MS = 1000;
/** Maximum wall-clock time of a health check, which must not wait for a reader. */
const HEALTH_MS = 2000;
const LOOK_EVERY_MS = 50;

// A separate process, so that its memory use and a crash do not affect the tests.
let service: Service | undefined;
/** Hashes of the files that the service accepted. */
const accepted = new Set<string>();
let storedBefore: string[];

beforeAll(async () => {
  storedBefore = await storedHashes();
});

beforeEach(async () => {
  if (service && endOfService() === undefined) return;
  const env = { DATABASE_URL: testService.database.serviceUrl, ROLES: 'api', RATE_LIMIT_PER_MINUTE: '0' };
  service = await startService(env);
  await until(async () => (await statusOf(`${service!.url}/ready`)) === 200);
  // Loads the modules that the first file needs, so that they do not count as growth of the memory.
  await upload(pdfOf(ONE_PAGE));
});
afterAll(stopServices);

/** Returns the readers that the service has started and that have not ended. */
function readers(): string[] {
  const { pid } = service!.child;
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
}

/** Returns the memory of the service and its readers, as Linux reports it. */
function memoryKib(): number {
  return [String(service!.child.pid), ...readers()].reduce((sum, one) => sum + residentKib(one), 0);
}

/** Returns the CPU time of the readers so far. A busy machine takes longer by the clock for the same work. */
function cpuMs(): number {
  return Math.max(0, ...readers().map((pid) => readProcessUsage(Number(pid))?.cpuMs ?? 0));
}

/** Returns the CPU time of the service itself. */
function ownCpuMs(): number {
  return readProcessUsage(service!.child.pid!)?.cpuMs ?? 0;
}

function residentKib(pid: string): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

interface Verdict {
  status: number;
  body: any;
}

/** Uploads a file on its own connection. */
function upload(bytes: Buffer, key = keys.tenant): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/pdf',
      'content-length': bytes.length,
    };
    const url = `${service!.url}/policies/upload`;
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('error', reject).once('end', () => {
        const [status, type] = [response.statusCode!, response.headers['content-type']!];
        if (status === 200) accepted.add(createHash('sha256').update(bytes).digest('hex'));
        expectContract('POST', '/v1/policies/upload', status, type, text);
        resolve({ status, body: JSON.parse(text) });
      });
    });
    sent.once('error', reject).end(bytes);
  });
}

/** Returns how the service has ended, with its last output, or undefined while it runs. */
function endOfService(): string | undefined {
  const { exitCode, signalCode } = service!.child;
  if (exitCode === null && signalCode === null) return undefined;
  const words = service!
    .output()
    .split('\n')
    .filter((line) => line && !line.startsWith('{'));
  return `${exitCode ?? signalCode}: ${words.slice(0, 6).join('\n')}`;
}

/** Uploads a file, and expects its inspection to stay within the limits while other requests are served. */
async function judge(bytes: Buffer): Promise<Verdict> {
  const before = memoryKib();
  let most = before;
  let [slowest, heldUp, busiest] = [0, 0, 0];
  let judged = false;
  const start = performance.now();
  const answer = upload(bytes).finally(() => (judged = true));
  while (!judged) {
    const [asked, spent] = [performance.now(), ownCpuMs()];
    await statusOf(`${service!.url}/health`);
    slowest = Math.max(slowest, performance.now() - asked);
    heldUp = Math.max(heldUp, ownCpuMs() - spent);
    most = Math.max(most, memoryKib());
    busiest = Math.max(busiest, cpuMs());
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  await answer.catch(() => undefined);
  const took = performance.now() - start;
  // A reader that the service ended might crash the service a moment later.
  if (took > MAX_CPU_MS / 2) await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(endOfService()).toBeUndefined();
  expect(busiest).toBeLessThan(MAX_CPU_MS + GRACE_MS);
  expect(took).toBeLessThan(MAX_MS);
  expect(heldUp).toBeLessThan(MAX_HELD_UP_MS);
  expect(slowest).toBeLessThan(Math.max(HEALTH_MS, took / 2));
  expect(Math.round((most - before) / 1024)).toBeLessThan(MAX_GROWTH_KIB / 1024);
  return answer;
}

/** Expects a file to be rejected within the limits, and returns the message. */
async function expectRefused(bytes: Buffer): Promise<string> {
  const { status, body } = await judge(bytes);
  expect({ status, code: body.error?.code, pageCount: body.data?.pageCount }).toEqual({
    status: 400,
    code: 'invalid_file',
  });
  expect(body.error.details).toEqual([{ field: 'body/file', message: body.error.message }]);
  expect(body.error.message).toMatch(/^The file [A-Za-z0-9 ]+\.$/);
  return body.error.message as string;
}

// tests/rules/judge-pdf.test.ts judges many more of each kind, without the service.
test.each<[string, () => Buffer | Promise<Buffer>]>([
  ['is not a PDF', () => noise(100 * 1024)],
  ['has no pages', () => pdfOf(['<</Type/Catalog>>'])],
  [
    'has no cross-reference table',
    () =>
      Buffer.from(
        pdfOf(ONE_PAGE)
          .toString('latin1')
          .replace(/xref\n[^]*trailer/, 'trailer'),
      ),
  ],
  ['claims more pages than it has', () => miscount(500, 9000)],
  ['has too many pages', () => miscount(500, 10_001)],
  ['is truncated', () => pdfOf(ONE_PAGE).subarray(0, -20)],
])('a file that %s is rejected', async (_case, make) => {
  await expectRefused(await make());
});

test('an encrypted file is rejected with the reason', async () => {
  const document = await written(2);
  document.encrypt({ userPassword: 'u', algorithm: 'AES-256' });
  expect(await expectRefused(await bytesOf(document))).toBe('The file is encrypted.');
});

test.each([...laborious, ...bombs])('a file with %s is rejected', (_case, make) => expectRefused(make()));

test('a file whose cross-reference table has a million empty sections is read as one page', async () => {
  expect(await judge(millionParts())).toMatchObject({ status: 200, body: { data: { pageCount: 1 } } });
});

test('four simultaneous bombs from two companies are rejected, each within its limits', async () => {
  const bytes = hexadecimalBomb();
  const before = memoryKib();
  let most = before;
  const answers = [keys.tenant, keys.tenant, keys.other, keys.other].map((key) => upload(bytes, key));
  let open = true;
  const all = Promise.all(answers).finally(() => (open = false));
  while (open) {
    await statusOf(`${service!.url}/health`);
    most = Math.max(most, memoryKib());
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  expect((await all).map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  expect(Math.round((most - before) / 1024)).toBeLessThan(4 * 256);
});

test('files of clients that disconnect are judged within the same limits', async () => {
  const bytes = hexadecimalBomb();
  const { port } = new URL(service!.url);
  const head = `Authorization: Bearer ${keys.tenant}\r\nContent-Type: application/pdf\r\nContent-Length: ${bytes.length}`;
  const before = memoryKib();
  let most = before;
  for (let n = 0; n < 10; n++) {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    socket.write(`POST /v1/policies/upload HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`);
    socket.write(bytes);
    await new Promise((resolve) => setTimeout(resolve, 150));
    socket.destroy();
    most = Math.max(most, memoryKib());
  }
  for (const end = Date.now() + MAX_CPU_MS; Date.now() < end;) {
    await statusOf(`${service!.url}/health`);
    most = Math.max(most, memoryKib());
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  expect(endOfService()).toBeUndefined();
  // The limit allows for two readers at once, the most that the service runs.
  expect(Math.round((most - before) / 1024)).toBeLessThan(2 * 256);
});

test('files of clients that disconnect are not kept in memory, even if they take long to judge', async () => {
  const bytes = pdfOf([...ONE_PAGE, Buffer.alloc(23 * 1024 * 1024, 'stream\n\x78\x9c', 'latin1')]);
  const { port } = new URL(service!.url);
  const own = () => residentKib(String(service!.child.pid));
  const before = own();
  let most = before;
  for (let n = 0; n < 20; n++) {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    const head = `Authorization: Bearer ${keys.tenant}\r\nContent-Type: application/pdf\r\nContent-Length: ${bytes.length}`;
    socket.write(`POST /v1/policies/upload HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`);
    await new Promise((resolve) => socket.write(bytes, resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    most = Math.max(most, own());
  }
  expect(Math.round((most - before) / 1024)).toBeLessThan(200);
  // No earlier file is left for which this file would wait.
  expect((await judge(pdfOf(ONE_PAGE))).status).toBe(200);
});

test('rejected files are not stored', async () => {
  expect(new Set(await storedHashes())).toEqual(new Set([...storedBefore, ...accepted]));
});

async function storedHashes(): Promise<string[]> {
  const rows = await testService.query(
    `select encode(sha256, 'hex') as hash from file_contents where company_id = any($1)
     union select encode(sha256, 'hex') from policy_files where company_id = any($1)`,
    [[companies.tenant, companies.other]],
  );
  return rows.map(({ hash }) => hash as string);
}
