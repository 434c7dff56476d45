/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { expectError } from '../../support/client.ts';
import { whileLocked } from '../../support/locks.ts';
import { companies, type KeyName } from '../../support/world.ts';
import { onePage, openUpload, type OpenUpload, upload, UPLOAD, within } from './upload-calls.ts';

/** Maximum time to get a free slot and upload a small file on a busy machine. */
const SOON_MS = 5000;
const open = new Set<OpenUpload>();

/** Starts an upload and stalls in its body. */
function stall(key: KeyName): OpenUpload {
  const begun = openUpload(['Content-Type: application/pdf', 'Content-Length: 100000'], onePage, key);
  open.add(begun);
  return begun;
}

/** Sends a whole upload; the client can disconnect before the response. */
function send(key: KeyName): OpenUpload {
  const sent = openUpload(['Content-Type: application/pdf', `Content-Length: ${onePage.length}`], onePage, key);
  open.add(sent);
  return sent;
}

/** Returns the target of a file descriptor of this process, which also runs the service. */
function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}

/** Returns the descriptor targets of the request bodies on disk. */
const bodies = () =>
  readdirSync('/proc/self/fd')
    .map(linkOf)
    .filter((link) => link.includes('/awareness-'));

afterEach(async () => {
  for (const { socket } of open) socket.destroy();
  open.clear();
  await sleep(200);
});

test('a fifth upload of a company waits for a free slot, and an upload of another company does not', async () => {
  const [first] = [1, 2, 3, 4].map(() => stall('tenant'));
  await sleep(200);
  const fifth = upload(onePage);
  expect(await within(700, fifth)).toBe('late');
  expect(await within(SOON_MS, upload(onePage, { key: 'other' }))).toMatchObject({ status: 200 });
  first!.socket.destroy();
  expect(await within(SOON_MS, fifth)).toMatchObject({ status: 200 });
});

test('slow clients of six companies do not block an upload of another company', async () => {
  for (const key of ['other', 'msp', 'childA', 'childB', 'distributor', 'strangerMsp'] as const) {
    for (let n = 0; n < 8; n++) stall(key);
  }
  await sleep(200);
  expect(await within(SOON_MS, upload(onePage))).toMatchObject({ status: 200 });
});

test('uploads rejected by key or headers need no slot and no body', async () => {
  for (let n = 0; n < 4; n++) stall('tenant');
  await sleep(200);
  await testService.query('update companies set smpolicy = false where id = $1', [companies.prospect]);
  const pdf = ['Content-Type: application/pdf', 'Content-Length: 100000'];
  const refusals: [number, string[], KeyName?, string?][] = [
    [403, pdf, 'prospect'],
    [400, pdf, 'tenant', `${UPLOAD}?nonsense=1`],
    [400, ['Content-Type: text/plain', 'Content-Length: 100000']],
    [400, [...pdf, 'Content-Encoding: br']],
    [413, ['Content-Type: application/pdf', 'Content-Length: 99999999']],
  ];
  for (const [status, headers, key, path] of refusals) {
    const begun = openUpload(headers, '', key, path);
    open.add(begun);
    expect(await within(SOON_MS, begun.answer)).toContain(`HTTP/1.1 ${status} `);
  }
});

test('clients that disconnect while their file is checked free their slots', async () => {
  for (let n = 0; n < 6; n++) {
    const { socket } = send('tenant');
    await sleep(60);
    socket.destroy();
  }
  await sleep(200);
  expect(await within(SOON_MS, upload(onePage))).toMatchObject({ status: 200 });
});

test('the file of a disconnected client is not stored', async () => {
  const stored = () => testService.query('select id from policy_files');
  const before = await stored();
  for (let n = 0; n < 5; n++) {
    const { socket } = send('tenant');
    await sleep(40);
    socket.destroy();
  }
  // This upload runs after all abandoned uploads.
  expect(await within(SOON_MS, upload(onePage))).toMatchObject({ status: 200 });
  expect(await stored()).toHaveLength(before.length + 1);
});

test('disconnected clients are not logged as failures of the service', async () => {
  await until(async () => bodies().length === 0);
  const broken = () => testService.log.filter((line) => line.includes('response aborted')).length;
  const before = broken();
  await whileLocked('policy_files', async () => {
    const left = [stall('tenant'), stall('tenant'), send('other'), send('other')];
    await until(async () => bodies().length === left.length);
    for (const { socket } of left) socket.destroy();
  });
  await until(async () => broken() === before + 4);
  expect(testService.log.filter((line) => /service_unavailable|internal_error/.test(line))).toEqual([]);
});

test('a partial body is an unlinked file that is deleted when its client disconnects', async () => {
  for (let n = 0; n < 3; n++) stall('tenant');
  await until(async () => bodies().filter((link) => link.endsWith(' (deleted)')).length === 3);
  expect(bodies()).toHaveLength(3);
  for (const { socket } of open) socket.destroy();
  await until(async () => bodies().length === 0);
});

test('rejected uploads free their slots', async () => {
  for (let n = 0; n < 5; n++) {
    expectError(await upload(Buffer.from('Be kind.')), 400, 'invalid_file');
    expectError(await upload(onePage, { type: 'multipart/form-data' }), 400, 'invalid_request');
  }
  expect(await within(SOON_MS, upload(onePage))).toMatchObject({ status: 200 });
});

test('fifteen concurrent uploads of three companies are all stored', async () => {
  const uploads = Array.from({ length: 15 }, (_, n) =>
    upload(onePage, { key: (['tenant', 'other', 'msp'] as const)[n % 3] }),
  );
  expect((await Promise.all(uploads)).filter(({ status }) => status !== 200)).toEqual([]);
});

test('clients that disconnect while waiting take no slot', async () => {
  const held = [1, 2, 3, 4].map(() => stall('strangerMsp'));
  await sleep(200);
  const waiting = Array.from({ length: 4 }, () => send('strangerMsp'));
  await sleep(200);
  for (const { socket } of waiting) socket.destroy();
  await sleep(200);
  for (const { socket } of held) socket.destroy();
  await sleep(200);
  const uploads = Promise.all([upload(onePage, { key: 'strangerMsp' }), upload(onePage, { key: 'strangerMsp' })]);
  const answers = await within(SOON_MS, uploads);
  expect(answers === 'late' || answers.map(({ status }) => status)).toEqual([200, 200]);
  await uploads;
});
