/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { gzipSync } from 'node:zlib';
import { expectRefused } from '../tenant-state.ts';
import { BOUNDARY, formEnd, onePage, part, upload } from './upload-calls.ts';

const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const NO_BOUNDARY = '`header/content-type` must include the boundary of the form.';
const NO_FILE_NAME = '`body/file` must be a file; give its part a file name.';

const file = (name: string): Buffer => part(`; name="${name}"; filename="a.pdf"`, onePage);
const text = (name: string, value = 'a text'): Buffer =>
  Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);

async function readFailureMessage(bytes: Buffer, type: string, headers?: Record<string, string>): Promise<string> {
  const request = () => upload(bytes, { type, ...(headers && { headers }) });
  return (await expectRefused(request, 400, 'invalid_request')).body.error!.message;
}

test.each<[string, Buffer[], string]>([
  ['no field', [], '`body/file` is required; send it as a part with a file name.'],
  ['two files', [file('file'), file('file')], '`body` must have only one file, in the field file.'],
  ['a text field next to the file', [file('file'), text('name')], '`body` must have only the field file.'],
  ['a text field instead of the file', [text('file')], NO_FILE_NAME],
  ['a short text field instead of the file', [text('file', 'x')], NO_FILE_NAME],
  ['a PDF without a file name', [part('; name="file"', onePage)], NO_FILE_NAME],
  ['a file with an empty file name', [part('; name="file"; filename=""', onePage)], NO_FILE_NAME],
  ['a part without a name', [part('', onePage)], '`body` has a part without a name; send the file in the field file.'],
  [
    'a null byte in a file name',
    [part('; name="file"; filename="a\0.pdf"', onePage)],
    '`body` has a part with an unreadable header; remove control characters from its file name.',
  ],
])('the error for a form with %s names the fault', async (_case, parts, message) => {
  expect(await readFailureMessage(Buffer.concat([...parts, formEnd]), FORM)).toBe(message);
});

test.each<[string, string, Buffer, string]>([
  ['no boundary in its content type', 'multipart/form-data', formEnd, NO_BOUNDARY],
  ['an empty boundary', 'multipart/form-data; boundary=', formEnd, NO_BOUNDARY],
  [
    'no closing boundary',
    FORM,
    file('file'),
    '`body` ends before the form is complete; use the boundary of the Content-Type header.',
  ],
])('the error for a form with %s names the fault', async (_case, type, body, message) => {
  expect(await readFailureMessage(body, type)).toBe(message);
});

test('a compressed body is rejected with a hint to send it uncompressed', async () => {
  const message = '`header/content-encoding` is not supported; send the body uncompressed.';
  for (const type of ['application/pdf', FORM]) {
    expect(await readFailureMessage(gzipSync(onePage), type, { 'content-encoding': 'gzip' })).toBe(message);
  }
});
