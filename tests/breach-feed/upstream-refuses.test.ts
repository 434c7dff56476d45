import { setTimeout as sleep } from 'node:timers/promises';
import nock from 'nock';
import { waitBeforeRetry } from '../../src/resources/breaches/feed/upstream.ts';
import { failureOf, impatient } from './feed-support.ts';

const FEED = 'https://feed.test/api/v3';
const HTML = '<!doctype html><title>Just a moment...</title>';

type Reply = [status: number, body?: string, headers?: Record<string, string>];
/** The time of each request. */
let asked: number[] = [];

/** Answers all requests with these replies; the last one repeats. */
function serve(...replies: Reply[]): void {
  nock.cleanAll();
  nock('https://feed.test')
    .persist()
    .get(/.*/)
    .reply(() => {
      asked.push(Date.now());
      const [status, body = '', headers = {}] = replies.length > 1 ? replies.shift()! : replies[0]!;
      return [status, body, headers];
    });
}

const limited = (retryAfter?: string): Reply => [
  429,
  '{}',
  retryAfter === undefined ? {} : { 'retry-after': retryAfter },
];

beforeAll(() => nock.disableNetConnect());
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  nock.cleanAll();
  nock.restore();
});

describe('an upstream that rejects requests', () => {
  test.each([
    ['400', [400, '{"statusCode": 400}']],
    ['401', [401, '{"statusCode": 401, "message": "Access denied due to invalid hibp-api-key."}']],
    ['401 in HTML', [401, HTML, { 'content-type': 'text/html' }]],
    ['403', [403, '{"statusCode": 403}']],
    ['403 in HTML', [403, HTML, { 'content-type': 'text/html' }]],
    ['403 with an accounts-like body', [403, '{"ada": ["Wander"]}']],
    ['418', [418]],
    ['a redirect', [302, '', { location: 'https://feed.test/api/v3/elsewhere' }]],
    ['not modified', [304]],
  ] as [string, Reply][])('with %s is asked only once', async (_case, reply) => {
    serve(reply);
    const failure = await failureOf(impatient(FEED).accounts('acme.test'));
    expect(failure).toMatchObject({ failure: 'refused', retryAfterMs: undefined });
    expect(asked).toHaveLength(1);
  });

  test('is asked again by each question, because an operator might have fixed the cause', async () => {
    const upstream = impatient(FEED);
    serve([401]);
    for (let n = 0; n < 6; n += 1) expect(await failureOf(upstream.breaches())).toMatchObject({ failure: 'refused' });
    serve([200, '[]']);
    expect(await upstream.breaches()).toEqual([]);
    expect(asked).toHaveLength(7);
  });
});

describe('a failing upstream', () => {
  test.each([500, 502, 503, 504, 520, 599])('with %i is asked three times', async (status) => {
    serve([status, HTML]);
    expect(await failureOf(impatient(FEED).accounts('acme.test'))).toMatchObject({ failure: 'failing' });
    expect(asked).toHaveLength(3);
  });

  test.each([1, 2])('%i times and then answers succeeds', async (failures) => {
    serve(...Array.from({ length: failures }, (): Reply => [500]), [200, '{"ada": ["Wander"]}']);
    expect(await impatient(FEED).accounts('acme.test')).toHaveLength(1);
    expect(asked).toHaveLength(failures + 1);
  });

  test('that then rejects is not asked a third time', async () => {
    serve([500], [403]);
    expect(await failureOf(impatient(FEED).accounts('acme.test'))).toMatchObject({ failure: 'refused' });
    expect(asked).toHaveLength(2);
  });

  test('with an unreadable response is asked three times', async () => {
    serve([200, HTML]);
    expect(await failureOf(impatient(FEED).breaches())).toMatchObject({ failure: 'unreadable' });
    expect(asked).toHaveLength(3);
  });

  test('with broken connections is unreachable after three attempts', async () => {
    nock.cleanAll();
    const feed = nock('https://feed.test').persist();
    feed.on('request', () => asked.push(Date.now()));
    feed.get(/.*/).replyWithError(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    expect(await failureOf(impatient(FEED).breaches())).toMatchObject({ failure: 'unreachable' });
    expect(asked).toHaveLength(3);
  });

  test('is not retried immediately', async () => {
    const everyWaitMs = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const times: number[] = [];
        nock(`https://feed-${n}.test`)
          .persist()
          .get(/.*/)
          .reply(() => (times.push(performance.now()), [500]));
        await failureOf(impatient(`https://feed-${n}.test`, { retryMs: 200 }).breaches());
        return times[2]! - times[0]!;
      }),
    );
    expect(Math.max(...everyWaitMs)).toBeGreaterThan(100);
  });

  test('is retried after random waits, the second up to twice as long', () => {
    const waitsBefore = (retry: number): number[] => Array.from({ length: 1000 }, () => waitBeforeRetry(retry, 300));
    const [first, second] = [waitsBefore(1), waitsBefore(2)];
    expect(Math.min(...first, ...second)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...first)).toBeGreaterThan(250);
    expect(Math.max(...first)).toBeLessThan(300);
    expect(Math.min(...first)).toBeLessThan(50);
    expect(Math.max(...second)).toBeGreaterThan(500);
    expect(Math.max(...second)).toBeLessThan(600);
  });
});

describe('a rate-limiting upstream', () => {
  test.each([
    ['with a short wait', '0'],
    ['with a date in the past', 'Wed, 21 Oct 2015 07:28:00 GMT'],
  ])('%s is asked three times', async (_case, retryAfter) => {
    serve(limited(retryAfter));
    expect(await failureOf(impatient(FEED).breaches())).toMatchObject({ failure: 'limited' });
    expect(asked).toHaveLength(3);
  });

  test('with an acceptable wait is asked again after it', async () => {
    serve(limited('1'), [200, '[]']);
    expect(await impatient(FEED, { longestWaitMs: 1500 }).breaches()).toEqual([]);
    expect(asked).toHaveLength(2);
    expect(asked[1]! - asked[0]!).toBeGreaterThanOrEqual(990);
  });

  test.each([
    ['in seconds', '60', 60_000],
    ['with spaces', ' 60 ', 60_000],
    ['until a date', () => new Date(Date.now() + 60_000).toUTCString(), 60_000],
    ['for a year, limited to an hour', '31536000', 3_600_000],
    ['until a date in a hundred years, limited to an hour', 'Wed, 21 Oct 2126 07:28:00 GMT', 3_600_000],
    ['for an out-of-range number of seconds', '9'.repeat(400), 3_600_000],
    ['without a time', undefined, 10_000],
    ['for an invalid time', 'soon', 10_000],
    ['for a number with an exponent', '1.5e3', 10_000],
    ['for a hexadecimal number', '0x10', 10_000],
  ] as const)('with a long wait %s is not asked until then', async (_case, retryAfter, waitMs) => {
    const upstream = impatient(FEED);
    serve(limited(typeof retryAfter === 'function' ? retryAfter() : retryAfter), [200, '[]']);
    for (let n = 0; n < 3; n += 1) {
      const failure = await failureOf(n ? upstream.accounts(`${n}.test`) : upstream.breaches());
      expect(failure!.failure).toBe('limited');
      expect(failure!.retryAfterMs).toBeLessThanOrEqual(waitMs);
      expect(failure!.retryAfterMs).toBeGreaterThan(waitMs / 2);
    }
    expect(asked).toHaveLength(1);
  });

  test('is asked again after the wait', async () => {
    const upstream = impatient(FEED);
    serve(limited('2'), [200, '[]']);
    expect(await failureOf(upstream.breaches())).toMatchObject({ failure: 'limited' });
    await sleep(200);
    expect((await failureOf(upstream.breaches()))!.retryAfterMs).toBeLessThan(1900);
    await sleep(1850);
    expect(await upstream.breaches()).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['a rejection', 403],
    ['an error', 500],
    ['a shorter wait', 429],
  ])('keeps its wait despite %s that arrives later', async (_case, status) => {
    nock.cleanAll();
    const feed = nock('https://feed.test').persist();
    const count = (): void => void asked.push(Date.now());
    feed.get('/api/v3/breaches').reply(() => (count(), [429, '', { 'retry-after': '60' }]));
    feed
      .get('/api/v3/breacheddomain/acme.test')
      .delay(100)
      .reply(() => (count(), [status, '', { 'retry-after': '1' }]));
    const upstream = impatient(FEED, { retryMs: 0 });
    await Promise.all([failureOf(upstream.accounts('acme.test')), failureOf(upstream.breaches())]);
    asked = [];
    const failure = await failureOf(upstream.accounts('other.test'));
    expect(failure!.failure).toBe('limited');
    expect(failure!.retryAfterMs).toBeGreaterThan(50_000);
    expect(asked).toHaveLength(0);
  });
});

describe('an upstream that fails repeatedly', () => {
  const failFourTimes = async (upstream: ReturnType<typeof impatient>): Promise<void> => {
    for (let n = 0; n < 4; n += 1) expect(await failureOf(upstream.breaches())).toMatchObject({ failure: 'failing' });
  };

  test('opens the breaker, with its last failure', async () => {
    const upstream = impatient(FEED, { breakMs: 60_000, retryMs: 0 });
    serve([500]);
    expect(upstream.isOpen).toBe(false);
    await failFourTimes(upstream);
    expect(upstream.isOpen).toBe(true);
    expect(asked).toHaveLength(12);
    serve([200, '[]']);
    for (const question of [() => upstream.breaches(), () => upstream.accounts('acme.test')]) {
      expect(await failureOf(question())).toMatchObject({ failure: 'failing' });
    }
    expect(asked).toHaveLength(12);
  });

  test('is tried again after the break, and closes the breaker if it answers', async () => {
    const upstream = impatient(FEED, { breakMs: 50, retryMs: 0 });
    serve([500]);
    await failFourTimes(upstream);
    serve([200, '[]']);
    await sleep(60);
    for (let n = 0; n < 3; n += 1) expect(await upstream.breaches()).toEqual([]);
    expect(asked).toHaveLength(15);
    expect(upstream.isOpen).toBe(false);
  });

  test('gets one question after the break, and opens the breaker if it fails again', async () => {
    const upstream = impatient(FEED, { breakMs: 80, retryMs: 0 });
    serve([500]);
    await failFourTimes(upstream);
    await sleep(90);
    const failures = await Promise.all(Array.from({ length: 5 }, () => failureOf(upstream.breaches())));
    expect(failures.map((failure) => failure?.failure)).toEqual(Array.from({ length: 5 }, () => 'failing'));
    expect(asked).toHaveLength(15);
  });

  test('but answers in between does not open the breaker', async () => {
    const upstream = impatient(FEED, { breakMs: 60_000, retryMs: 0 });
    for (let n = 0; n < 3; n += 1) {
      serve([500]);
      for (let failures = 0; failures < 3; failures += 1) await failureOf(upstream.breaches());
      serve([200, '[]']);
      expect(await upstream.breaches()).toEqual([]);
    }
  });

  test('opens the breaker only in the process that saw it', async () => {
    serve([500]);
    await failFourTimes(impatient(FEED, { retryMs: 0 }));
    serve([200, '[]']);
    expect(await impatient(FEED).breaches()).toEqual([]);
  });
});
