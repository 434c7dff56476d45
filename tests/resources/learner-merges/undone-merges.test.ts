import { get, post } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import { managedCourses } from '../../support/world.ts';
import { create } from '../policies/policy-state.ts';
import { createLearner, dayBefore, daysAgo, uniqueId, waitPastMidnight } from '../reports/past-state.ts';
import { merged, undone } from './merge-state.ts';

let duplicate: string;
let remaining: string;

beforeEach(async () => {
  await waitPastMidnight();
  [duplicate, remaining] = [await createLearner(), await createLearner()];
});

async function record(learnerId: string, result: object): Promise<void> {
  const course = { id: managedCourses.phishing };
  const results = [{ eventId: uniqueId(), learner: { id: learnerId }, course, ...result }];
  expect((await post('/course-results', { results })).body.data.failures).toEqual([]);
}

async function attemptsOf(learnerId: string): Promise<unknown[]> {
  const { data } = (await get(`/learners/${learnerId}/course-results?attempts=all`)).body;
  return data.map(({ attempt, startDate, finishDate, score }: any) => ({ attempt, startDate, finishDate, score }));
}

test('an undone merge leaves no result of one learner with the other, and later results are numbered as before', async () => {
  await record(duplicate, { finishedAt: '2026-03-08T16:00:00.000Z' });
  await record(duplicate, { startedAt: '2026-03-10T13:00:00.000Z' });
  await record(remaining, { finishedAt: '2026-03-08T18:00:00.000Z', score: 90 });
  const former = [await attemptsOf(duplicate), await attemptsOf(remaining)];
  const { id } = await merged(duplicate, remaining);
  await undone(id);
  expect([await attemptsOf(duplicate), await attemptsOf(remaining)]).toEqual(former);
  await record(duplicate, { finishedAt: '2026-03-09T08:00:00.000Z', score: 60 });
  expect(await attemptsOf(duplicate)).toMatchObject([
    { attempt: 1, finishDate: '2026-03-08', score: null },
    { attempt: 2, finishDate: '2026-03-09', score: 60 },
    { attempt: 3, finishDate: null },
  ]);
});

test.each(['duplicate', 'remaining'])('an undone merge ignores a removed start of the %s learner', async (name) => {
  const courseIds = [managedCourses.phishing];
  const learnerIds = [name === 'duplicate' ? duplicate : remaining];
  await record(learnerIds[0]!, { startedAt: '2026-03-08T16:00:00.000Z' });
  await post('/course-unenrollments', { learnerIds, courseIds });
  await post('/course-enrollments', { learnerIds: [remaining], courseIds });
  await record(duplicate, { startedAt: '2026-03-09T16:00:00.000Z' });
  const former = await attemptsOf(remaining);
  const { id } = await merged(duplicate, remaining);
  expect(await attemptsOf(remaining)).toMatchObject([{ startDate: '2026-03-08' }]);
  await undone(id);
  expect(await attemptsOf(remaining)).toEqual(former);
});

test.each([
  { ofDuplicate: ['finish'], ofRemaining: ['enrol'] },
  { ofDuplicate: ['enrol'], ofRemaining: ['finish'] },
  { ofDuplicate: ['finish', 'enrol'], ofRemaining: [] },
  { ofDuplicate: ['finish', 'enrol'], ofRemaining: ['enrol'] },
  { ofDuplicate: ['enrol'], ofRemaining: ['finish', 'enrol'] },
])(
  'an enrolment that was removed after the merge returns to neither learner: %j',
  async ({ ofDuplicate, ofRemaining }) => {
    const courseIds = [managedCourses.phishing];
    const live = async (learnerId: string, steps: string[]) => {
      for (const step of steps) {
        if (step === 'finish') await record(learnerId, { finishedAt: '2026-03-08T16:00:00.000Z', score: 90 });
        else await post('/course-enrollments', { learnerIds: [learnerId], courseIds });
      }
    };
    await live(duplicate, ofDuplicate);
    await live(remaining, ofRemaining);
    const { id } = await merged(duplicate, remaining);
    expect(await attemptsOf(remaining)).toHaveLength(2);
    const { body } = await post('/course-unenrollments', { learnerIds: [remaining], courseIds });
    expect(body.data.removed).toHaveLength(1);
    await undone(id);
    const finished = (steps: string[]) => (steps.includes('finish') ? [expect.objectContaining({ score: 90 })] : []);
    expect([await attemptsOf(duplicate), await attemptsOf(remaining)]).toEqual(
      [ofDuplicate, ofRemaining].map(finished),
    );
  },
);

test.each([false, true])(
  'a signature that was voided after the merge stays voided (reminded: %s)',
  async (isReminded) => {
    const policyId: string = (await create()).id;
    await post('/policy-assignments', { learnerIds: [duplicate, remaining], policyIds: [policyId] });
    const eventIds = [uniqueId(), uniqueId()];
    for (const [index, id] of [remaining, duplicate].entries()) {
      const signature = { learner: { id }, policyId, eventId: eventIds[index], signedAt: daysAgo(0), offline: true };
      expect((await post('/policy-signatures', { signatures: [signature] })).body.data.success).toBe(true);
    }
    const { id } = await merged(duplicate, remaining);
    const correction = { kind: 'policy_signature', eventId: eventIds[0], action: 'void', reason: 'Another person' };
    expect((await post('/corrections', { corrections: [correction] })).body.data.success).toBe(true);
    if (isReminded) await post('/policy-reminders', { learnerIds: [remaining], policyIds: [policyId] });
    await undone(id);
    const { results } = (await get(`/policies/${policyId}?outcome=all`)).body.data;
    const signed = results.map(({ learner, signed: time }: any) => [learner.id, time !== null]);
    expect(Object.fromEntries(signed)).toEqual({ [duplicate]: true, [remaining]: false });
  },
);

describe('a membership that the remaining learner began after the merge', () => {
  let groupId: string;
  const change = (action: 'add' | 'remove', id: string) =>
    post(`/groups/${groupId}/learners/${action}`, { learnerIds: [id] });

  beforeEach(async () => {
    groupId = (await post('/groups', { name: uniqueId(), managerIds: [] })).body.data.id;
    await change('add', duplicate);
  });

  test('lasts when the merge is undone', async () => {
    const { id } = await merged(duplicate, remaining);
    await change('remove', remaining);
    await passDay();
    await change('add', remaining);
    await undone(id);
    expect((await get(`/groups/${groupId}`)).body.data.learnerIds).toEqual([remaining]);
  });

  test('stays in reports of past days when the merge is undone', async () => {
    await passDay();
    const { id } = await merged(duplicate, remaining);
    await change('remove', remaining);
    await passDay();
    await change('add', remaining);
    await passDay();
    await change('remove', remaining);
    await undone(id);
    const past = `asOf=${dayBefore(1)}&knownAt=${dayBefore(1)}&includeInactive=true`;
    const { learners } = (await get(`/reports/course-participation?${past}`)).body.data;
    expect(learners.find((learner: any) => learner.id === remaining).groups).toEqual([groupId]);
  });
});
