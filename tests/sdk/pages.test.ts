/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { readFileSync } from 'node:fs';
import { operations } from '../../generated/operations.ts';
import type { ListId, SyncedListId } from '../../sdk/src/index.ts';
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

test('every list and report is read item by item, in small pages', async () => {
  for (const operationId of lists) {
    const { pages: field, accountKinds, pathIds } = operations[operationId];
    const key = accountKinds ? 'msp' : 'tenant';
    const input = { ...firstIdsOf(key, pathIds), ...(operationId === 'getPolicy' && { outcome: 'all' }) } as never;
    const whole = await clientOf(key)[operationId](input);
    const list = field === '' ? whole : (whole as Record<string, unknown>)[field];
    expect(await collect(clientOf(key).items(operationId, { ...(input as object), limit: 2 }))).toEqual(list);
  }
});

test('pages are returned unchanged, with the types of the list', async () => {
  const client = clientOf();
  const pages = await collect(client.pages('listLearners', { limit: 2 }));
  expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1]);
  expect(pages.map(({ page }) => page?.nextCursor === null)).toEqual([false, false, true]);
  for await (const { learnerEmail } of client.items('getLearningReport')) expect(learnerEmail).toContain('@');
  expect(await collect(client.items('getPolicy', { policyId: policyId('tenant', 1) }))).toEqual([]);
});

test('a page is requested once the previous one has been used, and not after the loop has ended', async () => {
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

test('a failed page is retried', async () => {
  const server = await loopback(page([1], 'next'), fails(503, 'not_ready'), page([2], null));
  expect(await collect(loopbackClient(server).items('listGroups', { cursor: 'begun' }))).toEqual([1, 2]);
  expect(server.requests.map(({ url }) => new URL(url, server.url).searchParams.get('cursor'))).toEqual([
    'begun',
    'next',
    'next',
  ]);
});

test('an operation without pages and a service without pages cause an error', async () => {
  const server = await loopback(answers(200, { data: [] }));
  const client = loopbackClient(server);
  expect(await failureOf(client.items('getCompany' as ListId).next())).toBeInstanceOf(TypeError);
  expect(await failureOf(client.items('listGroups').next())).toMatchObject({ code: 'unexpected_response' });
});

interface Contract {
  paths: Record<string, { get?: { operationId: string; parameters?: { $ref?: string }[] } }>;
}
const { paths } = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
) as Contract;
const synced = Object.values(paths).flatMap(({ get }) =>
  get?.parameters?.some(({ $ref }) => $ref?.endsWith('/UpdatedSince')) ? [get.operationId] : [],
);

test('every list with updatedSince returns removals in envelope, pages and changes', async () => {
  expect(synced).toEqual(expect.arrayContaining(['listLearners', 'listGroups', 'getCourseResultsReport', 'getPolicy']));
  for (const operationId of synced as SyncedListId[]) {
    const client = clientOf();
    const { pathIds } = operations[operationId];
    const outcome = operationId === 'getPolicy' && { outcome: 'all' };
    const input = { ...firstIdsOf('tenant', pathIds), ...outcome, updatedSince: '2026-01-01T00:00:00Z' } as never;
    const since = { ...(input as object), updatedSince: new Date().toISOString() } as never;
    const { removed, syncedUntil } = await client.envelope(operationId, since);
    expect(removed).toEqual(expect.any(Array));
    const [first] = await collect(client.pages(operationId, since));
    expect(first).toMatchObject({ removed: expect.any(Array), syncedUntil: expect.any(String) });
    expect(await client.changes(operationId, since)).toMatchObject({ items: expect.any(Array), removed });
    expect(syncedUntil).toEqual(expect.any(String));
    expect(await failureOf(client.items(operationId, since).next())).toBeInstanceOf(TypeError);
    expect(
      await failureOf(client.changes(operationId, { ...(input as object), updatedSince: undefined })),
    ).toBeInstanceOf(TypeError);
  }
});

test('changes keep a copy up to date with new items, removals and the next position', async () => {
  const client = clientOf();
  const before = await client.changes('listLearners', { updatedSince: new Date().toISOString() });
  const made = await client.createLearner({ body: { email: 'sync@tenant.test', firstName: 'Ada', lastName: 'Sync' } });
  const created = await client.changes('listLearners', { updatedSince: before.syncedUntil, limit: 1 });
  expect(created.items.map(({ email }) => email)).toContain('sync@tenant.test');
  expect(created.removed).toEqual([]);
  await client.deleteLearner({ learnerId: made.id });
  const deleted = await client.changes('listLearners', { updatedSince: created.syncedUntil });
  expect(deleted.removed.map(({ id }) => id)).toContain(made.id);
});

test('envelope returns the coverage of breaches', async () => {
  const { coverage } = await clientOf().envelope('listBreachAccounts');
  expect(coverage.watchedDomains).toContain('tenant.test');
});
