/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TimeoutError } from '../../sdk/src/index.ts';
import { until } from '../support/until.ts';
import { get } from '../support/client.ts';
import {
  answers,
  breaks,
  clientOf,
  failureOf,
  fails,
  loopback,
  loopbackClient,
  stalls,
  stopLoopbacks,
  succeeds,
} from './support.ts';

afterEach(stopLoopbacks);

const stallsWithin = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"data": [');
};

/** Runs a call, and returns its error and how long it took to fail. */
async function timed(call: () => Promise<unknown>): Promise<{ failure: any; took: number }> {
  const began = performance.now();
  return { failure: await failureOf(call()), took: performance.now() - began };
}

test.each([
  ['before it begins', stalls],
  ['in the middle', stallsWithin],
])('a response that stalls %s ends with the timeout', async (_, script) => {
  const server = await loopback(script);
  const { failure, took } = await timed(() => loopbackClient(server, { timeoutMs: 300, maxRetries: 0 }).listGroups());
  expect(failure).toBeInstanceOf(TimeoutError);
  expect(failure.message).toBe('No complete response within 300 ms');
  expect(took).toBeGreaterThanOrEqual(295);
  expect(took).toBeLessThan(3000);
});

test('the timeout applies to each attempt', async () => {
  const server = await loopback(stalls, stallsWithin, answers(200, { data: [] }));
  expect(await loopbackClient(server).listGroups({}, { timeoutMs: 1200 })).toEqual([]);
  expect(server.requests).toHaveLength(3);
});

test('a call with an aborted signal sends no request', async () => {
  const server = await loopback(succeeds);
  const reason = new Error('not any more');
  expect(await failureOf(loopbackClient(server).getCompany({}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  expect(server.requests).toEqual([]);
});

test.each([
  ['before the response', stalls],
  ['within the response', stallsWithin],
  ['between two attempts', fails(429, 'rate_limited', { 'retry-after': '30' })],
])('a signal ends a call %s with its reason, without a retry', async (_, script) => {
  const server = await loopback(script);
  const controller = new AbortController();
  const reason = new Error('the user has left');
  const call = timed(() => loopbackClient(server).getCompany({}, { signal: controller.signal }));
  await until(async () => server.requests.length > 0);
  await sleep(100);
  controller.abort(reason);
  const { failure, took } = await call;
  expect(failure).toBe(reason);
  expect(took).toBeLessThan(3000);
  expect(server.requests).toHaveLength(1);
});

test('a signal can be a deadline for all attempts', async () => {
  const server = await loopback(fails(502, 'service_unavailable'));
  const call = () => loopbackClient(server).getCompany({}, { signal: AbortSignal.timeout(400), maxRetries: 100 });
  const { failure, took } = await timed(call);
  expect(failure.name).toBe('TimeoutError');
  expect(took).toBeLessThan(3000);
});

test('a call leaves no listener on its signal', async () => {
  const server = await loopback(fails(502, 'service_unavailable'), succeeds);
  const { signal } = new AbortController();
  await loopbackClient(server).getCompany({}, { signal });
  const answer = await loopbackClient(server).response('getCompany', {}, { signal });
  await answer.text();
  expect(server.requests).toHaveLength(3);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('response', () => {
  test('returns the response of the service unread', async () => {
    const answer = await clientOf().response('listLearners', {});
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect(answer.bodyUsed).toBe(false);
    expect(await answer.json()).toEqual((await get('/learners')).body);
  });

  test('rejects with the error of an error response', async () => {
    const call = clientOf().response('getLearner', { learnerId: 'nobody' });
    expect(await failureOf(call)).toMatchObject({ code: 'not_found' });
  });

  test('can be read for longer than the timeout', async () => {
    const slow = (response: ServerResponse) => {
      stallsWithin(response);
      setTimeout(() => response.end(']}'), 600);
    };
    const answer = await loopbackClient(await loopback(slow)).response('listGroups', {}, { timeoutMs: 300 });
    expect(await answer.json()).toEqual({ data: [] });
  });

  test('ends with an error if the body breaks off', async () => {
    const answer = await loopbackClient(await loopback(breaks)).response('listGroups');
    expect(await failureOf(answer.text())).toMatchObject({ name: 'TypeError', message: 'terminated' });
  });

  test('obeys the signal while it is read', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const answer = await loopbackClient(await loopback(stallsWithin)).response('listGroups', {}, { signal });
    const text = failureOf(answer.text());
    await sleep(50);
    controller.abort(new Error('enough'));
    expect((await text).message).toBe('enough');
  });
});
