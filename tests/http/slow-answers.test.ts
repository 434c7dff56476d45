import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Response } from 'express';
import { createDisconnectSignal } from '../../src/http/connection/disconnect-signal.ts';
import { spooledResponses, sendPieces } from '../../src/http/response/stream-response.ts';

const PIECE = 'x'.repeat(64 * 1024);

async function* endless(): AsyncGenerator<string, void> {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    yield PIECE;
  }
}

/** Sends an endless response to a client that reads nothing; resolves with the time until it is abandoned. */
function sendToSlowClient(companyId: string, isWanted: () => boolean): Promise<number> {
  return new Promise((resolve) => {
    const gone = new AbortController();
    const server = createServer((_req, res) => {
      const start = performance.now();
      sendPieces(res as Response, { pieces: endless(), companyId, reading: { signal: gone.signal, isWanted } }).catch(
        () => {
          res.destroy();
          server.close();
          resolve(performance.now() - start);
        },
      );
    });
    server.listen(0, '127.0.0.1', () => {
      const client = connect((server.address() as AddressInfo).port).on('error', () => undefined);
      client.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    });
  });
}

async function* ofPieces(count: number): AsyncGenerator<string, void> {
  for (let n = 0; n < count; n++) yield await Promise.resolve(PIECE);
}

test('a response queued behind another one releases its disk slot when the client leaves', async () => {
  const ends: Promise<void>[] = [];
  const server = createServer((_req, res) => {
    const gone = createDisconnectSignal(res as Response);
    const answer = { pieces: ofPieces(500), companyId: 'one', reading: { signal: gone, isWanted: () => false } };
    ends.push(sendPieces(res as Response, answer).catch(() => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port).on('error', () => undefined);
  client.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2));
  while (spooledResponses.held < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  client.destroy();
  await Promise.all(ends);
  expect(spooledResponses.held).toBe(0);
  server.close();
});

test('without disk slots, a slow client is abandoned once another company needs its connection', async () => {
  const releases = Array.from({ length: 4 }, () => spooledResponses.tryAcquire('one')!);
  let isWanted = false;
  setTimeout(() => (isWanted = true), 3000);
  const ms = await sendToSlowClient('one', () => isWanted);
  for (const release of releases) release();
  expect(ms).toBeGreaterThan(2900);
  expect(ms).toBeLessThan(6000);
});
