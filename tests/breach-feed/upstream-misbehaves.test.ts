import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { AddressInfo } from 'node:net';
import { answer, type Behaviour, failureOf, FEED_KEY, FeedServer, impatient, listed } from './feed-support.ts';
import { until } from '../support/until.ts';

const server = new FeedServer();
const elsewhere = new FeedServer();
beforeAll(() => Promise.all([server.start(), elsewhere.start()]));
afterEach(() => Promise.all([server.reset(), elsewhere.reset()]));
afterAll(() => Promise.all([server.stop(), elsewhere.stop()]));

const LIST = JSON.stringify([listed('Wander'), listed('Pixel')]);
const HALF = LIST.slice(0, LIST.length / 2);

/** Returns a behaviour that applies the given one to the first requests, and then answers with the list. */
function atFirst(times: number, behaviour: Behaviour): Behaviour {
  return (request, response) =>
    server.asked.length > times
      ? answer({ '/breaches': [listed('Wander')] })(request, response)
      : behaviour(request, response);
}

const stalls: [string, Behaviour][] = [
  ['before the headers', () => undefined],
  [
    'after the headers',
    (_request, response) => {
      response.writeHead(200);
      response.flushHeaders();
    },
  ],
  [
    'in the middle of the body',
    (_request, response) => {
      response.writeHead(200, { 'content-length': LIST.length });
      response.write(HALF);
    },
  ],
  [
    'in the middle of a body of unknown length',
    (_request, response) => {
      response.write(HALF);
    },
  ],
  [
    'with single bytes at intervals',
    (_request, response) => {
      response.write('[');
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    },
  ],
];

describe('an upstream that stalls', () => {
  test.each(stalls)('%s fails as slow after three attempts', async (_case, behaviour) => {
    server.behaviour = behaviour;
    const upstream = impatient(server.url, { requestMs: 100 });
    expect(await failureOf(upstream.breaches())).toMatchObject({ failure: 'slow', retryAfterMs: undefined });
    expect(server.asked).toHaveLength(3);
  });

  test.each(stalls)('%s takes no longer than the limit for a question', async (_case, behaviour) => {
    server.behaviour = behaviour;
    const begun = Date.now();
    const upstream = impatient(server.url, { requestMs: 9000, questionMs: 200 });
    expect(await failureOf(upstream.breaches())).toMatchObject({ failure: 'slow' });
    expect(Date.now() - begun).toBeLessThan(4000);
    // On a busy machine the limit can pass before the request arrives.
    expect(server.asked.length).toBeLessThanOrEqual(1);
  });

  test.each(stalls)('%s once and then answers succeeds', async (_case, behaviour) => {
    server.behaviour = atFirst(1, behaviour);
    const upstream = impatient(server.url, { requestMs: 200 });
    expect(await upstream.breaches()).toMatchObject([{ name: 'Wander' }]);
    expect(server.asked).toHaveLength(2);
  });

  test.each(stalls)('%s is disconnected', async (_case, behaviour) => {
    server.behaviour = behaviour;
    await failureOf(impatient(server.url, { requestMs: 50 }).breaches());
    await until(async () => (await server.connections()) === 0);
  });

  test('four times in a row opens the breaker, with the failure slow', async () => {
    server.behaviour = stalls[0]![1];
    const upstream = impatient(server.url, { requestMs: 20, retryMs: 0, breakMs: 60_000 });
    for (let n = 0; n < 4; n += 1) await failureOf(upstream.breaches());
    const asked = server.asked.length;
    expect(await failureOf(upstream.accounts('acme.test'))).toMatchObject({ failure: 'slow' });
    expect(server.asked).toHaveLength(asked);
  });

  test('for less than the request timeout is waited for', async () => {
    server.behaviour = (_request, response) => void setTimeout(() => response.end(LIST), 150);
    expect(await impatient(server.url).breaches()).toHaveLength(2);
    expect(server.asked).toHaveLength(1);
  });
});

const breaks: [string, Behaviour][] = [
  ['resets the connection', (request) => request.socket.resetAndDestroy()],
  ['closes the connection', (request) => request.socket.destroy()],
  [
    'resets in the middle of the body',
    (request, response) => {
      response.writeHead(200, { 'content-length': LIST.length });
      response.write(HALF, () => setTimeout(() => request.socket.resetAndDestroy(), 10));
    },
  ],
  [
    'sends half a body and closes',
    (request, response) => {
      response.writeHead(200, { 'content-length': LIST.length });
      response.write(HALF, () => request.socket.end());
    },
  ],
  [
    'sends half a body of unknown length and closes',
    (request, response) => {
      response.write(HALF, () => request.socket.end());
    },
  ],
  ['does not speak HTTP', (request) => request.socket.end('220 mail.test ESMTP\r\n')],
  ['sends endless headers', (request) => request.socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`)],
];

describe('an upstream with a broken connection', () => {
  test.each(breaks)('that %s is unreachable after three attempts', async (_case, behaviour) => {
    server.behaviour = behaviour;
    expect(await failureOf(impatient(server.url).breaches())).toMatchObject({ failure: 'unreachable' });
    expect(server.asked).toHaveLength(3);
  });

  test.each(breaks)('that %s at first and then answers succeeds', async (_case, behaviour) => {
    server.behaviour = atFirst(2, behaviour);
    expect(await impatient(server.url).breaches()).toMatchObject([{ name: 'Wander' }]);
    expect(server.asked).toHaveLength(3);
  });

  test('is not reported as clean because of a truncated body', async () => {
    server.behaviour = (request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{}', () => request.socket.end());
    };
    expect(await failureOf(impatient(server.url).accounts('acme.test'))).toMatchObject({ failure: 'unreachable' });
  });

  test('is reconnected if the connection broke while idle', async () => {
    const upstream = impatient(server.url);
    server.behaviour = answer({ '/breaches': [listed('Wander')] });
    for (let n = 0; n < 3; n += 1) {
      expect(await upstream.breaches()).toHaveLength(1);
      server.cutConnections();
    }
  });

  test('that refuses connections is unreachable', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const upstream = impatient(`http://127.0.0.1:${port}`);
    expect(await failureOf(upstream.breaches())).toMatchObject({ failure: 'unreachable' });
  });

  test('without an address is unreachable', async () => {
    const upstream = impatient('http://feed.invalid', { requestMs: 3000, questionMs: 6000 });
    expect(await failureOf(upstream.breaches())).toMatchObject({ failure: 'unreachable' });
  });
});

describe('the API key', () => {
  test.each([301, 302, 303, 307, 308])('is not sent to the target of a redirect with %i', async (status) => {
    elsewhere.behaviour = answer({ '/breaches': [listed('Trap')] });
    for (const location of [`${elsewhere.url}/breaches`, `${elsewhere.url.replace('http:', '')}/breaches`]) {
      server.asked = [];
      server.behaviour = (_request, response) => void response.writeHead(status, { location }).end();
      expect(await failureOf(impatient(server.url).breaches())).toMatchObject({ failure: 'refused' });
      expect([server.asked.length, server.lastHeaders['hibp-api-key']]).toEqual([1, FEED_KEY]);
    }
    expect(elsewhere.asked).toEqual([]);
  });

  test('is not sent to a redirect target on the same host either', async () => {
    server.behaviour = (_request, response) => void response.writeHead(302, { location: '/elsewhere' }).end();
    expect(await failureOf(impatient(server.url).breaches())).toMatchObject({ failure: 'refused' });
    expect(server.asked).toEqual(['/api/v3/breaches']);
  });
});

describe('a response that is too long', () => {
  const timeouts = { requestMs: 60_000, questionMs: 120_000, retryMs: 0 };

  test('is not kept in memory', async () => {
    let sent = 0;
    const piece = Buffer.alloc(1024 * 1024, ' ');
    server.behaviour = (_request, response) => {
      const more = (): void => {
        while (!response.destroyed) {
          sent += 1;
          if (!response.write(piece)) return void response.once('drain', more);
        }
      };
      more();
    };
    expect(await failureOf(impatient(server.url, timeouts).breaches())).toMatchObject({ failure: 'unreadable' });
    expect(sent / server.asked.length).toBeLessThan(80);
    await until(async () => (await server.connections()) === 0);
  });

  test('is measured uncompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, ' '));
    server.behaviour = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(bomb);
    };
    expect(await failureOf(impatient(server.url, timeouts).breaches())).toMatchObject({ failure: 'unreadable' });
  });

  test('with an error status is not waited for', async () => {
    server.behaviour = (_request, response) => {
      response.writeHead(403, { 'content-type': 'text/html' });
      response.write('<!doctype html>');
    };
    const begun = Date.now();
    expect(await failureOf(impatient(server.url, timeouts).breaches())).toMatchObject({ failure: 'refused' });
    expect(Date.now() - begun).toBeLessThan(5000);
    await until(async () => (await server.connections()) === 0);
  });
});

describe('a valid response', () => {
  test('can be compressed, and split within a character', async () => {
    const bytes = Buffer.from(JSON.stringify([{ Name: 'Füchse 🦊' }]));
    server.behaviour = (_request, response) => {
      let sent = 0;
      const next = (): void => {
        if (sent === bytes.length) return void response.end();
        response.write(bytes.subarray(sent, (sent += 1)), () => setImmediate(next));
      };
      next();
    };
    expect(await impatient(server.url).breaches()).toMatchObject([{ name: 'Füchse 🦊' }]);
    server.behaviour = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(bytes));
    };
    expect(await impatient(server.url).breaches()).toMatchObject([{ name: 'Füchse 🦊' }]);
  });
});
