/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { setTimeout as sleep } from 'node:timers/promises';
import { expectError } from '../../support/client.ts';
import type { KeyName } from '../../support/world.ts';
import { onePage, openUpload, type OpenUpload, upload, within } from './upload-calls.ts';

/** What a free slot and a small file take, on a machine that does other work. */
const SOON_MS = 5000;
const open = new Set<OpenUpload>();

/** Begins an upload and stalls in the middle of it. */
function stall(key: KeyName): OpenUpload {
  const begun = openUpload(['Content-Type: application/pdf', 'Content-Length: 100000'], onePage, key);
  open.add(begun);
  return begun;
}

/** Sends a whole upload, whose client can leave before it is answered. */
function send(key: KeyName): OpenUpload {
  const sent = openUpload(['Content-Type: application/pdf', `Content-Length: ${onePage.length}`], onePage, key);
  open.add(sent);
  return sent;
}

afterEach(async () => {
  for (const { socket } of open) socket.destroy();
  open.clear();
  await sleep(200);
});

test('a third upload of a company waits, another company’s does not, and a client that leaves makes room', async () => {
  const [first] = [stall('tenant'), stall('tenant')];
  await sleep(200);
  const third = upload(onePage);
  expect(await within(700, third)).toBe('late');
  expect(await within(SOON_MS, upload(onePage, { key: 'other' }))).toMatchObject({ status: 200 });
  first.socket.destroy();
  expect(await within(SOON_MS, third)).toMatchObject({ status: 200 });
});

test('an upload that waits too long is told that its company has too many', async () => {
  stall('tenant');
  stall('tenant');
  await sleep(200);
  const answer = await upload(onePage);
  expectError(answer, 429, 'rate_limited');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('when all is taken by two companies, a third is told that it is not its fault, and finds room later', async () => {
  const held = (['tenant', 'tenant', 'other', 'other'] as const).map(stall);
  await sleep(200);
  expectError(await upload(onePage, { key: 'msp' }), 502, 'service_unavailable');
  held[0]!.socket.destroy();
  expect(await within(SOON_MS, upload(onePage, { key: 'msp' }))).toMatchObject({ status: 200 });
});

test('clients that leave while their file is judged give their slots back', async () => {
  for (let n = 0; n < 6; n++) {
    const { socket } = send('tenant');
    await sleep(60);
    socket.destroy();
  }
  await sleep(200);
  expect(await within(SOON_MS, upload(onePage))).toMatchObject({ status: 200 });
});

test('uploads that are refused give their slots back', async () => {
  for (let n = 0; n < 5; n++) {
    expectError(await upload(Buffer.from('Be kind.')), 400, 'invalid_file');
    expectError(await upload(onePage, { type: 'multipart/form-data' }), 400, 'invalid_request');
  }
  expect(await within(SOON_MS, upload(onePage))).toMatchObject({ status: 200 });
});

test('thirty uploads of three companies at once are all stored', async () => {
  const uploads = Array.from({ length: 30 }, (_, n) =>
    upload(onePage, { key: (['tenant', 'other', 'msp'] as const)[n % 3] }),
  );
  expect((await Promise.all(uploads)).filter(({ status }) => status !== 200)).toEqual([]);
});

test('clients that leave while they wait for room take none', async () => {
  const held = [stall('strangerMsp'), stall('strangerMsp')];
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
