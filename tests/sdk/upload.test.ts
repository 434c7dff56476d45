import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { openAsBlob } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PdfBody } from '../../sdk/src/index.ts';
import { ONE_PAGE, pdfOf } from '../resources/policies/pdf-samples.ts';
import { clientOf, failureOf, fails, loopback, loopbackClient, stopLoopbacks, succeeds } from './support.ts';

afterEach(stopLoopbacks);

const bytes = new Uint8Array(pdfOf(ONE_PAGE));
const sha256 = createHash('sha256').update(bytes).digest('hex');
const named = new File([bytes], 'Übung 1.pdf', { type: 'application/pdf' });

function form(): FormData {
  const data = new FormData();
  data.append('file', new Blob([bytes]), 'in a form.pdf');
  return data;
}

test.each<[string, PdfBody, string | null]>([
  ['a File', named, 'Übung 1.pdf'],
  ['a File without a type', new File([bytes], 'plain.pdf'), 'plain.pdf'],
  ['a Blob', new Blob([bytes]), null],
  ['bytes', bytes, null],
  ['a Buffer', Buffer.from(bytes), null],
  [
    'part of a larger buffer',
    Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]).subarray(6, -5),
    null,
  ],
  ['an ArrayBuffer', bytes.buffer, null],
  ['a FormData', form(), 'in a form.pdf'],
])('%s is stored unchanged', async (_, body, fileName) => {
  const stored = await clientOf().uploadPolicyFile({ body });
  expect(stored).toMatchObject({ fileName, sha256, sizeBytes: bytes.length, pageCount: 1 });
});

test('a file on disk can be uploaded as a Blob and made into a policy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-upload-'));
  try {
    await writeFile(join(folder, 'policy.pdf'), bytes);
    const client = clientOf();
    const { pdfFile } = await client.uploadPolicyFile({ body: await openAsBlob(join(folder, 'policy.pdf')) });
    const policy = await client.createPolicy({ body: { name: 'By the SDK', pdfFile, action: 'live' } });
    expect(policy).toMatchObject({ name: 'By the SDK', isLive: true });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the file of a version is returned unchanged', async () => {
  const client = clientOf();
  const { pdfFile } = await client.uploadPolicyFile({ body: named });
  const policy = await client.createPolicy({ body: { name: 'Read back', pdfFile, action: 'live' } });
  const [version] = policy.versions;
  const file = await client.getPolicyVersionPdf({ policyId: policy.id, versionId: version!.id });
  expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(bytes));
  expect(version).toMatchObject({ fileName: 'Übung 1.pdf', sha256 });
});

test('a file that is not a PDF returns invalid_file', async () => {
  const failure = await failureOf(clientOf().uploadPolicyFile({ body: new TextEncoder().encode('no PDF') }));
  expect(failure).toMatchObject({ status: 400, code: 'invalid_file' });
});

test.each<[string, PdfBody]>([
  ['a form', named],
  ['bytes', bytes],
])('%s is sent again completely after a 429', async (_, body) => {
  const server = await loopback(fails(429, 'rate_limited', { 'retry-after': '0' }), succeeds);
  await loopbackClient(server).uploadPolicyFile({ body });
  expect(server.requests.map((request) => request.body.includes(Buffer.from(bytes)))).toEqual([true, true]);
  for (const { headers } of server.requests) expect(Number(headers['content-length'])).toBeGreaterThan(0);
});
