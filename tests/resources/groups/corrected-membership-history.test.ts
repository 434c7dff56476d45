import { del, expectError, get, post } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import { record as recordResult } from '../courses/result-state.ts';
import { merged } from '../learner-merges/merge-state.ts';
import { createLearner, dayBefore, daysAgo, uniqueId, waitPastMidnight } from '../reports/past-state.ts';
import { addressOf } from '../reports/report-pages.ts';

interface Period {
  from: string;
  to?: string;
}

let group = '';
beforeEach(async () => {
  await waitPastMidnight();
  group = (await post('/groups', { name: uniqueId() })).body.data.id;
});

const record = async (id: string, periods: Period[]) =>
  (await post(`/groups/${group}/membership-history`, { memberships: [{ learnerId: id, periods }] })).body.data;

async function periodsOf(id: string): Promise<Period[]> {
  const { body } = await get(`/groups/${group}/membership-history`);
  return body.data.filter((row: any) => row.learnerId === id).map(({ from, to }: any) => ({ from, to }));
}

/** Creates a learner who began a course long ago. */
async function createEnrolled(): Promise<string> {
  const id = await createLearner();
  await recordResult({ eventId: uniqueId(), learner: { id }, startedAt: daysAgo(3000) });
  return id;
}

const countOn = async (asOf: string) =>
  (await get(addressOf('/reports/learning', { groupId: group, asOf }))).body.data.rows.length;

test('a period without an end means the same after the member has left and returned', async () => {
  const id = await createEnrolled();
  const open = [{ from: dayBefore(100) }];
  await post(`/groups/${group}/learners/add`, { learnerIds: [id] });
  await passDay();
  await record(id, open);
  const stored = [{ from: dayBefore(100), to: dayBefore(2) }];
  expect(await periodsOf(id)).toEqual(stored);
  await post(`/groups/${group}/learners/remove`, { learnerIds: [id] });
  expect(await record(id, open)).toMatchObject({ changedIds: [], skipped: [{ code: 'unchanged' }] });
  await post(`/groups/${group}/learners/add`, { learnerIds: [id] });
  expect(await record(id, open)).toMatchObject({ changedIds: [] });
  expect(await periodsOf(id)).toEqual(stored);
});

test('a wrong period of a deleted group can be removed', async () => {
  const id = await createEnrolled();
  await record(id, [{ from: '2020-01-01', to: '2020-02-01' }]);
  expect((await del(`/groups/${group}`)).status).toBe(200);
  expect(await countOn('2020-01-15')).toBe(1);
  expect(await periodsOf(id)).toHaveLength(1);
  await record(id, []);
  expect(await countOn('2020-01-15')).toBe(0);
});

test('the next call joins equal periods of merged learners', async () => {
  const [one, into] = [await createEnrolled(), await createEnrolled()];
  const period = [{ from: '2021-01-01', to: '2021-03-01' }];
  await record(one, period);
  await record(into, period);
  await merged(one, into);
  expect(await periodsOf(into)).toHaveLength(2);
  expect(await record(into, period)).toMatchObject({ changedIds: [into] });
  expect(await periodsOf(into)).toEqual(period);
});

test("a merge cannot be undone after the duplicate's periods were corrected", async () => {
  const [one, into] = [await createEnrolled(), await createEnrolled()];
  await record(one, [{ from: '2021-01-01', to: '2021-03-01' }]);
  const { id } = await merged(one, into);
  await record(into, [{ from: '2021-01-01', to: '2021-04-01' }]);
  expectError(await del(`/learner-merges/${id}`), 400, 'merge_not_undoable', ['path/learnerMergeId']);
});

test('no period counts for today, even if it was recorded in another time zone', async () => {
  const id = await createEnrolled();
  await record(id, [{ from: '2020-01-01', to: '2020-02-01' }]);
  const today = new Date().toISOString().slice(0, 10);
  await testService.query('update membership_periods set last_day = $1 where learner_id = $2', [today, id]);
  expect([await countOn(today), await countOn(dayBefore(1))]).toEqual([0, 1]);
});
