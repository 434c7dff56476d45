import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { ApiError, ConnectionError, createClient, isApiError } from '../../sdk/src/index.ts';
import {
  answers,
  breaks,
  clientOf,
  failureOf,
  fails,
  hangsUp,
  KEY,
  loopback,
  loopbackClient,
  stalls,
  stopLoopbacks,
  succeeds,
} from './support.ts';

afterEach(stopLoopbacks);

const ada = { email: 'learner1@tenant.test', firstName: 'Ada', lastName: 'Tenant' };

test('an error has the code, message, details and request id of the response', async () => {
  const before = testService.log.length;
  const failure = await failureOf(clientOf().createLearner({ body: { ...ada, email: 'nonsense' } }));
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toBeInstanceOf(Error);
  expect(failure).toMatchObject({ name: 'ApiError', status: 400, code: 'invalid_request', retryAfter: null });
  expect(failure.details).toEqual([{ field: 'body/email', message: expect.any(String) }]);
  expect(failure.message).toContain('body/email');
  expect(failure.requestId).toMatch(/^\S{8,}$/);
  expect(testService.log.slice(before).join('')).toContain(failure.requestId);
});

test('isApiError recognises errors of the service and their codes', async () => {
  const taken = await failureOf(clientOf().createLearner({ body: ada }));
  expect(isApiError(taken)).toBe(true);
  expect(isApiError(taken, 'email_taken')).toBe(true);
  expect(isApiError(taken, 'forbidden', 'email_taken')).toBe(true);
  expect(isApiError(taken, 'forbidden')).toBe(false);
  expect(isApiError(new Error('email_taken'))).toBe(false);
  expect(isApiError(undefined)).toBe(false);
  const { details } = await failureOf(clientOf().getLearner({ learnerId: 'nobody' }));
  expect(details).toEqual([]);
});

test('an unknown, expired or revoked key returns unauthorized', async () => {
  for (const key of ['unknown', 'expired', 'revoked'] as const)
    expect(await failureOf(clientOf(key).getCompany())).toMatchObject({ status: 401, code: 'unauthorized' });
});

test('a code that the package does not know is passed through', async () => {
  const server = await loopback(fails(400, 'a_later_code'));
  const failure = await failureOf(loopbackClient(server).getCompany());
  expect(failure).toMatchObject({ code: 'a_later_code', message: 'It is a_later_code.' });
});

test('a response not from the service is unexpected_response with its status, without its body', async () => {
  const page = (status: number, text: string) => (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'text/html', 'x-request-id': 'of-the-proxy' }).end(text);
  };
  const strange = [
    page(403, '<h1>The proxy says no</h1>'),
    page(200, '<h1>The proxy says yes</h1>'),
    page(200, ''),
    page(204, ''),
    answers(200, { proxy: true }),
    answers(200, null),
    answers(400, { error: 'proxy' }),
    answers(400, { error: { code: 1, message: 'proxy' } }),
  ];
  const server = await loopback(...strange);
  const client = loopbackClient(server);
  const statuses: number[] = [];
  while (statuses.length < strange.length) {
    const failure = await failureOf(client.getCompany());
    expect(failure).toMatchObject({ name: 'ApiError', code: 'unexpected_response', details: [] });
    expect(failure.message).not.toMatch(/proxy/i);
    statuses.push(failure.status);
  }
  expect(statuses).toEqual([403, 200, 200, 204, 200, 200, 400, 400]);
});

test('a redirect is not followed, so that its target does not get the key', async () => {
  const target = await loopback(succeeds);
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of [`${target.url}/v1/company`, '/v1/elsewhere']) {
      const server = await loopback(answers(status, {}, { location }), succeeds);
      const failure = await failureOf(loopbackClient(server).getCompany());
      expect(failure).toMatchObject({
        status,
        code: 'unexpected_response',
        message: expect.stringMatching(/redirects/),
      });
      expect(server.requests).toHaveLength(1);
    }
  }
  expect(target.requests).toEqual([]);
});

test('a connection error names the host and keeps its cause', async () => {
  const server = await loopback(hangsUp);
  const failure = await failureOf(loopbackClient(server, { maxRetries: 0 }).getCompany());
  expect(failure).toBeInstanceOf(ConnectionError);
  expect(failure.message).toBe(`No complete response from ${new URL(server.url).host}`);
  expect(failure.cause).toBeDefined();
});

test('clients and errors do not show the key', async () => {
  const scripts = [hangsUp, breaks, stalls, fails(500, 'internal_error'), answers(302, {}, { location: '/' })];
  const shown: unknown[] = [];
  for (const script of scripts) {
    const client = loopbackClient(await loopback(script), { maxRetries: 0, timeoutMs: 200 });
    shown.push(client, await failureOf(client.getCompany()));
  }
  const refused = createClient({ baseUrl: 'https://awareness.invalid', apiKey: KEY, maxRetries: 0 });
  shown.push(await failureOf(refused.getCompany()));
  for (const one of shown)
    expect(inspect(one, { depth: Infinity, showHidden: true }) + JSON.stringify(one)).not.toContain(KEY);
});

test('invalid options are rejected by name, without the key', () => {
  const baseUrl = 'https://awareness.example.com';
  const refused: [object, RegExp][] = [
    [{ baseUrl, apiKey: `${KEY}\n` }, /^apiKey/],
    [{ baseUrl, apiKey: `Bearer ${KEY}` }, /^apiKey/],
    [{ baseUrl, apiKey: `${KEY}ä` }, /^apiKey/],
    [{ baseUrl, apiKey: '' }, /^apiKey/],
    [{ baseUrl }, /^apiKey/],
    [{ apiKey: KEY }, /^baseUrl/],
    [{ baseUrl: 'awareness.example.com', apiKey: KEY }, /^baseUrl/],
    [{ baseUrl: 'file:///etc', apiKey: KEY }, /^baseUrl/],
    [{ baseUrl: 'http://awareness.example.com', apiKey: KEY }, /^baseUrl .*allowInsecureHttp/],
    [{ baseUrl: 'http://localhost.example.com', apiKey: KEY }, /^baseUrl/],
    [{ baseUrl: `https://user:${KEY}@awareness.example.com`, apiKey: KEY }, /^baseUrl/],
    [{ baseUrl: `https://awareness.example.com?key=${KEY}`, apiKey: KEY }, /^baseUrl/],
    [{ baseUrl, apiKey: KEY, timeoutMs: 0 }, /^timeoutMs/],
    [{ baseUrl, apiKey: KEY, timeoutMs: 2 ** 31 }, /^timeoutMs/],
    [{ baseUrl, apiKey: KEY, maxRetries: -1 }, /^maxRetries/],
    [{ baseUrl, apiKey: KEY, maxRetries: NaN }, /^maxRetries/],
    [{ baseUrl, apiKey: KEY, maxRetryWaitMs: 0.5 }, /^maxRetryWaitMs/],
  ];
  for (const [options, says] of refused) {
    const create = () => createClient(options as Parameters<typeof createClient>[0]);
    expect(create).toThrow(says);
    expect(create).toThrow(TypeError);
    expect(create).not.toThrow(KEY);
  }
});

test('http is accepted for this machine, and for others if allowed', () => {
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
    expect(createClient({ baseUrl: `http://${host}`, apiKey: KEY })).toBeDefined();
  expect(createClient({ baseUrl: 'http://awareness:3000', apiKey: KEY, allowInsecureHttp: true })).toBeDefined();
});
