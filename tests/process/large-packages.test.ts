import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageOf, packagePath } from '../resources/courses/package-samples.ts';
import { until } from '../support/until.ts';
import { keys } from '../support/world.ts';
import { type Service, startService, statusOf, stopServices } from './support.ts';

const MIB = 1024 * 1024;
/** Maximum growth of the process, as a multiple of the package: measured 2.3 as a body and 2.9 as a form (30 November 2026). */
const MAX_COPIES = 4;

let service: Service;
let before: number;
beforeAll(async () => {
  const env = { DATABASE_URL: testService.database.serviceUrl, ROLES: 'api', RATE_LIMIT_PER_MINUTE: '0' };
  service = await startService(env);
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  // Loads the modules of an upload, so that they do not count as growth of the memory.
  expect(await upload(packageOf())).toBe(200);
  before = readMemory('VmRSS');
});
afterAll(stopServices);

function readMemory(name: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)![1]) * 1024;
}

async function upload(body: Buffer | FormData): Promise<number> {
  const headers: Record<string, string> = { authorization: `Bearer ${keys.tenant}` };
  if (Buffer.isBuffer(body)) headers['content-type'] = 'application/zip';
  else {
    // A form sent by `fetch` has no Content-Length.
    const encoded = new Response(body);
    headers['content-type'] = encoded.headers.get('content-type')!;
    body = Buffer.from(await encoded.arrayBuffer());
  }
  const { status } = await fetch(service.url + packagePath(), {
    method: 'PUT',
    headers,
    body: new Uint8Array(body),
  });
  return status;
}

test.each(['a body', 'a form'])('a package of 95 MiB as %s takes a bounded amount of memory', async (kind) => {
  const bytes = packageOf({ path: 'film.mp4', content: randomBytes(95 * MIB), isStored: true });
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'application/zip' }), 'course.zip');
  expect(await upload(kind === 'a form' ? form : bytes)).toBe(200);
  const growth = readMemory('VmHWM') - before;
  expect(growth).toBeLessThan(MAX_COPIES * bytes.length);
});
