/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { operations } from '../../generated/operations.ts';
import type { ListId } from '../../sdk/src/index.ts';
import { policyId } from '../support/world-policies.ts';
import { firstIdsOf } from '../support/world-ids.ts';
import { answers, clientOf, failureOf, fails, loopback, loopbackClient, stopLoopbacks } from './support.ts';

afterEach(stopLoopbacks);

const collect = async <T>(iterator: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const one of iterator) all.push(one);
  return all;
};
const page = (data: unknown[], nextCursor: string | null) => answers(200, { data, page: { nextCursor } });

const lists = (Object.keys(operations) as ListId[]).filter((id) => operations[id].pages !== null);

test('every list and report is read item by item, in pages of any length', async () => {
  for (const operationId of lists) {
    const { pages: field, accountKinds, pathIds } = operations[operationId];
    const key = accountKinds ? 'msp' : 'tenant';
    const input = { ...firstIdsOf(key, pathIds), ...(operationId === 'getPolicy' && { outcome: 'all' }) } as never;
    const whole = await clientOf(key)[operationId](input);
    const list = field === '' ? whole : (whole as Record<string, unknown>)[field];
    expect(await collect(clientOf(key).items(operationId, { ...(input as object), limit: 2 }))).toEqual(list);
  }
});

test('pages are as they were answered, and their types are those of the list', async () => {
  const client = clientOf();
  const pages = await collect(client.pages('listLearners', { limit: 2 }));
  expect(pages.map((learners) => learners.length)).toEqual([2, 2, 1]);
  for await (const { learnerEmail } of client.items('getLearningReport')) expect(learnerEmail).toContain('@');
  expect(await collect(client.items('getPolicy', { policyId: policyId('tenant', 1) }))).toEqual([]);
});

test('a page is asked for when the one before has been used, and none for who leaves', async () => {
  const server = await loopback(page([1, 2], 'next'), page([3], null));
  for await (const item of loopbackClient(server).items('listGroups')) {
    expect(server.requests).toHaveLength((item as unknown as number) < 3 ? 1 : 2);
  }
  expect(server.requests.map(({ url }) => url)).toEqual(['/v1/groups?limit=1000', '/v1/groups?limit=1000&cursor=next']);
  const left = loopbackClient(server).items('listGroups');
  await left.next();
  await left.return();
  expect(server.requests).toHaveLength(3);
});

test('a page that fails is tried again by itself', async () => {
  const server = await loopback(page([1], 'next'), fails(503, 'not_ready'), page([2], null));
  expect(await collect(loopbackClient(server).items('listGroups', { cursor: 'begun' }))).toEqual([1, 2]);
  expect(server.requests.map(({ url }) => new URL(url, server.url).searchParams.get('cursor'))).toEqual([
    'begun',
    'next',
    'next',
  ]);
});

test('an operation without pages, and a service that knows none, are told', async () => {
  const server = await loopback(answers(200, { data: [] }));
  const client = loopbackClient(server);
  expect(await failureOf(client.items('getCompany' as ListId).next())).toBeInstanceOf(TypeError);
  expect(await failureOf(client.items('listGroups').next())).toMatchObject({ code: 'unexpected_response' });
});
