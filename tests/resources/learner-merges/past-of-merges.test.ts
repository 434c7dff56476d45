import { get, post } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import { managedCourses } from '../../support/world.ts';
import { create, update } from '../policies/policy-state.ts';
import { createLearner, dayBefore, daysAgo, uniqueId, waitPastMidnight } from '../reports/past-state.ts';
import { merged, undone } from './merge-state.ts';

const courseId = managedCourses.phishing;

beforeEach(waitPastMidnight);

async function act(path: string, body: object): Promise<any> {
  const { status, body: answer } = await post(path, body);
  expect({ path, status, error: answer.error }).toEqual({ path, status: 200, error: undefined });
  return answer.data;
}

const createGroup = async (): Promise<string> => (await act('/groups', { name: uniqueId(), managerIds: [] })).id;

/** Reads the rows of learners in reports on the day, as known then. */
async function readRows(learnerIds: string[], day: string, policyId: string): Promise<object> {
  const past = `asOf=${day}&knownAt=${day}&includeInactive=true`;
  const policies = (await get(`/reports/policy-results?policyId=${policyId}&${past}`)).body.data;
  const { learners } = (await get(`/reports/course-participation?attempts=all&${past}`)).body.data;
  const isOfLearners = ({ learnerId, id = learnerId }: any) =>
    learnerIds.includes(id) || learnerIds.includes(learnerId);
  return { policies: policies.filter(isOfLearners), learners: learners.filter(isOfLearners) };
}

test('a learner whose records overlap with those of a merged one appears once on a past day', async () => {
  const learnerIds = [await createLearner(), await createLearner()] as const;
  const [from, into] = learnerIds;
  const [groupId, { id: policyId }] = [await createGroup(), await create()];
  await act(`/groups/${groupId}/learners/add`, { learnerIds });
  await act('/policy-assignments', { learnerIds, policyIds: [policyId] });
  await passDay();
  await act(`/groups/${groupId}/learners/remove`, { learnerIds: [from] });
  await act('/policy-reminders', { learnerIds: [from], policyIds: [policyId] });
  await passDay();
  await merged(from, into);
  const { policies, learners } = (await readRows([from, into], dayBefore(2), policyId)) as any;
  expect(policies).toMatchObject([{ learnerId: into, outcome: 'unsigned', remindedAt: null }]);
  expect(learners).toMatchObject([{ id: into, groups: [groupId] }]);
  const { groups } = (await get(`/reports/groups?asOf=${dayBefore(2)}`)).body.data;
  expect(groups.find(({ id }: any) => id === groupId)).toMatchObject({ learnerCount: 1 });
});

test('undoing a merge restores the past days of records that were removed after it', async () => {
  const learnerIds = [await createLearner(), await createLearner()] as const;
  const [from, into] = learnerIds;
  const [groupId, { id: policyId }] = [await createGroup(), await create()];
  await act(`/groups/${groupId}/learners/add`, { learnerIds: [from] });
  await act('/policy-assignments', { learnerIds: [from], policyIds: [policyId] });
  await act('/course-enrollments', { learnerIds: [from], courseIds: [courseId] });
  await passDay();
  const before = await readRows([from, into], dayBefore(1), policyId);
  const { id } = await merged(from, into);
  await passDay();
  await act(`/groups/${groupId}/learners/remove`, { learnerIds: [into] });
  await act('/policy-removals', { learnerIds: [into], policyIds: [policyId] });
  await act('/course-unenrollments', { learnerIds: [into], courseIds: [courseId] });
  await undone(id);
  expect(await readRows([from, into], dayBefore(2), policyId)).toEqual(movedBack(before, 1));
});

test("undoing a merge restores both learners' policy results that ended at the same time", async () => {
  const learnerIds = [await createLearner(), await createLearner()] as const;
  const [from, into] = learnerIds;
  const { id: policyId } = await create();
  await act('/policy-assignments', { learnerIds, policyIds: [policyId] });
  await passDay();
  const before = await readRows([from, into], dayBefore(1), policyId);
  await act('/policy-removals', { learnerIds, policyIds: [policyId] });
  await passDay();
  const { id } = await merged(from, into);
  await undone(id);
  expect(await readRows([from, into], dayBefore(2), policyId)).toEqual(movedBack(before, 1));
});

test('undoing a merge restores a joined attempt, also on the following days', async () => {
  const [from, into] = [await createLearner(), await createLearner()];
  const { id: policyId } = await create();
  const result = (learnerId: string, more: object) => ({
    ...{ learner: { id: learnerId }, course: { id: courseId }, eventId: uniqueId() },
    ...more,
  });
  await act('/course-results', {
    results: [
      result(into, { startedAt: daysAgo(5) }),
      result(from, { startedAt: daysAgo(3), finishedAt: daysAgo(2), score: 90 }),
      result(into, { startedAt: daysAgo(1), finishedAt: daysAgo(1), score: 80 }),
    ],
  });
  await passDay();
  const before = await readRows([from, into], dayBefore(0), policyId);
  const { id } = await merged(from, into);
  await undone(id);
  await passDay();
  expect(await readRows([from, into], dayBefore(1), policyId)).toEqual(movedBack(before, 1));
});

test("undoing a merge removes the duplicate's signature from a result that was requested again", async () => {
  const learnerIds = [await createLearner(), await createLearner()] as const;
  const [from, into] = learnerIds;
  const { id: policyId } = await create();
  await act('/policy-assignments', { learnerIds, policyIds: [policyId] });
  const signature = { learner: { id: from }, policyId, eventId: uniqueId(), signedAt: daysAgo(0), offline: true };
  await act('/policy-signatures', { signatures: [signature] });
  const { id } = await merged(from, into);
  await update(policyId, { action: 'live', name: uniqueId(), major: true, resend: true });
  await undone(id);
  const { body } = await get(`/reports/policy-results?policyId=${policyId}`);
  const signed = new Map(body.data.map((row: any) => [row.learnerId, row.signed]));
  expect([signed.get(from), signed.get(into)]).toEqual([signature.signedAt, null]);
});

const DAY_MS = 86_400_000;

/** Moves the days and times in rows back by the number of days. */
function movedBack(rows: object, days: number): object {
  const text = JSON.stringify(rows).replace(/(?<=")\d{4}-\d\d-\d\d(?="|T)/g, (date) =>
    new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10),
  );
  return JSON.parse(text) as object;
}
