import { expectError, get, post } from '../../support/client.ts';
import { companies, groupId, type KeyName, learnerId } from '../../support/world.ts';
import { cursorWriter, here, openTransaction, page, settled } from './event-state.ts';

let number = 0;
const newGroup = async (key: KeyName = 'tenant'): Promise<string> => {
  const { body } = await post('/groups', { name: `Of events ${(number += 1)}` }, key);
  await settled();
  return body.data.id as string;
};
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const idsOf = ({ events }: Awaited<ReturnType<typeof page>>) => events.map(({ data }) => data.groupId);

describe('GET /events', () => {
  test('the first call turns events on, and earlier changes are not in the log', async () => {
    await newGroup('other');
    const first = await page({}, 'other');
    expect(first).toMatchObject({ events: [], hasMore: false });
    const group = await newGroup('other');
    const { events } = await page({ after: first.nextCursor }, 'other');
    const event = { type: 'group.created', companyId: companies.other, data: { groupId: group } };
    expect(events).toEqual([{ id: expect.any(String), timestamp: expect.any(String), ...event }]);
    expect(Date.now() - Date.parse(events[0]!.timestamp)).toBeLessThan(60_000);
    expect((await page({}, 'other')).events).toEqual(events);
  });

  test('a company whose events are never read stores none', async () => {
    await newGroup('prospect');
    expect(await testService.query('select from events where company_id = $1', [companies.prospect])).toEqual([]);
  });

  test('continues after a cursor page by page, and returns a cursor even without new events', async () => {
    const start = await here();
    const groups = [await newGroup(), await newGroup(), await newGroup()];
    const first = await page({ after: start, limit: 2 });
    expect({ ids: idsOf(first), hasMore: first.hasMore }).toEqual({ ids: groups.slice(0, 2), hasMore: true });
    const second = await page({ after: first.nextCursor, limit: 2 });
    expect({ ids: idsOf(second), hasMore: second.hasMore }).toEqual({ ids: groups.slice(2), hasMore: false });
    const third = await page({ after: second.nextCursor });
    expect(third).toMatchObject({ events: [], hasMore: false });
    const late = await newGroup();
    expect(idsOf(await page({ after: third.nextCursor }))).toEqual([late]);
  });

  test('returns only the requested types', async () => {
    const after = await here();
    const id = await newGroup();
    await post(`/groups/${id}/learners/add`, { learnerIds: [learnerId('tenant', 1), learnerId('tenant', 2)] });
    await settled();
    const seen = async (types: string) => (await page({ after, types })).events.map(({ type }) => type);
    expect(await seen('group.created')).toEqual(['group.created']);
    expect(await seen('group.created,group.member.added')).toEqual([
      'group.created',
      'group.member.added',
      'group.member.added',
    ]);
    expect(await seen('group.deleted')).toEqual([]);
    expectError(await get('/events?types=group.created,group.lost'), 400, 'invalid_request', ['query/types/1']);
  });

  test('a cursor of another company or list, a made-up one and one from the future return 400', async () => {
    const refused = async (after: string, key: KeyName = 'tenant') =>
      expectError(await get(`/events?after=${after}`, key), 400, 'invalid_request', ['query/after']);
    const cursor = await here();
    await refused(cursor, 'other');
    await refused(`${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`);
    await refused('a');
    await refused('%00');
    await refused((await page({ children: true }, 'msp')).nextCursor, 'msp');
    const write = await cursorWriter();
    for (const transactionId of ['9223372036854775807', '18446744073709551615'])
      await refused(write(transactionId, dayBefore(0)));
    await refused(write('3', '+099999-12-31'));
  });

  test('a cursor older than the stored events returns cursor_expired', async () => {
    const write = await cursorWriter();
    expectError(await get(`/events?after=${write('3', dayBefore(31))}`), 400, 'cursor_expired', ['query/after']);
    expect((await page({ after: write('3', dayBefore(29)) })).hasMore).toBe(false);
  });

  test('a cursor from before a restore or failover returns cursor_expired with any transaction id', async () => {
    const write = await cursorWriter('another');
    for (const transactionId of ['3', '9223372036854775807']) {
      const answer = await get(`/events?after=${write(transactionId, dayBefore(0))}`);
      expectError(answer, 400, 'cursor_expired', ['query/after']);
    }
  });

  test('a parent reads one child, or all children as one list', async () => {
    const [start, of] = [(await page({ children: true }, 'msp')).nextCursor, await newGroup('childA')];
    const other = await newGroup('childB');
    const events = async (query: Record<string, string | boolean>, key: KeyName) =>
      (await page(query, key)).events.map(({ companyId, data }) => [companyId, data.groupId]);
    expect(await events({ children: true, after: start }, 'msp')).toEqual([
      [companies.childA, of],
      [companies.childB, other],
    ]);
    expect(await events({ companyId: companies.childB }, 'msp')).toEqual([[companies.childB, other]]);
    // A distributor reads the children of its MSPs.
    expect(await events({ children: true }, 'distributor')).toEqual([
      [companies.childA, of],
      [companies.childB, other],
    ]);
    expect(await events({ children: true }, 'strangerMsp')).toEqual([]);
    expect(await events({}, 'msp')).toEqual([]);
    expectError(await get(`/events?companyId=${companies.other}`, 'msp'), 403, 'forbidden');
    expectError(await get('/events?children=true'), 403, 'forbidden');
    const both = await get(`/events?children=true&companyId=${companies.childA}`, 'msp');
    expectError(both, 400, 'invalid_request', ['query/children']);
  });
});

test.each([
  ['limit=0', 'query/limit'],
  ['limit=1001', 'query/limit'],
  ['limit=many', 'query/limit'],
  ['after=', 'query/after'],
  ['after=a&after=b', 'query/after'],
  ['types=', 'query/types'],
  ['types=group.created,group.created', 'query/types'],
  ['children=maybe', 'query/children'],
  ['before=a', 'query/before'],
])('GET /events?%s returns 400 naming %s', async (query, field) => {
  const { status, body } = await get(`/events?${query}`);
  expect({ status, field: body.error?.details[0]?.field }).toEqual({
    status: 400,
    field: expect.stringMatching(new RegExp(`^${field}`)),
  });
});

describe('an event that is committed late', () => {
  const rename = `update groups set name = $1 where id = '${groupId('tenant', 2)}'`;

  test('is not skipped because of events committed before it', async () => {
    const after = await here();
    const slow = await openTransaction();
    await slow.query(rename, ['Late']);
    const early = (await post('/groups', { name: 'Early' })).body.data.id;
    const meanwhile = await page({ after });
    expect(meanwhile).toMatchObject({ events: [], hasMore: false });
    await slow.query('commit');
    await slow.end();
    await settled();
    const both = [groupId('tenant', 2), early];
    expect(idsOf(await page({ after: meanwhile.nextCursor }))).toEqual(both);
    expect(idsOf(await page({ after }))).toEqual(both);
  });

  test('does not appear after a rollback', async () => {
    const after = await here();
    const slow = await openTransaction();
    await slow.query(rename, ['Never']);
    await slow.query('rollback');
    await slow.end();
    await settled();
    expect((await page({ after })).events).toEqual([]);
  });
});
