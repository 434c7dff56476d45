import { get, post } from '../../support/client.ts';
import { learner, restoreEnrollments } from '../courses/enrollment-state.ts';
import { at, attemptsOf, enrolledInNothing, on, record } from '../courses/result-state.ts';
import { policyId, versionId } from '../../support/world-policies.ts';
import { learnerMergeId } from '../../support/world-merges.ts';
import { merged, rowsOfLearners, undone } from './merge-state.ts';

afterEach(async () => {
  for (const { id } of (await get('/learner-merges')).body.data) if (id !== learnerMergeId('tenant')) await undone(id);
});
restoreEnrollments();
afterEach(() => testService.query('delete from course_result_events'));

describe('POST /learner-merges', () => {
  test.each([
    [2, 1],
    [1, 2],
    [3, 1],
    [5, 1],
  ] as const)('undoing the merge of learner %i into %i restores every row', async (from, into) => {
    const before = await rowsOfLearners();
    const { id: mergeId } = await merged(learner(from), learner(into));
    expect(await rowsOfLearners()).not.toEqual(before);
    await undone(mergeId);
    expect(await rowsOfLearners()).toEqual(before);
  });

  test('attempts are derived again from the results of both learners, and undoing separates them', async () => {
    const facts = (person: string, results: object[]) =>
      results.map((result, index) => ({ learner: { id: person }, eventId: `${person}-${index}`, ...result }));
    await record(
      ...facts(enrolledInNothing, [{ startedAt: at(3), finishedAt: at(4), score: 90 }, { startedAt: at(9) }]),
    );
    await record(...facts(learner(3), [{ startedAt: at(6), finishedAt: at(7), score: 50 }]));
    const states = async () => [await attemptsOf(enrolledInNothing), await attemptsOf(learner(3))];
    const before = await states();
    const { id: mergeId, moved } = await merged(learner(3), enrolledInNothing, 'Two imports');
    expect(moved).toMatchObject({ courses: 2, courseResults: 1, policies: 1, simulations: 2 });
    expect(await attemptsOf(enrolledInNothing)).toMatchObject([
      { attempt: 1, finishDate: on(4), score: 90 },
      { attempt: 2, finishDate: on(7), score: 50 },
      { attempt: 3, startDate: on(9), finishDate: null },
    ]);
    await undone(mergeId);
    expect(await states()).toEqual(before);
  });

  test('an attempt that got its grade from a result of the duplicate loses it when the merge is undone', async () => {
    await record({ finishedAt: at(4, 7), eventId: 'ungraded' });
    await record({ learner: { id: learner(2) }, finishedAt: at(4, 12), score: 90, eventId: 'graded' });
    const before = [await attemptsOf(), await attemptsOf(learner(2))];
    const { id: mergeId } = await merged(learner(2), enrolledInNothing);
    expect(await attemptsOf()).toMatchObject([{ score: 60 }, { finishDate: on(4), score: 90, grade: 'pass' }]);
    await undone(mergeId);
    expect([await attemptsOf(), await attemptsOf(learner(2))]).toEqual(before);
  });

  test('results that arrive after the merge stay with the remaining learner', async () => {
    const key = { email: 'learner3@tenant.test' };
    const { id: mergeId } = await merged(learner(3), enrolledInNothing);
    await record({ learner: key, startedAt: at(20), finishedAt: at(21), score: 95, eventId: 'by-address' });
    await record({ learner: { id: learner(3) }, finishedAt: at(22), score: 96, eventId: 'by-id' });
    await record({ learner: { externalLearnerId: 'HR-3' }, finishedAt: at(23), score: 97, eventId: 'by-hr-id' });
    expect((await attemptsOf(learner(3))).map(({ score }) => score)).toEqual([95, 96, 97]);
    await undone(mergeId);
    expect((await attemptsOf(enrolledInNothing)).map(({ score }) => score)).toEqual([95, 96, 97]);
    expect(await attemptsOf(learner(3))).toMatchObject([{ enrollDate: '2026-03-02', finishDate: null, attempts: 1 }]);
  });

  test('the latest signature of both learners counts, and undoing keeps a later signature', async () => {
    const [policy, version] = [policyId('tenant', 1), versionId('tenant', 1)];
    const sign = (person: string, eventId: string, day: number) => ({
      signatures: [
        { eventId, learner: { id: person }, policyId: policy, versionId: version, signedAt: at(day), offline: true },
      ],
    });
    const signedOf = async (person: string) =>
      (await get(`/learners/${person}/policy-results?policyId=${policy}`)).body.data[0]?.signed;
    await post('/policy-signatures', sign(learner(2), 'first', 5));
    const before = [await signedOf(learner(1)), await signedOf(learner(2))];
    const { id: first } = await merged(learner(2), learner(1));
    expect(await signedOf(learner(2))).toBe(at(5));
    await undone(first);
    expect([await signedOf(learner(1)), await signedOf(learner(2))]).toEqual(before);
    const { id: second } = await merged(learner(2), learner(1));
    await post('/policy-signatures', sign(learner(2), 'second', 6));
    await undone(second);
    expect([await signedOf(learner(1)), await signedOf(learner(2))]).toEqual([at(6), at(5)]);
  });
});
