import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { readProcessUsage } from '../../src/pdf/inspect-pdf.ts';
import { type Service, startService, statusOf, stopServices, until } from './support.ts';
import { expectContract } from '../support/client.ts';
import { companies, keys } from '../support/world.ts';
import { bombs } from '../resources/policies/hostile-bombs.ts';
import { laborious, millionParts, miscount, noise } from '../resources/policies/hostile-structures.ts';
import { bytesOf, ONE_PAGE, pdfOf, written } from '../resources/policies/pdf-samples.ts';

const MAX_CPU_MS = 4000;
/** What a reader may still do until it is looked at and ended. */
const GRACE_MS = 500;
const MAX_MS = 20_000;
const MAX_GROWTH_KIB = 256 * 1024;
/** How long the service may be busy with itself before it answers others: processor's time, as of the readers. */
const MAX_HELD_UP_MS = 1000;
/** The same by the clock, for which it must not wait for a reader. */
const HEALTH_MS = 2000;
const LOOK_EVERY_MS = 50;

// A process of its own: its memory is not that of the tests, and its end is not theirs.
let service: Service | undefined;
/** The hashes of what it has accepted. */
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
  // What the first file loads stays loaded.
  await upload(pdfOf(ONE_PAGE));
});
afterAll(stopServices);

/** What the service has started and not ended yet. */
function readers(): string[] {
  const { pid } = service!.child;
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
}

/** The memory of the service and of what it has started, as Linux tells it. */
function memoryKib(): number {
  return [String(service!.child.pid), ...readers()].reduce((sum, one) => sum + residentKib(one), 0);
}

/** The processor's time of the readers so far. A busy machine takes longer by the clock for the same. */
function cpuMs(): number {
  return Math.max(0, ...readers().map((pid) => readProcessUsage(Number(pid))?.cpuMs ?? 0));
}

/** The processor's time of the service itself. */
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

/** Uploads a file on a connection of its own. */
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

/** How the service has ended, and its last words; undefined while it runs. */
function endOfService(): string | undefined {
  const { exitCode, signalCode } = service!.child;
  if (exitCode === null && signalCode === null) return undefined;
  const words = service!
    .output()
    .split('\n')
    .filter((line) => line && !line.startsWith('{'));
  return `${exitCode ?? signalCode}: ${words.slice(0, 6).join('\n')}`;
}

/** Uploads a file and expects it to be judged in bounds, while others are served. Returns the answer. */
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
  // A reader that was ended may take the process with it a moment later.
  if (took > MAX_CPU_MS / 2) await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(endOfService()).toBeUndefined();
  expect(busiest).toBeLessThan(MAX_CPU_MS + GRACE_MS);
  expect(took).toBeLessThan(MAX_MS);
  expect(heldUp).toBeLessThan(MAX_HELD_UP_MS);
  expect(slowest).toBeLessThan(Math.max(HEALTH_MS, took / 2));
  expect(Math.round((most - before) / 1024)).toBeLessThan(MAX_GROWTH_KIB / 1024);
  return answer;
}

/** Expects a file to be refused in bounds. Returns what the client is told. */
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
  ['is no PDF', () => noise(100 * 1024)],
  ['has no pages', () => pdfOf(['<</Type/Catalog>>'])],
  [
    'has no index',
    () =>
      Buffer.from(
        pdfOf(ONE_PAGE)
          .toString('latin1')
          .replace(/xref\n[^]*trailer/, 'trailer'),
      ),
  ],
  ['counts pages that are not there', () => miscount(500, 9000)],
  ['has too many pages', () => miscount(500, 10_001)],
  ['is cut off', () => pdfOf(ONE_PAGE).subarray(0, -20)],
])('a file that %s is refused', async (_case, make) => {
  await expectRefused(await make());
});

test('a file that is encrypted is refused, and told why', async () => {
  const document = await written(2);
  document.encrypt({ userPassword: 'u', algorithm: 'AES-256' });
  expect(await expectRefused(await bytesOf(document))).toBe('The file is encrypted.');
});

test.each([...laborious, ...bombs])('a file of %s is refused', (_case, make) => expectRefused(make()));

test('a file with an index of a million empty parts is read as one page', async () => {
  expect(await judge(millionParts())).toMatchObject({ status: 200, body: { data: { pageCount: 1 } } });
});

test('four bombs at once from two companies are refused, each within its bounds', async () => {
  const [, bomb] = bombs.find(([name]) => name === '300 MiB in a stream of objects in hexadecimal')!;
  const bytes = bomb();
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

test('files of clients that leave while they are judged are judged within the same bounds', async () => {
  const bytes = bombs.find(([name]) => name === '300 MiB in a stream of objects in hexadecimal')![1]();
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
  // Two at once, as if they had stayed.
  expect(Math.round((most - before) / 1024)).toBeLessThan(2 * 256);
});

test('what clients leave behind is not kept, though it takes long to judge', async () => {
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
  // Nothing is left to wait for.
  expect((await judge(pdfOf(ONE_PAGE))).status).toBe(200);
});

test('of all that was refused nothing is stored', async () => {
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
