import type { CallOptions, Client } from '../../sdk/src/index.ts';
import {
  answers,
  breaks,
  failureOf,
  fails,
  hangsUp,
  loopback,
  loopbackClient,
  stalls,
  stopLoopbacks,
  succeeds,
} from './support.ts';

afterEach(stopLoopbacks);

const limited = fails(429, 'rate_limited', { 'retry-after': '1' });
const bodyOfLearner = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };

/** A call for each HTTP method of the contract. */
const calls: Record<string, (client: Client, options?: CallOptions) => Promise<unknown>> = {
  GET: (client, options) => client.getCompany({}, options),
  PUT: (client, options) => client.setLearnerGroups({ learnerId: 'x', body: { groupIds: [] } }, options),
  DELETE: (client, options) => client.deleteLearners({ body: { learnerIds: ['x'] } }, options),
  POST: (client, options) => client.createLearner({ body: bodyOfLearner }, options),
  PATCH: (client, options) =>
    client.updateLearner({ learnerId: 'x', body: { firstName: 'Ada', lastName: 'King' } }, options),
};
const methods = Object.keys(calls);

test.each(methods)('%s is retried unchanged after a 429, once Retry-After has passed', async (method) => {
  const server = await loopback(limited, succeeds);
  expect(await calls[method]!(loopbackClient(server))).toEqual({ success: true });
  const [first, second] = server.requests;
  expect(server.requests).toHaveLength(2);
  expect({ ...second, at: 0 }).toEqual({ ...first, at: 0 });
  const waited = second!.at - first!.at;
  expect(waited).toBeGreaterThanOrEqual(995);
  expect(waited).toBeLessThan(5000);
});

test.each(methods)('%s is retried unchanged after an outage', async (method) => {
  const outages = [
    fails(502, 'service_unavailable'),
    fails(503, 'breach_data_unavailable'),
    fails(504, 'service_timeout'),
    answers(502, 'of a proxy'),
    hangsUp,
    breaks,
    stalls,
  ];
  await Promise.all(
    outages.map(async (outage) => {
      const server = await loopback(outage, succeeds);
      const outcome = calls[method]!(loopbackClient(server, { timeoutMs: 3000 }));
      expect(await outcome).toEqual({ success: true });
      const [first, second, ...others] = server.requests;
      expect(others).toEqual([]);
      expect({ ...second, at: 0 }).toEqual({ ...first, at: 0 });
    }),
  );
});

test('each changing call has its own idempotency key or the given one, and a read has none', async () => {
  const server = await loopback(succeeds);
  const client = loopbackClient(server);
  for (const method of methods) await calls[method]!(client);
  await calls.POST!(client, { idempotencyKey: 'job-42' });
  const sent = server.requests.map(({ method, headers }) => [method, headers['idempotency-key']]);
  const own = expect.stringMatching(/^[0-9a-f]{32}$/);
  expect(sent).toEqual([...methods.map((method) => [method, method === 'GET' ? undefined : own]), ['POST', 'job-42']]);
  expect(new Set(sent.map(([, key]) => key)).size).toBe(6);
  for (const idempotencyKey of ['', 'a key', '"quoted"', 'x'.repeat(256)])
    await expect(calls.POST!(client, { idempotencyKey })).rejects.toThrow(TypeError);
});

test('a call without an idempotency key is retried after an outage only if marked repeatable', async () => {
  const server = await loopback(hangsUp, succeeds);
  const revoke = (options?: CallOptions) =>
    loopbackClient(server).revokeLeakedKeys({ body: { keys: ['sk_x'] } }, options);
  expect((await failureOf(revoke())).name).toBe('ConnectionError');
  const again = await loopback(hangsUp, succeeds);
  await loopbackClient(again).revokeLeakedKeys({ body: { keys: ['sk_x'] } }, { repeatable: true });
  expect([server.requests.length, again.requests.length]).toEqual([1, 2]);
});

test.each([400, 401, 403, 404, 408, 413, 500, 501])('a %d is not retried', async (status) => {
  const server = await loopback(fails(status, 'a_code'), succeeds);
  expect(await failureOf(calls.GET!(loopbackClient(server), { repeatable: true }))).toMatchObject({ status });
  expect(server.requests).toHaveLength(1);
});

test('a call is retried three times by default, and fails with the last error', async () => {
  const server = await loopback(fails(503, 'not_ready'), fails(503, 'not_ready'), fails(503, 'service_unavailable'));
  const quickly = { 'retry-after': '0' };
  const busy = await loopback(fails(429, 'rate_limited', quickly));
  const [failure] = await Promise.all([
    failureOf(loopbackClient(server, { maxRetries: 2 }).getCompany()),
    failureOf(loopbackClient(busy).getCompany()),
  ]);
  expect(failure).toMatchObject({ code: 'service_unavailable' });
  expect(server.requests).toHaveLength(3);
  expect(busy.requests).toHaveLength(4);
  await failureOf(loopbackClient(busy).getCompany({}, { maxRetries: 0 }));
  expect(busy.requests).toHaveLength(5);
});

test('waits grow if the service names none', async () => {
  const server = await loopback(fails(502, 'service_unavailable'));
  await failureOf(loopbackClient(server).getCompany());
  const [first, second, third, fourth] = server.requests.map(({ at }) => at);
  expect(second! - first!).toBeGreaterThanOrEqual(245);
  expect(third! - second!).toBeGreaterThanOrEqual(495);
  expect(fourth! - third!).toBeGreaterThanOrEqual(995);
});

test('a wait longer than the client allows fails at once, with the wait', async () => {
  const server = await loopback(fails(429, 'rate_limited', { 'retry-after': '61' }));
  const failure = await failureOf(loopbackClient(server).getCompany());
  expect(failure).toMatchObject({ code: 'rate_limited', retryAfter: 61 });
  await failureOf(loopbackClient(server, { maxRetryWaitMs: 60_999 }).getCompany());
  expect(server.requests).toHaveLength(2);
});

test('Retry-After can be a date, and an invalid value is ignored', async () => {
  const after = (value: string) => fails(429, 'rate_limited', { 'retry-after': value });
  const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString();
  const dated = await loopback(after(inTwoMinutes));
  const { retryAfter } = await failureOf(loopbackClient(dated).getCompany());
  expect(retryAfter).toBeGreaterThan(110);
  expect(retryAfter).toBeLessThanOrEqual(120);
  const past = await loopback(after('Thu, 01 Jan 2026 00:00:00 GMT'), after('soon'), succeeds);
  await loopbackClient(past).getCompany();
  expect(past.requests).toHaveLength(3);
});

test('clients that fail together retry at different times', async () => {
  const server = await loopback(...Array.from({ length: 12 }, () => limited), succeeds);
  await Promise.all(Array.from({ length: 12 }, () => loopbackClient(server).getCompany()));
  const back = server.requests.slice(12).map(({ at }) => at);
  expect(Math.max(...back) - Math.min(...back)).toBeGreaterThan(100);
});
