/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type KeyedOperationId, operations } from '../../src/contract/contract.ts';
import { until } from '../support/until.ts';
import { insertLearners } from '../resources/tenant-state.ts';
import { type Answer, call, del, expectError, get, post } from '../support/client.ts';
import { filledPath, firstIdsOf } from '../support/world-ids.ts';
import { companies, groupId, type KeyName, keys, learnerId } from '../support/world.ts';

const SIMULATION = { externalId: 'paged', deliveryMethod: 'email', startDate: '2026-05-04T08:00:00.000Z' };

interface Pages {
  answers: Answer[];
  items: unknown[];
}

const listOf = ({ body: { data } }: Answer, field: string) => (field === '' ? data : data[field]) as unknown[];

/** Follows the links of a list from its first page to the last. */
async function pagesOf(path: string, field = '', key: KeyName = 'tenant', between = async () => {}): Promise<Pages> {
  const answers: Answer[] = [];
  for (let next: string | undefined = path; next !== undefined; next = linked(answers.at(-1)!)) {
    answers.push(await get(next, key));
    await between();
  }
  return { answers, items: answers.flatMap((answer) => listOf(answer, field)) };
}

/** Returns the path of the Link header, after checking that its cursor equals the body's. */
function linked({ status, headers, body }: Answer): string | undefined {
  expect(status).toBe(200);
  const { nextCursor } = (body as { page: { nextCursor: string | null } }).page;
  const target = /^<\/v1([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  expect(new URLSearchParams(target?.split('?')[1]).get('cursor')).toBe(nextCursor);
  return target;
}

const paged = (Object.keys(operations) as KeyedOperationId[]).filter((id) => operations[id].pages !== null);
const companyFor = (operationId: KeyedOperationId) => (operations[operationId].accountKinds ? 'msp' : 'tenant');

/** Parameters for lists that are included only on request. */
const ASKED: Partial<Record<KeyedOperationId, string>> = { getPolicy: 'outcome=all' };

// A key's first use is recorded asynchronously, so a standby must see it before the pages are read.
beforeAll(async () => {
  const isNoted = ({ body }: Answer) => body.data.some(({ lastUsedAt }: { lastUsedAt: string | null }) => lastUsedAt);
  for (const key of ['tenant', 'msp'] as const) await until(async () => isNoted(await get('/api-keys', key)));
});

test.each(paged)(
  '%s: the pages with one item each, joined, equal the whole list and its metadata',
  async (operationId) => {
    const { path, pathIds, pages } = operations[operationId];
    const key = companyFor(operationId);
    const filled = `${filledPath(path, firstIdsOf(key, pathIds))}?${ASKED[operationId] ?? ''}`;
    const whole = await get(filled, key);
    expect(whole.body).not.toHaveProperty('page');
    expect(whole.headers.get('link') ?? '').not.toContain('next');
    const { answers, items } = await pagesOf(`${filled}&limit=1`, pages!, key);
    expect(items).toEqual(listOf(whole, pages!));
    expect(answers).toHaveLength(Math.max(1, items.length));
    for (const { body } of answers)
      expect(Object.keys(body).toSorted()).toEqual([...Object.keys(whole.body), 'page'].toSorted());
  },
);

describe('the pages of learners', () => {
  test('continue behind the last row, even if it is deleted and rows are inserted in the meantime', async () => {
    await insertLearners('other', 7);
    const ids = async () => ((await get('/learners', 'other')).body.data as { id: string }[]).map(({ id }) => id);
    const before = await ids();
    let made = 0;
    const { items } = await pagesOf('/learners?limit=3', '', 'other', async () => {
      if (made === 0) await del(`/learners/${before[2]}`, undefined, 'other');
      if (made++ < 4) await insertLearner(made);
    });
    const after = await ids();
    expect(after).toHaveLength(before.length + 3);
    expect(items.map((item) => (item as { id: string }).id)).toEqual([...before.slice(0, 3), ...after.slice(2)]);
  });

  test('keep the filter and the company of the first page', async () => {
    const { items, answers } = await pagesOf(
      `/learners?riskScoreLevel=low&limit=2&companyId=${companies.childA}`,
      '',
      'msp',
    );
    expect(items).toEqual((await get('/learners?riskScoreLevel=low', 'childA')).body.data);
    expect(answers.length).toBeGreaterThan(1);
    const { nextCursor } = (answers[0]!.body as unknown as { page: { nextCursor: string } }).page;
    expect((await get(`/learners?riskScoreLevel=low&cursor=${nextCursor}`, 'childA')).status).toBe(200);
    for (const [query, key] of [
      [`riskScoreLevel=low&cursor=${nextCursor}`, 'msp'],
      [`riskScoreLevel=high&cursor=${nextCursor}`, 'childA'],
      [`cursor=${nextCursor}`, 'childA'],
    ] as const)
      expectError(await get(`/learners?${query}`, key), 400, 'invalid_request', ['query/cursor']);
  });

  test('repeat the figures of the first page, which always counts them', async () => {
    const path = '/reports/course-participation?limit=2';
    const countOf = async (cursor = '') => (await get(path + cursor, 'other')).body.data.groupTree.learnerCount;
    const first = await get(path, 'other');
    const count = first.body.data.groupTree.learnerCount;
    const later = `&cursor=${(first.body as unknown as { page: { nextCursor: string } }).page.nextCursor}`;
    await insertLearner(99);
    expect([await countOf(later), await countOf(), await countOf(later)]).toEqual([count, count + 1, count + 1]);
  });

  test('of a simulation have its current name', async () => {
    const { id } = (await post('/simulations', { ...SIMULATION, name: 'Parcel' })).body.data;
    const events = ([1, 2] as const).map((n) => {
      const learner = { id: learnerId('tenant', n) };
      return { simulation: { id }, learner, type: 'sent', occurredAt: SIMULATION.startDate, eventId: `named-${n}` };
    });
    await post('/simulation-events', { events });
    const first = await get(`/simulations/${id}?limit=1`);
    await post('/simulations', { ...SIMULATION, name: 'Renamed' });
    const { nextCursor } = (first.body as unknown as { page: { nextCursor: string } }).page;
    const later = (await get(`/simulations/${id}?limit=1&cursor=${nextCursor}`)).body.data;
    expect(later).toMatchObject({ name: 'Renamed', sentCount: 2 });
    await testService.query('delete from simulations where id = $1', [id]);
  });

  test('return the remaining learners without a limit, and the last page has no cursor', async () => {
    const { body } = await get('/learners?limit=4');
    const { nextCursor } = (body as unknown as { page: { nextCursor: string } }).page;
    const last = await get(`/learners?cursor=${nextCursor}`);
    expect(last.body).toEqual({
      data: [expect.objectContaining({ id: learnerId('tenant', 5) })],
      page: { nextCursor: null },
    });
    expect(last.headers.get('link')).toBeNull();
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=', 'cursor'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=%00', 'cursor'],
    ['cursor=a&cursor=b', 'cursor'],
    [`cursor=${'a'.repeat(10_000)}`, 'cursor'],
  ])('are rejected for %.20s', async (query, name) => {
    expectError(await get(`/learners?${query}`), 400, 'invalid_request', [`query/${name}`]);
  });

  test('are rejected for a truncated cursor and for one of another company or list', async () => {
    const cursorOf = async (path: string, key: KeyName = 'tenant') =>
      ((await get(`${path}?limit=1`, key)).body as unknown as { page: { nextCursor: string } }).page.nextCursor;
    const own = await cursorOf('/learners');
    for (const cursor of [own.slice(0, -1), await cursorOf('/learners', 'childA'), await cursorOf('/groups')])
      expectError(await get(`/learners?cursor=${cursor}`), 400, 'invalid_request', ['query/cursor']);
  });

  test('are rejected for an operation without pages', async () => {
    expectError(await get(`/groups/${groupId('tenant', 1)}?limit=1`), 400, 'invalid_request', ['query/limit']);
  });

  test('have a Link header for HEAD as well', async () => {
    const { headers } = await call('tenant', 'HEAD', '/learners?limit=1');
    expect(headers.get('link')).toMatch(/rel="next"$/);
  });
});

async function insertLearner(number: number): Promise<void> {
  await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name, locale)
     values ($1, new_id(), $2, 'Later', 'Learner', 'en')`,
    [companies.other, `later${number}@other.test`],
  );
}

test('a Link header keeps its relative path for an absolute request target', async () => {
  const headers = { authorization: `Bearer ${keys.tenant}` };
  const asked = request(testService.url, { path: 'http://elsewhere.test/v1/learners?limit=1', headers }).end();
  const [{ headers: answered }] = (await once(asked, 'response')) as [IncomingMessage];
  expect(answered.link).toMatch(/^<\/v1\/learners\?/);
});
