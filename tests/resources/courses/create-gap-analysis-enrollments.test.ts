import { type Answer, fingerprintOf, post } from '../../support/client.ts';
import { type CompanyName, learnerId, managedCourses, unknownId } from '../../support/world.ts';
import { numbered, testIdList } from '../id-list-cases.ts';
import {
  expectNoFailure,
  expectRefused,
  forgetNewLearners,
  insertLearners,
  meanwhile,
  whileSlow,
} from '../tenant-state.ts';
import {
  codesOf,
  coursesOf,
  enrollmentsOf,
  learner,
  manyLearnerIds,
  message,
  queuedMessages,
  race,
  restoreEnrollments,
  whileQueueIsStuck,
  withoutGapAnalysis,
} from './enrollment-state.ts';

const { phishing, gapAnalysis } = managedCourses;
const path = '/gap-analysis/enrollments';
const enroll = (learnerIds: unknown, key: CompanyName = 'tenant'): Promise<Answer> => post(path, { learnerIds }, key);
const invitation = (id: string) => message('course_enrollment', id, gapAnalysis);

restoreEnrollments();
afterEach(forgetNewLearners);

describe('POST /gap-analysis/enrollments', () => {
  test('enrols learners in the gap analysis from today on, in the order of the request', async () => {
    const days = [new Date().toISOString().slice(0, 10)];
    const { status, body } = await enroll([learner(4), learner(1)]);
    days.push(new Date().toISOString().slice(0, 10));
    const data = { success: true, completedIds: [learner(4), learner(1)], failures: [] };
    expect({ status, body }).toEqual({ status: 200, body: { data } });
    const [enrollment, ...others] = await enrollmentsOf(learner(4));
    expect(others).toEqual([]);
    expect(days).toContain(enrollment!.enrollDate);
    expect(enrollment).toMatchObject({ courseId: gapAnalysis, startDate: null, finishDate: null, remindedAt: null });
    expect(await queuedMessages()).toEqual([invitation(learner(1)), invitation(learner(4))]);
  });

  test('says in the order of the request who could not be enrolled, and why', async () => {
    const foreign = learnerId('other', 4);
    const { status, body } = await enroll([unknownId, learner(5), learner(3), foreign, gapAnalysis, learner(4)]);
    expect(status).toBe(200);
    expect({ ...body.data, failures: codesOf(body.data.failures) }).toEqual({
      success: false,
      completedIds: [learner(3), learner(4)],
      failures: [
        { learnerId: unknownId, code: 'learner_not_found' },
        { learnerId: learner(5), code: 'learner_inactive' },
        { learnerId: foreign, code: 'learner_not_found' },
        { learnerId: gapAnalysis, code: 'learner_not_found' },
      ],
    });
    expect(body.data.failures[1].message).toBe('The learner is inactive.');
    expect(await coursesOf(learner(5))).toEqual([phishing]);
    expect(await queuedMessages()).toEqual([invitation(learner(3)), invitation(learner(4))]);
  });

  test('who has finished keeps the result, counts as completed and is sent nothing', async () => {
    const before = await fingerprintOf('tenant');
    const { body } = await enroll([learner(2)]);
    expect(body.data).toEqual({ success: true, completedIds: [learner(2)], failures: [] });
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await queuedMessages()).toEqual([]);
  });

  test('a repeated call, or one by way of the courses, answers the same and changes and sends nothing more', async () => {
    const { body } = await enroll([learner(4), learner(5)]);
    const before = await fingerprintOf('tenant');
    expect((await enroll([learner(4), learner(5)])).body).toEqual(body);
    await post('/course-enrollments', { learnerIds: [learner(4)], courseIds: [gapAnalysis] });
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await queuedMessages()).toHaveLength(1);
  });

  test('an MSP enrols no learner of its child', async () => {
    const { body } = await enroll([learnerId('childA', 4), learnerId('msp', 4)], 'msp');
    expect(body.data.completedIds).toEqual([learnerId('msp', 4)]);
    expect(await coursesOf(learnerId('childA', 4))).toEqual([]);
  });

  test('nobody is enrolled when the messages cannot be queued', async () => {
    await whileQueueIsStuck(() => expectRefused(() => enroll([learner(4)]), 504, 'service_timeout'));
    expect((await enroll([learner(4)])).body.data.success).toBe(true);
    expect(await queuedMessages()).toEqual([invitation(learner(4))]);
  });

  test('without a gap analysis in the catalogue the answer is 404, and other courses go on', async () => {
    await withoutGapAnalysis(async () => {
      const ids = [learner(4), unknownId];
      const { body } = await expectRefused(() => enroll(ids), 404, 'not_found');
      expect(body.error!.details).toEqual([]);
      await expectRefused(() => enroll([unknownId]), 404, 'not_found');
      const courses = await post('/course-enrollments', {
        learnerIds: [learner(4)],
        courseIds: [gapAnalysis, phishing],
      });
      expect(courses.body.data).toMatchObject({
        completed: [{ courseId: phishing }],
        failures: [{ courseId: gapAnalysis }],
      });
    });
  });

  testIdList('learnerIds', (learnerIds) => enroll(learnerIds));
});

describe('POST /gap-analysis/enrollments with very many learners', () => {
  test('10,000 unknown learners fail one by one, in their order', async () => {
    const ids = Array.from({ length: 10_000 }, (_, n) => numbered(10_000 - n));
    const { body } = await enroll(ids);
    expect(body.data.completedIds).toEqual([]);
    expect(body.data.failures.map((failure: { learnerId: string }) => failure.learnerId)).toEqual(ids);
  });

  test('2,000 learners are enrolled, and a repeated call sends nothing more', async () => {
    await insertLearners('directChild', 2_000);
    const { all, active } = manyLearnerIds(2_000);
    for (let round = 0; round < 2; round += 1) {
      const { body } = await enroll(all.toReversed(), 'directChild');
      expect(body.data.completedIds).toEqual(active.toReversed());
      expect(body.data.failures).toHaveLength(all.length - active.length);
    }
    expect(await queuedMessages()).toEqual(active.map(invitation));
  });
});

describe('POST /gap-analysis/enrollments at the same time', () => {
  const { all, active } = manyLearnerIds(60);
  beforeEach(() => insertLearners('tenant', 60));

  test('ten times the same, by either way and in different orders, sends each learner one message', async () => {
    const requests = Array.from({ length: 10 }, (_, n) => {
      const learnerIds = n % 4 < 2 ? active : active.toReversed();
      return n % 2 ? race(path, { learnerIds }) : race('/course-enrollments', { learnerIds, courseIds: [gapAnalysis] });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
    for (const { body } of await Promise.all(requests)) expect(body.data.success).toBe(true);
    expect(await queuedMessages()).toEqual(active.map(invitation));
  });

  test('a learner who is deleted at that moment is no 5xx, and nothing of them is left', async () => {
    await whileSlow('insert', 'enrollments', async () => {
      const requests = [race(path, { learnerIds: [active[0], learner(4)] })];
      await meanwhile();
      requests.push(race(`/learners/${active[0]}`, undefined, 'DELETE'));
      expect(await expectNoFailure(requests)).toEqual({ 200: 2 });
    });
    expect(await coursesOf(active[0]!)).toEqual([]);
    expect(await coursesOf(learner(4))).toEqual([gapAnalysis]);
  });

  test('enrolments, deactivations and bulk deletions in opposite orders end without a 5xx', async () => {
    const requests = [1, 2, 3].map(() => race(path, { learnerIds: all.toReversed() }));
    requests.push(race('/learners/deactivate', { learnerIds: all }));
    requests.push(race('/learners/bulk', { learnerIds: all }, 'DELETE'));
    expect(await expectNoFailure(requests)).toEqual({ 200: 5 });
  });
});
