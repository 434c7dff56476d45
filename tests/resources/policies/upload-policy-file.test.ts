/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Answer, expectContract, expectError, fingerprintOf, get, post } from '../../support/client.ts';
import { companies, type KeyName, keys } from '../../support/world.ts';
import { expectRefused } from '../tenant-state.ts';
import { bytesOf, ONE_PAGE, pdfOf, streamOf, written } from './pdf-samples.ts';
import {
  BOUNDARY,
  formEnd,
  onePage,
  openUpload,
  part,
  upload,
  UPLOAD,
  uploadForm,
  uploadNamed,
} from './upload-calls.ts';

const MIB = 1024 * 1024;
const MAX_BYTES = 25 * MIB;
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;

const refused = (request: () => Promise<Answer>, code: string, fields?: string[]): Promise<Answer> =>
  expectRefused(request, 400, code, fields);

/** Builds a PDF of exactly the given size. */
function pdfOfSize(bytes: number): Buffer {
  const of = (length: number) => pdfOf([...ONE_PAGE, streamOf('', Buffer.alloc(length, 'x'))]);
  const pdf = of(bytes - 500);
  return of(bytes - 500 + bytes - pdf.length);
}

async function contentsOf(sha256: string, company: KeyName = 'tenant'): Promise<Buffer[]> {
  const rows = await testService.query('select content from file_contents where company_id = $1 and sha256 = $2', [
    companies[company as 'tenant'],
    Buffer.from(sha256, 'hex'),
  ]);
  return rows.map((row) => row.content as Buffer);
}

describe('POST /policies/upload', () => {
  test('stores the body unchanged and returns its size, hash, page count and expiry', async () => {
    const bytes = await bytesOf(await written(7));
    const before = Date.now();
    const { status, body } = await upload(bytes);
    expect(status).toBe(200);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(body.data).toEqual({
      pdfFile: expect.stringMatching(/^[0-9a-f-]{36}$/),
      fileName: null,
      sizeBytes: bytes.length,
      sha256,
      pageCount: 7,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const hours = (Date.parse(body.data.expiresAt) - before) / 3_600_000;
    expect(hours).toBeGreaterThan(23.99);
    expect(hours).toBeLessThan(24.01);
    expect((await contentsOf(sha256)).map((content) => content.equals(bytes))).toEqual([true]);
  });

  test('stores the file of a form and its name', async () => {
    const form = new FormData();
    form.append('file', new File([new Uint8Array(onePage)], 'acceptable-use.pdf', { type: 'application/pdf' }));
    const encoded = new Response(form);
    const type = encoded.headers.get('content-type')!;
    const { body } = await upload(new Uint8Array(await encoded.arrayBuffer()), { type });
    const sha256 = createHash('sha256').update(onePage).digest('hex');
    expect(body.data).toMatchObject({
      fileName: 'acceptable-use.pdf',
      sizeBytes: onePage.length,
      sha256,
      pageCount: 1,
    });
  });

  test('creates a policy from the reference until the file expires unused', async () => {
    const { pdfFile } = (await upload(onePage)).body.data;
    const policy = { name: 'New', pdfFile, action: 'draft' };
    expect((await post('/policies', policy)).status).toBe(200);
    const unused = (await upload(onePage)).body.data.pdfFile as string;
    await testService.query("update policy_files set expires_at = now() - interval '1 second' where id = any($1)", [
      [pdfFile, unused],
    ]);
    await refusedReference({ ...policy, pdfFile: unused });
    expect((await post('/policies', policy)).status).toBe(200);
  });

  test('the reference returns 404 for other companies, including the MSP', async () => {
    const { pdfFile } = (await upload(onePage, { key: 'childA' })).body.data;
    const policy = { name: 'New', pdfFile, action: 'live' };
    for (const key of ['tenant', 'childB', 'msp', 'distributor'] as const) await refusedReference(policy, key);
    expect((await post('/policies', policy, 'childA')).status).toBe(200);
  });

  async function refusedReference(policy: object, key: KeyName = 'tenant'): Promise<void> {
    const before = (await get('/policies', key)).text;
    expectError(await post('/policies', policy, key), 404, 'not_found', ['body/pdfFile']);
    expect((await get('/policies', key)).text).toBe(before);
  }

  test('two uploads of one file create two references and one content per company', async () => {
    const bytes = await bytesOf(await written(2));
    const uploads = [upload(bytes), upload(bytes), upload(bytes, { key: 'other' })];
    const [first, second, others] = (await Promise.all(uploads)).map(({ body }) => body.data);
    expect(new Set([first.pdfFile, second.pdfFile, others.pdfFile]).size).toBe(3);
    expect(await contentsOf(first.sha256)).toHaveLength(1);
    expect(await contentsOf(first.sha256, 'other')).toHaveLength(1);
  });

  test.each(['?nonsense=1', `?companyId=${companies.tenant}`, '?file=x'])('the query %s returns 400', (query) => {
    const field = `query/${/\w+/.exec(query)![0]}`;
    return refused(() => upload(onePage, { path: UPLOAD + query }), 'invalid_request', [field]);
  });

  test('an MSP cannot upload for its child company', async () => {
    const before = await fingerprintOf('childA');
    const answer = await upload(onePage, { key: 'msp', path: `${UPLOAD}?companyId=${companies.childA}` });
    expectError(answer, 400, 'invalid_request', ['query/companyId']);
    expect(await fingerprintOf('childA')).toBe(before);
  });
});

describe('the size of an upload', () => {
  test('accepts 25 MiB, raw and in a form', async () => {
    const bytes = pdfOfSize(MAX_BYTES);
    expect((await upload(bytes)).body.data.sizeBytes).toBe(MAX_BYTES);
    const { body } = await uploadForm([part('; name="file"; filename="large.pdf"', bytes)]);
    expect(body.data.sizeBytes).toBe(MAX_BYTES);
  });

  test('rejects 25 MiB and one byte, raw and in a form within the size limit of forms', async () => {
    const bytes = pdfOfSize(MAX_BYTES + 1);
    await expectRefused(() => upload(bytes), 413, 'payload_too_large');
    await expectRefused(() => uploadForm([part('; name="file"; filename="l.pdf"', bytes)]), 413, 'payload_too_large');
  });

  test.each([
    ['25 MiB and one byte', 'application/pdf', `${MAX_BYTES + 1}`],
    ['a form of 26 MiB', FORM, `${26 * MIB}`],
    ['1 TiB', 'application/pdf', `${1024 ** 4}`],
    ['1 PB', FORM, `1${'0'.repeat(15)}`],
  ])('%s returns 413 before the body is sent', async (_case, type, length) => {
    const { socket, answer } = openUpload([`Content-Type: ${type}`, `Content-Length: ${length}`], '%PDF-1.4');
    expectRawError(await answer, 413, 'payload_too_large');
    await new Promise((resolve) => socket.once('close', resolve));
  });

  test('an upload without a length returns 411', async () => {
    const { socket, answer } = openUpload(['Content-Type: application/pdf']);
    expectRawError(await answer, 411, 'length_required');
    socket.destroy();
  });

  test.each(['application/pdf', FORM])('a chunked upload as %s returns 411 before it has ended', async (type) => {
    const chunk = `5\r\n%PDF-\r\n`;
    const { socket, answer } = openUpload([`Content-Type: ${type}`, 'Transfer-Encoding: chunked'], chunk);
    expectRawError(await answer, 411, 'length_required');
    socket.destroy();
  });

  test.each(['-1', 'x', '1, 2', '0x10', `${'9'.repeat(30)}`])('the length %s returns 400 or 413', async (length) => {
    const { socket, answer } = openUpload(['Content-Type: application/pdf', `Content-Length: ${length}`], '%PDF-1.4');
    expect(await answer).toMatch(/^HTTP\/1\.1 4(00|13) /);
    socket.destroy();
  });

  test('an upload without a valid key returns 401 before the file is sent', async () => {
    const headers = ['Content-Type: application/pdf', `Content-Length: ${20 * MIB}`];
    for (const authorization of [[], ['Authorization: Bearer nonsense'], [`Authorization: Bearer ${keys.revoked}`]]) {
      const { socket, answer } = openUpload([...headers, ...authorization], '%PDF-', null);
      expectRawError(await answer, 401, 'unauthorized');
      socket.destroy();
    }
  });

  function expectRawError(answer: string, status: number, code: string): void {
    const [head, text] = answer.split('\r\n\r\n') as [string, string];
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expectContract('POST', `/v1${UPLOAD}`, status, 'application/json; charset=utf-8', text);
    expect(JSON.parse(text).error.code).toBe(code);
  }
});

describe('invalid uploads', () => {
  const file = (name: string): Buffer => part(`; name="${name}"; filename="a.pdf"`, onePage);
  const text = (name: string, value = 'a text'): Buffer =>
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);

  test.each([
    '',
    'text/plain',
    'application/json',
    'application/octet-stream',
    'application/x-pdf',
    'image/jpeg',
    'nonsense',
    'multipart/mixed; boundary=x',
    'application/x-www-form-urlencoded',
    'application/pdfx',
    '*/*',
  ])('the content type "%s" returns 400', (type) => refused(() => upload(onePage, { type }), 'unsupported_media_type'));

  test.each(['APPLICATION/PDF', 'application/pdf; charset=binary', 'application/pdf;version=1.7'])(
    'the content type "%s" is accepted',
    async (type) => expect((await upload(onePage, { type })).status).toBe(200),
  );

  test('accepts an upper-case form type and any content type of the file', async () => {
    const options = { type: `Multipart/Form-Data; Boundary=${BOUNDARY}` };
    for (const type of ['application/octet-stream', 'text/html']) {
      const answer = await uploadForm([part('; name="file"; filename="a.pdf"', onePage, type)], options);
      expect(answer.status).toBe(200);
    }
  });

  test.each<[string, Buffer[], string[]]>([
    ['no field', [], ['body/file']],
    ['the file in another field', [file('pdf')], ['body/pdf']],
    ['the file in a list', [file('file[]')], ['body/file[]']],
    ['the file in __proto__', [file('__proto__')], ['body/__proto__']],
    ['two files', [file('file'), file('file')], ['body']],
    ['a second file in another field', [file('file'), file('more')], ['body']],
    ['a text field after the file', [file('file'), text('name')], ['body']],
    ['a text field before the file', [text('name'), file('file')], ['body']],
    ['a text field instead of the file', [text('file')], ['body/file']],
    ['a thousand text fields', Array<Buffer>(1000).fill(text('name')), ['body']],
  ])('a form with %s returns 400', async (_case, parts, fields) => {
    await refused(() => uploadForm(parts), 'invalid_request', fields);
  });

  test('a field with a long name returns 400 with a short response', async () => {
    const { text } = await refused(() => uploadForm([file('x'.repeat(10_000))]), 'invalid_request');
    expect(text.length).toBeLessThan(2000);
  });

  test.each<[string, Buffer, string]>([
    ['no boundary in its content type', Buffer.concat([file('file'), formEnd]), 'multipart/form-data'],
    ['an empty boundary', Buffer.concat([file('file'), formEnd]), 'multipart/form-data; boundary='],
    ['a boundary that its content type does not name', Buffer.concat([file('file'), formEnd]), `${FORM}x`],
    ['no closing boundary', file('file'), FORM],
    ['a body truncated within its file', file('file').subarray(0, -100), FORM],
    ['a body truncated within its part header', file('file').subarray(0, 60), FORM],
    ['an empty body', Buffer.alloc(0), FORM],
    ['a file instead of parts', onePage, FORM],
    ['a part without headers', Buffer.from(`--${BOUNDARY}\r\n\r\n%PDF-1.4\r\n--${BOUNDARY}--\r\n`), FORM],
    ['a part without a name', Buffer.concat([part('', onePage), formEnd]), FORM],
    ['a part with 10,000 headers', Buffer.from(`--${BOUNDARY}\r\n${'X: y\r\n'.repeat(10_000)}\r\n`), FORM],
    ['a gzip body', gzipSync(Buffer.concat([file('file'), formEnd])), FORM],
  ])('a form with %s returns 400', (_case, body, type) => refused(() => upload(body, { type }), 'invalid_request'));

  test.each<[string, () => Promise<Answer>]>([
    ['an empty body', () => upload(Buffer.alloc(0))],
    ['a form with an empty file', () => uploadForm([part('; name="file"; filename="a.pdf"', '')])],
    ['text', () => upload(Buffer.from('Be kind.'))],
    ['a form with text instead of a PDF', () => uploadForm([part('; name="file"; filename="a.pdf"', 'Be kind.')])],
    ['a form sent as application/pdf', () => upload(Buffer.concat([file('file'), formEnd]).subarray(0, 90))],
  ])('%s returns invalid_file', (_case, request) => refused(request, 'invalid_file', ['body/file']));

  test.each(['gzip', 'br', 'deflate', 'nonsense'])('Content-Encoding %s returns 400', (encoding) =>
    refused(() => upload(gzipSync(onePage), { headers: { 'content-encoding': encoding } }), 'invalid_request', [
      'header/content-encoding',
    ]),
  );

  test('content types with new parameters compile no further validators', async () => {
    await upload(onePage);
    const before = testService.compiledValidators();
    for (const n of [1, 2, 3]) await upload(onePage, { type: `application/pdf; version=${n}` });
    for (const n of [1, 2, 3]) await upload(onePage, { type: `multipart/form-data; boundary=b${n}` });
    expect(testService.compiledValidators()).toBe(before);
  });
});

describe('the name of an uploaded file', () => {
  const bytes = (name: string): string => Buffer.from(name).toString('latin1');

  test.each<[string, string, string | null]>([
    ['in Unicode', `filename="${bytes('Política 安全 🦊.pdf')}"`, 'Política 安全 🦊.pdf'],
    ['encoded as in RFC 5987', "filename*=UTF-8''%e2%82%ac%20rates.pdf", '€ rates.pdf'],
    ['encoded as in RFC 5987, in Latin 1', "filename*=iso-8859-1'en'caf%e9.pdf", 'café.pdf'],
    ['both plain and encoded as in RFC 5987', 'filename="a.pdf"; filename*=UTF-8\'\'%C3%A4.pdf', 'ä.pdf'],
    ['in Latin 1, which is invalid UTF-8', 'filename="caf\xe9.pdf"', 'caf\ufffd.pdf'],
    ['with a folder', 'filename="/etc/policies/use.pdf"', 'use.pdf'],
    ['with parent folders', 'filename="../../../etc/passwd"', 'passwd'],
    ['with escaped parent folders', "filename*=UTF-8''..%2f..%2fpasswd", 'passwd'],
    ['with Windows folders', 'filename="C:\\\\policies\\\\use.pdf"', 'use.pdf'],
    ['with null and control characters', "filename*=UTF-8''a%00b%0d%0ac%1b%7fd%c2%85.pdf", 'abcd.pdf'],
    ['of only control characters', "filename*=UTF-8''%00%01", null],
    ['with quotes', 'filename="the \\"new\\" one.pdf"', 'the "new" one.pdf'],
    ['of 200 characters', `filename="${'x'.repeat(196)}.pdf"`, `${'x'.repeat(196)}.pdf`],
    ['of 300 characters', `filename="${'x'.repeat(296)}.pdf"`, `${'x'.repeat(196)}.pdf`],
    ['of 300 emoji', `filename="${bytes('🦊'.repeat(296))}.pdf"`, `${'🦊'.repeat(196)}.pdf`],
    ['with SQL', 'filename="\'); drop table policy_files; --.pdf"', "'); drop table policy_files; --.pdf"],
  ])('%s', async (_case, fileName, expected) => {
    const { status, body } = await uploadNamed(fileName);
    expect({ status, fileName: body.data?.fileName }).toEqual({ status: 200, fileName: expected });
  });
});
