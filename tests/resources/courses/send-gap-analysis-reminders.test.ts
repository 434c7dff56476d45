import { type Answer, fingerprintOf, post } from '../../support/client.ts';
import { type CompanyName, learnerId, managedCourses, unknownId } from '../../support/world.ts';
import { testIdList } from '../id-list-cases.ts';
import { expectNoFailure, expectRefused, forgetNewLearners, insertLearners } from '../tenant-state.ts';
import {
  codesOf,
  enrollmentsOf,
  learner,
  manyLearnerIds,
  message,
  queuedMessages,
  race,
  restoreEnrollments,
  storeEnrollments,
  storeReminder,
  whileQueueIsStuck,
  withoutGapAnalysis,
} from './enrollment-state.ts';

const { phishing, gapAnalysis } = managedCourses;
const path = '/gap-analysis/reminders';
const remind = (learnerIds: unknown, key: CompanyName = 'tenant'): Promise<Answer> => post(path, { learnerIds }, key);
const reminder = (id: string) => message('course_reminder', id, gapAnalysis);

restoreEnrollments();
beforeEach(async () => {
  await storeEnrollments('tenant', [learner(1), learner(5)], [gapAnalysis]);
  await storeEnrollments('tenant', [learner(3)], [gapAnalysis], '2026-05-05');
});
afterEach(forgetNewLearners);

describe('POST /gap-analysis/reminders', () => {
  test('reminds of the gap analysis alone, in the order of the request, whether it has begun or not', async () => {
    const { status, body } = await remind([learner(3), learner(1)]);
    const data = { success: true, completedIds: [learner(3), learner(1)], failures: [] };
    expect({ status, body }).toEqual({ status: 200, body: { data } });
    expect(await queuedMessages()).toEqual([reminder(learner(1)), reminder(learner(3))]);
    const reminded = (await enrollmentsOf(learner(3))).filter(({ remindedAt }) => remindedAt !== null);
    expect(reminded).toMatchObject([{ courseId: gapAnalysis, enrollDate: '2026-05-04', startDate: '2026-05-05' }]);
    expect(Math.abs(Number(reminded[0]!.remindedAt) - Date.now())).toBeLessThan(10_000);
  });

  test('says in the order of the request who has no reminder, and why', async () => {
    const foreign = learnerId('other', 2);
    const { body } = await remind([learner(4), unknownId, learner(2), learner(1), foreign, learner(5)]);
    expect({ ...body.data, failures: codesOf(body.data.failures) }).toEqual({
      success: false,
      completedIds: [learner(1)],
      failures: [
        { learnerId: learner(4), code: 'not_enrolled' },
        { learnerId: unknownId, code: 'learner_not_found' },
        { learnerId: learner(2), code: 'already_finished' },
        { learnerId: foreign, code: 'learner_not_found' },
        { learnerId: learner(5), code: 'learner_inactive' },
      ],
    });
    expect(body.data.failures[0].message).toBe('The learner is not enrolled in the gap analysis.');
    expect(await queuedMessages()).toEqual([reminder(learner(1))]);
  });

  test('a repeated call answers the same and changes and sends nothing more', async () => {
    const { body } = await remind([learner(1), learner(4)]);
    const before = await fingerprintOf('tenant');
    expect((await remind([learner(1), learner(4)])).body).toEqual(body);
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await queuedMessages()).toHaveLength(1);
  });

  test('a reminder counts for an hour', async () => {
    await storeReminder(learner(1), gapAnalysis, '59 minutes 50 seconds');
    await storeReminder(learner(3), gapAnalysis, '60 minutes 1 second');
    const { body } = await remind([learner(1), learner(3)]);
    expect(body.data).toEqual({ success: true, completedIds: [learner(1), learner(3)], failures: [] });
    expect(await queuedMessages()).toEqual([reminder(learner(3))]);
  });

  test('a reminder by way of the courses counts here, and the other way round', async () => {
    await post('/course-reminders', { learnerIds: [learner(1)], courseIds: [gapAnalysis] });
    const { body } = await remind([learner(1), learner(3)]);
    expect(body.data.completedIds).toEqual([learner(1), learner(3)]);
    await post('/course-reminders', { learnerIds: [learner(3)], courseIds: [gapAnalysis, phishing] });
    expect(await queuedMessages()).toHaveLength(3);
    const ofThird = (await queuedMessages()).filter((sent) => sent.learnerId === learner(3));
    expect(ofThird.flatMap((sent) => sent.courseIds).sort()).toEqual([phishing, gapAnalysis]);
  });

  test('an MSP reminds no learner of its child', async () => {
    await storeEnrollments('childA', [learnerId('childA', 1)], [gapAnalysis]);
    const { body } = await remind([learnerId('childA', 1)], 'msp');
    expect(codesOf(body.data.failures).map(({ code }) => code)).toEqual(['learner_not_found']);
    expect(await queuedMessages()).toEqual([]);
  });

  test('nobody counts as reminded when the messages cannot be queued', async () => {
    await whileQueueIsStuck(() => expectRefused(() => remind([learner(1)]), 504, 'service_timeout'));
    expect((await remind([learner(1)])).body.data.success).toBe(true);
    expect(await queuedMessages()).toEqual([reminder(learner(1))]);
  });

  test('without a gap analysis in the catalogue the answer is 404', async () => {
    await withoutGapAnalysis(async () => {
      const { body } = await expectRefused(() => remind([learner(1), unknownId]), 404, 'not_found');
      expect(body.error!.details).toEqual([]);
    });
  });

  testIdList('learnerIds', (learnerIds) => remind(learnerIds));
});

describe('POST /gap-analysis/reminders to very many', () => {
  test('2,000 learners are reminded in one message each, and a repeated call sends nothing more', async () => {
    await insertLearners('directChild', 2_000);
    const { all, active } = manyLearnerIds(2_000);
    await storeEnrollments('directChild', all, [gapAnalysis, phishing]);
    for (let round = 0; round < 2; round += 1) {
      const { body } = await remind(all.toReversed(), 'directChild');
      expect(body.data.completedIds).toEqual(active.toReversed());
      expect(body.data.failures).toHaveLength(all.length - active.length);
    }
    expect(await queuedMessages()).toEqual(active.map(reminder));
  });

  test('ten times at once, by either way and in different orders, sends each learner one message', async () => {
    await insertLearners('tenant', 60);
    const { all, active } = manyLearnerIds(60);
    await storeEnrollments('tenant', all, [gapAnalysis]);
    const requests = Array.from({ length: 10 }, (_, n) => {
      const learnerIds = n % 4 < 2 ? active : active.toReversed();
      return n % 2 ? race(path, { learnerIds }) : race('/course-reminders', { learnerIds, courseIds: [gapAnalysis] });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
    for (const { body } of await Promise.all(requests)) expect(body.data.success).toBe(true);
    expect(await queuedMessages()).toEqual(active.map(reminder));
  });

  test('reminders, unenrolments and bulk deletions in opposite orders end without a 5xx', async () => {
    await insertLearners('tenant', 60);
    const { all } = manyLearnerIds(60);
    await storeEnrollments('tenant', all, [gapAnalysis]);
    const requests = Array.from({ length: 9 }, (_, n) => {
      const learnerIds = n % 2 ? all : all.toReversed();
      return race(n % 3 ? path : '/gap-analysis/unenrollments', { learnerIds });
    });
    requests.push(race('/learners/bulk', { learnerIds: all }, 'DELETE'));
    expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
  });
});
