import fc from 'fast-check';
import { learner, race, restoreEnrollments } from './enrollment-state.ts';
import { at, attemptsOf, bodyOf, record, type Result } from './result-state.ts';

restoreEnrollments();
afterEach(() => testService.query('delete from course_result_events'));

test('the same results yield the same record in any order and any number of calls', async () => {
  const drawn = fc.record({
    day: fc.integer({ min: 2, max: 9 }),
    score: fc.constantFrom(undefined, 60, 90),
    isBegun: fc.boolean(),
    who: fc.constantFrom(2, 3, 4),
  });
  const all = async () => {
    const lists = await Promise.all([2, 3, 4].map((who) => attemptsOf(learner(who as 2))));
    return lists.flat().map(({ attemptId: _id, ...rest }) => rest);
  };
  const [world] = await testService.query('select json_agg(e)::text as rows from enrollments as e');
  const forget = async () => {
    for (const table of ['course_result_events', 'enrollment_attempts', 'enrollments']) {
      await testService.query(`delete from ${table}`);
    }
    const restore = 'insert into enrollments select * from json_populate_recordset(null::enrollments, $1)';
    await testService.query(restore, [world!.rows]);
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawn, { minLength: 2, maxLength: 7 }),
      fc.infiniteStream(fc.nat()),
      async (results, random) => {
        const events: Result[] = results.map(({ day, score, isBegun, who }, index) => ({
          ...(score === undefined ? { startedAt: at(day) } : { finishedAt: at(day, 12), score }),
          ...(isBegun && { startedAt: at(day - 1) }),
          ...{ eventId: `p${index}`, learner: { id: learner(who as 2) } },
        }));
        await record(...events);
        const together = await all();
        await forget();
        const shuffled = events
          .map((one) => [random.next().value as number, one] as const)
          .toSorted((a, b) => a[0] - b[0]);
        for (const [, one] of shuffled) expect((await record(one)).body.data.success).toBe(true);
        expect(await all()).toEqual(together);
        await forget();
      },
    ),
    { numRuns: 10 },
  );
});

test('simultaneous calls that reuse event ids for two learners record each result once', async () => {
  const results = (who: 3 | 4, ids: string[]) =>
    race(
      '/course-results',
      bodyOf(
        ids.map((eventId, day) => ({
          ...{ eventId, score: 90 },
          finishedAt: at(day + 1),
          learner: { id: learner(who) },
        })),
      ),
    );
  const ids = ['e0', 'e1', 'e2', 'e3', 'e4', 'e5'];
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => results(n % 2 ? 3 : 4, ids)));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  const both = [await attemptsOf(learner(3)), await attemptsOf(learner(4))];
  const finished = both.map((list) => list.filter(({ finishDate }) => finishDate !== null));
  expect(finished.map(({ length }) => length).toSorted()).toEqual([0, 6]);
});

test('a learner has at most 1,000 results of a course', async () => {
  const finishes = Array.from({ length: 1001 }, (_, index) => ({
    ...{ eventId: `n${index}`, score: 90 },
    finishedAt: new Date(Date.parse(at(1)) + index * 60_000).toISOString(),
  }));
  const { body } = await record(...finishes);
  expect(body.data.completed).toHaveLength(1000);
  expect(body.data.failures).toMatchObject([{ index: 1000, code: 'too_many_results' }]);
  expect((await record(finishes[1000]!)).body.data.failures).toMatchObject([{ code: 'too_many_results' }]);
  expect(await attemptsOf()).toHaveLength(1000);
});
