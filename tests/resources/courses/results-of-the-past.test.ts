import { call, expectError, get, post } from '../../support/client.ts';
import { companies, learnerId, managedCourses } from '../../support/world.ts';
import { corrected } from '../corrections/correction-state.ts';
import { restoreEnrollments } from './enrollment-state.ts';
import { at, attemptsOf, bodyOf, enrolledInNothing, on, record } from './result-state.ts';

const { phishing } = managedCourses;

restoreEnrollments();
afterEach(() => testService.query('delete from corrections'));
afterEach(() => testService.query('delete from course_result_events'));

/** Runs with another pass mark of the phishing course, whose own pass mark is 80. */
async function withPassMark(passMark: number, run: () => Promise<void>): Promise<void> {
  await testService.query('update courses set pass_mark = $1 where id = $2', [passMark, phishing]);
  try {
    await run();
  } finally {
    await testService.query('update courses set pass_mark = 80 where id = $1', [phishing]);
  }
}

const grades = async () => (await attemptsOf()).map(({ score, grade }) => [score, grade]);
const listed = async () => {
  const { data } = (await get(`/course-results?learnerId=${enrolledInNothing}&includeVoided=true`)).body;
  return data.map(({ eventId, score, passed, passMark, grade }: Record<string, unknown>) => {
    return [eventId, score, passed, passMark, grade];
  });
};

describe('POST /course-results with a past pass mark or grade', () => {
  test('a stated pass mark grades the score, and a stated grade takes precedence over every pass mark', async () => {
    await record(
      { finishedAt: at(1), score: 65, passMark: 60, eventId: 'e1' },
      { finishedAt: at(2), score: 60, passMark: 60, eventId: 'e2' },
      { finishedAt: at(3), score: 90, passMark: 95.005, eventId: 'e3' },
      { finishedAt: at(4), score: 20, passed: true, eventId: 'e4' },
      { finishedAt: at(5), score: 100, passed: false, eventId: 'e5' },
      { finishedAt: at(6), score: 70, passMark: 70, passed: true, eventId: 'e6' },
      { finishedAt: at(7), score: 80, passMark: null, eventId: 'e7' },
      { finishedAt: at(8), score: 0, passMark: 0, eventId: 'e8' },
    );
    expect(await grades()).toEqual([
      [65, 'pass'],
      [60, 'pass'],
      [90, 'fail'],
      [20, 'pass'],
      [100, 'fail'],
      [70, 'pass'],
      [80, 'pass'],
      [0, 'pass'],
    ]);
    expect(await listed()).toEqual([
      ['e1', 65, null, 60, 'pass'],
      ['e2', 60, null, 60, 'pass'],
      ['e3', 90, null, 95.01, 'fail'],
      ['e4', 20, true, null, 'pass'],
      ['e5', 100, false, null, 'fail'],
      ['e6', 70, true, 70, 'pass'],
      ['e7', 80, null, null, 'pass'],
      ['e8', 0, null, 0, 'pass'],
    ]);
    const path = `/reports/learning?learnerId=${enrolledInNothing}&courseId=${phishing}`;
    expect((await get(path)).body.data.rows).toMatchObject([{ score: 0, grade: 'pass' }]);
  });

  test('a later pass mark changes neither the stated grades nor those that the former pass mark gave', async () => {
    await record(
      { finishedAt: at(1), score: 65, passMark: 60, eventId: 'e1' },
      { finishedAt: at(2), score: 65, eventId: 'e2' },
    );
    const before = await attemptsOf();
    await withPassMark(50, async () => {
      await record({ finishedAt: at(3), score: 65, eventId: 'e3' });
      expect(await grades()).toEqual([
        [65, 'pass'],
        [65, 'fail'],
        [65, 'pass'],
      ]);
      const [first, second] = await attemptsOf();
      expect([first, second]).toEqual(before.map((attempt) => ({ ...attempt, attempts: 3 })));
    });
  });

  test('sending a result again changes nothing, and with another pass mark or grade returns event_id_reused', async () => {
    const result = { finishedAt: at(1), score: 65, passMark: 60, eventId: 'e1' };
    await record(result);
    const before = await attemptsOf();
    const { data } = (await record(result, { ...result, passMark: 61 }, { ...result, passed: true })).body;
    expect(data.completed).toEqual([{ index: 0, eventId: 'e1' }]);
    expect(data.failures.map(({ code }: { code: string }) => code)).toEqual(['event_id_reused', 'event_id_reused']);
    expect(await attemptsOf()).toEqual(before);
    const body = bodyOf([{ ...result, eventId: 'e2', finishedAt: at(2) }]);
    const headers = { 'Idempotency-Key': 'past-1' };
    const [first, second] = [
      await call('tenant', 'POST', '/course-results', { body, headers }),
      await call('tenant', 'POST', '/course-results', { body, headers }),
    ];
    expect(second.body).toEqual(first.body);
    expect(await attemptsOf()).toHaveLength(2);
  });

  test('a contradiction, and a pass mark without a score, fail individually and name the fields', async () => {
    const { body } = await record(
      { finishedAt: at(1), score: 65, passMark: 60, passed: false, eventId: 'e1' },
      { finishedAt: at(1), score: 55, passMark: 60, passed: true, eventId: 'e2' },
      { finishedAt: at(1), passMark: 60, eventId: 'e3' },
      { startedAt: at(1), passMark: 60, eventId: 'e4' },
      { finishedAt: at(2), score: 65, passMark: 60, passed: true, eventId: 'e5' },
    );
    expect(body.data.completed).toEqual([{ index: 4, eventId: 'e5' }]);
    for (const { code, message } of body.data.failures) {
      expect(code).toBe('result_inconsistent');
      expect(message).toContain('`passMark` needs a `score` and must not contradict `passed`');
    }
    expect(await grades()).toEqual([[65, 'pass']]);
  });

  test.each([-1, 100.1, '60', true])('a pass mark of %p returns 400 and names the field', async (passMark) => {
    const { status, body } = await post(
      '/course-results',
      bodyOf([{ finishedAt: at(1), score: 65, passMark: passMark as number, eventId: 'e1' }]),
    );
    expect(status).toBe(400);
    expect(body.error!.details[0]!.field).toBe('body/results/0/passMark');
  });

  test('reporting a finish again with the same grade adds nothing, and with another grade adds an attempt', async () => {
    const finish = { finishedAt: at(1), score: 65 };
    await record({ ...finish, passMark: 60, eventId: 'e1' });
    const before = await attemptsOf();
    await record({ ...finish, passed: true, eventId: 'e2' });
    expect(await attemptsOf()).toEqual(before);
    await record({ ...finish, eventId: 'e3' });
    expect(await grades()).toEqual([
      [65, 'fail'],
      [65, 'pass'],
    ]);
  });

  test('a company records results only of its own learners, and its MSP reads them with companyId', async () => {
    const result = { course: { id: phishing }, learner: { id: learnerId('childA', 4) }, finishedAt: at(1), score: 65 };
    const body = { results: [{ ...result, passMark: 60, eventId: 'e1' }] };
    for (const key of ['tenant', 'msp'] as const) {
      const refused = await call(key, 'POST', '/course-results', { body });
      expect(refused.body.data.failures).toMatchObject([{ index: 0, code: 'learner_not_found' }]);
    }
    expect((await call('childA', 'POST', '/course-results', { body })).body.data.success).toBe(true);
    const { data } = (await call('msp', 'GET', `/course-results?companyId=${companies.childA}`)).body;
    expect(data).toMatchObject([{ eventId: 'e1', score: 65, passMark: 60, grade: 'pass' }]);
    expectError(await call('other', 'GET', `/course-results?companyId=${companies.childA}`), 403, 'forbidden');
  });
});

describe('POST /corrections of past results', () => {
  const corrections = {
    voids: { eventId: 'e1', action: 'void' },
    restores: { eventId: 'e1', action: 'restore' },
  } as const;

  test.each([
    [{ score: 65, passMark: 60 }, 'pass'],
    [{ score: 65, passed: true }, 'pass'],
    [{ score: 90, passed: false }, 'fail'],
    [{ score: 85 }, 'pass'],
  ])('a restored result %j has the grade that it was recorded with: %s', async (content, grade) => {
    await record({ finishedAt: at(1), ...content, eventId: 'e1' });
    const before = await attemptsOf();
    await withPassMark(88, async () => {
      await corrected(corrections.voids);
      expect(await attemptsOf()).toEqual([]);
      await corrected(corrections.restores);
    });
    expect(await attemptsOf()).toEqual(before);
    expect(before).toMatchObject([{ grade }]);
  });

  test.each([
    ['the pass mark of the replaced result grades another score', { score: 62 }, 'pass'],
    ['the pass mark of the replaced result fails a score', { score: 59 }, 'fail'],
    ['the pass mark of the replacement decides', { score: 65, passMark: 70 }, 'fail'],
    ['the grade of the replacement applies to the same score', { score: 65, passed: false }, 'fail'],
    ['the same score keeps its grade', { score: 65 }, 'pass'],
    ['a replacement without a score has its own grade', { passed: false }, 'fail'],
  ])('%s', async (_, content, grade) => {
    await record({ finishedAt: at(1), score: 65, passMark: 60, eventId: 'e1' });
    const [before] = await attemptsOf();
    const replacement = { eventId: 'e2', finishedAt: at(2), ...content };
    const replace = { eventId: 'e1', action: 'replace', replacement } as const;
    expect(await corrected(replace)).toEqual([true]);
    expect(await corrected(replace)).toEqual([false]);
    const { attemptId } = before;
    expect(await attemptsOf()).toMatchObject([{ attemptId, finishDate: on(2), grade, attempts: 1 }]);
  });

  test('a replacement of a replacement has the pass mark of the first result', async () => {
    await record({ finishedAt: at(1), score: 65, passMark: 60, eventId: 'e1' });
    for (const [index, score] of [62, 61].entries()) {
      const replacement = { eventId: `e${index + 2}`, finishedAt: at(1), score };
      await corrected({ eventId: `e${index + 1}`, action: 'replace', replacement });
    }
    expect(await grades()).toEqual([[61, 'pass']]);
  });
});
