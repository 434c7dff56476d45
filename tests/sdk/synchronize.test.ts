/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import type { Applied, ItemOf, ListStore } from '../../sdk/src/index.ts';
import { answers, clientOf, failureOf, fails, loopback, loopbackClient, stopLoopbacks } from './support.ts';

afterEach(stopLoopbacks);

class Copy implements ListStore<'listLearners'> {
  items = new Map<string, ItemOf<'listLearners'>>();
  until: string | null = null;
  cleared = 0;
  syncedUntil() {
    return this.until;
  }
  clear() {
    this.cleared += 1;
    this.items.clear();
  }
  put(items: ItemOf<'listLearners'>[]) {
    for (const item of items) this.items.set(item.id, item);
  }
  async remove(removed: { id: string }[]) {
    for (const { id } of removed) this.items.delete(id);
  }
  async finish(until: string) {
    this.until = until;
  }
}

async function applied(steps: AsyncIterable<Applied>): Promise<Applied[]> {
  const all: Applied[] = [];
  for await (const step of steps) all.push(step);
  return all;
}

test('a copy equals the list after the first run, and after each later change and removal', async () => {
  const client = clientOf();
  const copy = new Copy();
  const isTrue = async () =>
    expect(new Map((await client.listLearners()).map((learner) => [learner.id, learner]))).toEqual(copy.items);
  await applied(client.synchronize('listLearners', copy, { limit: 2 }));
  await isTrue();
  const body = { email: 'copy@tenant.test', firstName: 'Ada', lastName: 'Copy' };
  const { id: learnerId } = await client.createLearner({ body });
  await applied(client.synchronize('listLearners', copy));
  await isTrue();
  await client.updateLearner({ learnerId, body: { firstName: 'Ada', lastName: 'Copied' } });
  await applied(client.synchronize('listLearners', copy));
  expect(copy.items.get(learnerId)!.name).toBe('Ada Copied');
  await client.deleteLearner({ learnerId });
  expect((await applied(client.synchronize('listLearners', copy))).at(-1)).toEqual({ put: 0, removed: 1 });
  await isTrue();
  expect(copy.cleared).toBe(1);
});

test('an expired copy is filled again, and a failed run is repeated from the same position', async () => {
  const old = new Copy();
  const data = (...ids: string[]) => ids.map((id) => ({ id }));
  const last = { removed: data('b'), syncedUntil: 'new', page: { nextCursor: null } };
  const server = await loopback(
    fails(400, 'cursor_expired'),
    answers(200, { data: data('a', 'b'), page: { nextCursor: null } }),
    answers(200, { data: data('b'), ...last, page: { nextCursor: 'more' } }),
    fails(500, 'internal_error'),
    answers(200, { data: data('c'), ...last }),
  );
  Object.assign(old, { until: 'long ago', items: new Map([['gone', {}]]) });
  const client = loopbackClient(server, { maxRetries: 0 });
  expect(await failureOf(applied(client.synchronize('listLearners', old)))).toMatchObject({ code: 'internal_error' });
  expect([old.until, [...old.items.keys()]]).toEqual(['long ago', ['a', 'b']]);
  await applied(client.synchronize('listLearners', old));
  expect([old.until, [...old.items.keys()], old.cleared]).toEqual(['new', ['a', 'c'], 1]);
  const asked = server.requests.map(({ url }) => new URL(url, server.url).searchParams.get('updatedSince'));
  expect(asked).toEqual(['long ago', null, expect.stringMatching(/^\d{4}-/), asked[2], 'long ago']);
});

test('tagged returns an ETag, with which a change fails once the object has changed', async () => {
  const client = clientOf();
  const learnerId = (await client.listLearners())[0]!.id;
  const { data, etag } = await client.tagged('getLearner', { learnerId });
  expect(data.id).toBe(learnerId);
  await client.updateLearner({ learnerId, body: { firstName: 'Ada', lastName: 'Once' } }, { ifMatch: etag! });
  expect(
    await failureOf(
      client.updateLearner({ learnerId, body: { firstName: 'Ada', lastName: 'Twice' } }, { ifMatch: etag! }),
    ),
  ).toMatchObject({
    code: 'changed_meanwhile',
  });
  expect((await client.tagged('listLearners')).etag).toBeNull();
});
