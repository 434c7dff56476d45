import { type Answer, expectError, get, post } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import { groupId, learnerId, unknownId } from '../../support/world.ts';
import { record as recordResult } from '../courses/result-state.ts';
import { merged, undone } from '../learner-merges/merge-state.ts';
import { createLearner, dayBefore, daysAgo, uniqueId, waitPastMidnight } from '../reports/past-state.ts';
import { addressOf } from '../reports/report-pages.ts';
import { expectRefused, fieldsOf } from '../tenant-state.ts';

const group = groupId('tenant', 2);
const path = `/groups/${group}/membership-history`;

interface Period {
  from: string;
  to?: string;
}

const record = (id: string, periods: Period[]): Promise<Answer> =>
  post(path, { memberships: [{ learnerId: id, periods }] });

/** Creates a learner who began a course long before the periods of the tests. */
async function createEnrolled(): Promise<string> {
  const id = await createLearner();
  await recordResult({ eventId: uniqueId(), learner: { id }, startedAt: daysAgo(3000) });
  return id;
}

/** Records a learner's periods, and expects the call to change them. */
async function recorded(id: string, periods: Period[]): Promise<void> {
  const { status, body } = await record(id, periods);
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  expect(body.data).toEqual({ groupId: group, changedIds: [id], skipped: [] });
}

async function periodsOf(id: string): Promise<Period[]> {
  const { body } = await get(path);
  return body.data.filter((row: any) => row.learnerId === id).map(({ from, to }: any) => ({ from, to }));
}

/** Returns how often the learner is in reports on the members of the group. */
async function countIn(id: string, filters: object): Promise<number[]> {
  const learning = await get(addressOf('/reports/learning', { groupId: group, includeInactive: true, ...filters }));
  const participation = await get(addressOf('/reports/course-participation', { groupId: group, ...filters }));
  return [
    learning.body.data.rows.filter((row: any) => row.learnerId === id).length,
    participation.body.data.learners.filter((row: any) => row.id === id).length,
  ];
}

async function countInGroups(asOf: string): Promise<number | undefined> {
  const { body } = await get(addressOf('/reports/groups', { asOf }));
  return body.data.groups.find(({ id }: { id: string }) => id === group)?.learnerCount;
}

beforeEach(waitPastMidnight);

test('counts a member of the past on the days of the period, once, and in no other report', async () => {
  const id = await createEnrolled();
  await recorded(id, [{ from: dayBefore(900), to: dayBefore(800) }]);
  expect(await countInGroups(dayBefore(901))).toBeUndefined();
  expect(await countInGroups(dayBefore(900))).toBe(1);
  expect(await countInGroups(dayBefore(799))).toBeUndefined();
  for (const [days, count] of [
    [901, 0],
    [900, 1],
    [800, 1],
    [799, 0],
    [0, 0],
  ] as const) {
    const counts = await countIn(id, { asOf: dayBefore(days) });
    expect({ days, counts }).toEqual({ days, counts: [count, count] });
  }
  expect(await countIn(id, {})).toEqual([0, 0]);
});

test('is not known before it is recorded, and stays known until it is corrected', async () => {
  const id = await createEnrolled();
  const asOf = dayBefore(50);
  await passDay();
  await passDay();
  await recorded(id, [{ from: dayBefore(60), to: dayBefore(40) }]);
  await passDay();
  await recorded(id, []);
  expect(await periodsOf(id)).toEqual([]);
  expect(await countIn(id, { asOf })).toEqual([0, 0]);
  expect(await countIn(id, { asOf, knownAt: dayBefore(2) })).toEqual([0, 0]);
  expect(await countIn(id, { asOf, knownAt: dayBefore(1) })).toEqual([1, 1]);
  expect(await countIn(id, { asOf, knownAt: dayBefore(0) })).toEqual([0, 0]);
});

test('replaces the periods of a learner, and a repeated call changes nothing', async () => {
  const id = await createEnrolled();
  const [first, second] = [
    { from: '2019-01-01', to: '2019-12-31' },
    { from: '2020-01-01', to: '2020-06-30' },
  ];
  await recorded(id, [second, first]);
  expect(await periodsOf(id)).toEqual([first, second]);
  const before = (await get(path)).body.data;
  const { body } = await record(id, [first, second]);
  expect(body.data).toMatchObject({ changedIds: [], skipped: [{ learnerId: id, code: 'unchanged' }] });
  expect((await get(path)).body.data).toEqual(before);
  await recorded(id, [second]);
  expect(await periodsOf(id)).toEqual([second]);
});

test('a period without an end lasts until the service recorded the membership, also after the learner left', async () => {
  const id = await createEnrolled();
  await post(`/groups/${group}/learners/add`, { learnerIds: [id] });
  await passDay();
  await recorded(id, [{ from: dayBefore(100) }]);
  expect(await periodsOf(id)).toEqual([{ from: dayBefore(100), to: dayBefore(2) }]);
  expect((await record(id, [{ from: dayBefore(100) }])).body.data.changedIds).toEqual([]);
  expectError(await record(id, [{ from: dayBefore(1) }]), 400, 'invalid_request', [
    'body/memberships/0/periods/0/from',
  ]);
  await recorded(id, [{ from: dayBefore(100), to: dayBefore(1) }]);
  await post(`/groups/${group}/learners/remove`, { learnerIds: [id] });
  for (const days of [100, 2, 1]) expect(await countIn(id, { asOf: dayBefore(days) })).toEqual([1, 1]);
  expect(await countIn(id, { asOf: dayBefore(0) })).toEqual([0, 0]);
});

test.each([
  ['an end before the start', [{ from: '2020-02-02', to: '2020-02-01' }], 'periods/0/to'],
  ['an end today', [{ from: '2020-02-02', to: dayBefore(0) }], 'periods/0/to'],
  ['a start today', [{ from: dayBefore(0) }], 'periods/0/from'],
  ['a start before 1970', [{ from: '1969-12-31', to: '2020-01-01' }], 'periods/0/from'],
  ['no day', [{ from: '2020-02-30' }], 'periods/0/from'],
  ['no end for a learner who is not a member', [{ from: '2020-01-01' }], 'periods/0/to'],
  [
    'an overlap of one day',
    [
      { from: '2020-01-05', to: '2020-02-01' },
      { from: '2020-01-01', to: '2020-01-05' },
    ],
    'periods/0/from',
  ],
])('rejects %s and changes nothing', async (_case, periods, field) => {
  const known = learnerId('tenant', 1);
  const other = { learnerId: learnerId('tenant', 2), periods: [{ from: '2018-01-01', to: '2018-02-01' }] };
  const refused = () => post(path, { memberships: [other, { learnerId: known, periods }] });
  expect(fieldsOf(await expectRefused(refused, 400, 'invalid_request'))).toEqual([`body/memberships/1/${field}`]);
});

test('rejects a learner who appears twice, and a group that the company does not have', async () => {
  const one = { learnerId: learnerId('tenant', 1), periods: [] };
  const twice = await post(path, { memberships: [one, one] });
  expectError(twice, 400, 'invalid_request', ['body/memberships/1/learnerId']);
  for (const id of [unknownId, groupId('other', 1)])
    expectError(await post(`/groups/${id}/membership-history`, { memberships: [one] }), 404, 'not_found');
});

test('skips unknown learners and learners of other companies', async () => {
  const periods = [{ from: '2020-01-01' }];
  const learnerIds = [unknownId, learnerId('other', 1)];
  const { body } = await post(path, { memberships: learnerIds.map((id) => ({ learnerId: id, periods })) });
  expect(body.data.changedIds).toEqual([]);
  expect(body.data.skipped).toMatchObject(learnerIds.map((id) => ({ learnerId: id, code: 'not_found' })));
});

test('two calls at once record a period once', async () => {
  const id = await createEnrolled();
  const calls = [1, 2, 3].map(() => record(id, [{ from: '2020-01-01', to: '2020-02-01' }]));
  const changes = (await Promise.all(calls)).map(({ body }) => body.data.changedIds.length);
  expect(changes.toSorted()).toEqual([0, 0, 1]);
  expect(await periodsOf(id)).toHaveLength(1);
});

test('periods follow a merge of learners, count once, and return when it is undone', async () => {
  const [one, into] = [await createEnrolled(), await createEnrolled()];
  await recorded(one, [{ from: '2021-01-01', to: '2021-03-01' }]);
  await recorded(into, [{ from: '2021-02-01', to: '2021-04-01' }]);
  const { id } = await merged(one, into);
  expect(await periodsOf(into)).toHaveLength(2);
  expect(await countIn(into, { asOf: '2021-02-15' })).toEqual([1, 1]);
  await undone(id);
  expect(await periodsOf(one)).toEqual([{ from: '2021-01-01', to: '2021-03-01' }]);
  expect(await periodsOf(into)).toHaveLength(1);
});
