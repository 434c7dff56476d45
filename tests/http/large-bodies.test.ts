/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expectError, send } from '../support/client.ts';
import { whileLocked } from '../support/locks.ts';
import { keys } from '../support/world.ts';

/** Number of large bodies that a company can send at once. */
const PLACES = 4;
/** Number of large bodies; more than a company can have in memory at once. */
const MANY = 4;
const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };
const large = Buffer.from(JSON.stringify({ name: 'x'.repeat(100_000) }));
const noUtf8 = Buffer.alloc(100_000, 0xff);

function head(line: string, body = Buffer.alloc(0)): Buffer {
  const fields = Object.entries({ host: 'x', ...headers, 'content-length': String(body.length) });
  const lines = fields.map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from([`${line} HTTP/1.1`, ...lines, '', ''].join('\r\n')), body]);
}

/** Sends a large body that is rejected behind an unanswered call on the same connection. */
function refuseBehind(path: string, body: Buffer<ArrayBuffer>): Socket {
  const socket = connect(Number(new URL(testService.url).port), '127.0.0.1').on('error', () => undefined);
  socket.resume().write(Buffer.concat([head(`GET ${path}`), head('POST /v1/groups', body)]));
  return socket;
}

/** Sends the first 64 KiB of a body with the given length, which is rejected early. Resolves on the response. */
async function sendDeep(length: number): Promise<void> {
  const socket = connect(Number(new URL(testService.url).port), '127.0.0.1').on('error', () => undefined);
  const start = head('POST /v1/learners/bulk').toString().replace('content-length: 0', `content-length: ${length}`);
  socket.write(start + '['.repeat(65_536));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 4(00|13) /);
  socket.destroy();
}

test.each([
  ['nested too deep', 4 * 1024 * 1024],
  ['too long', 40 * 1024 * 1024],
])(
  'a body that is rejected as %s holds its slot for as long as receiving its rest would have taken',
  async (_case, length) => {
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 4 * PLACES + 1 }, () => sendDeep(length)));
    // Four rounds of 4 MiB at 32 MiB a second.
    expect(performance.now() - startedAt).toBeGreaterThan(450);
  },
);

test.each([
  ['invalid', large],
  ['not UTF-8', noUtf8],
])('a rejected large body that is %s releases its slot although its response is not read', async (_case, body) => {
  await whileLocked('learners', async () => {
    const sockets = Array.from({ length: MANY }, () => refuseBehind('/v1/learners', body));
    await setTimeout(500);
    // Without a free slot, the response would be a 429 after a minute.
    expectError(await send('POST', '/groups', { headers, body: large }), 400, 'invalid_request');
    for (const socket of sockets) socket.destroy();
  });
});
