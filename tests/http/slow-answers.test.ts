import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Response } from 'express';
import { answersOnDisk, streamAnswer } from '../../src/web/stream-answer.ts';

const PIECE = 'x'.repeat(64 * 1024);

async function* endless(): AsyncGenerator<string, void> {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    yield PIECE;
  }
}

/** Sends an answer without end to a client that reads nothing; resolves when it is given up, with the time it took. */
function sendToSlowClient(companyId: string, isWanted: () => boolean): Promise<number> {
  return new Promise((resolve) => {
    const gone = new AbortController();
    const server = createServer((_req, res) => {
      const start = performance.now();
      streamAnswer(res as Response, { pieces: endless(), companyId, gone: gone.signal, isWanted }).catch(() => {
        res.destroy();
        server.close();
        resolve(performance.now() - start);
      });
    });
    server.listen(0, '127.0.0.1', () => {
      const client = connect((server.address() as AddressInfo).port).on('error', () => undefined);
      client.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    });
  });
}

test('without room on the disk a slow client is waited for only until another company wants its connection', async () => {
  const releases = Array.from({ length: 4 }, () => answersOnDisk.tryAcquire('one')!);
  let isWanted = false;
  setTimeout(() => (isWanted = true), 3000);
  const ms = await sendToSlowClient('one', () => isWanted);
  for (const release of releases) release();
  expect(ms).toBeGreaterThan(2900);
  expect(ms).toBeLessThan(6000);
});
