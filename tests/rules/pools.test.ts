import type { Question, Step } from '../../src/resources/courses/authored/course.ts';
import { drawSteps } from '../../src/resources/courses/authored/pools.ts';

const stepOf = (id: string, pool: string | null, draw = 3): Step => {
  const answers = ['a', 'b', 'c', 'd'].map((answer) => ({ id: answer, right: answer === 'a' }));
  const question: Question = {
    ...{ key: `question:${id}`, version: '1', id, kind: 'one', subject: null, atLeast: null, scenes: [] },
    answers,
  };
  return { lesson: null, lessonName: null, pool: pool === null ? null : { name: pool, draw }, questions: [question] };
};
const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
const COURSE = [stepOf('before', null), ...numbers.map((number) => stepOf(`q${number}`, 'p')), stepOf('after', null)];
const idsOf = (steps: readonly Step[]) => steps.map(({ questions }) => questions[0]!.id);
const attempts = Array.from(
  { length: 400 },
  (_, index) => `0192a3b4-0000-7000-8000-${String(index).padStart(12, '0')}`,
);

test('an attempt has the drawn number of questions, in place of the pool, always the same', () => {
  for (const attemptId of attempts.slice(0, 20)) {
    const drawn = drawSteps(COURSE, attemptId);
    expect(drawn).toEqual(drawSteps(COURSE, attemptId));
    const ids = idsOf(drawn);
    expect([ids.length, new Set(ids).size, ids[0], ids.at(-1)]).toEqual([5, 5, 'before', 'after']);
    expect(drawn[0]!.questions).toEqual(COURSE[0]!.questions);
    expect(drawn[1]!.questions[0]!.answers.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  }
});

test('across attempts, each question and each position of the correct answer is about equally frequent', () => {
  const count = new Map<string, number>();
  const add = (key: string) => count.set(key, (count.get(key) ?? 0) + 1);
  for (const attemptId of attempts) {
    for (const { questions } of drawSteps(COURSE, attemptId).slice(1, 4)) {
      add(questions[0]!.id);
      add(`right at ${questions[0]!.answers.findIndex(({ right }) => right)}`);
    }
  }
  // Expected: 150 of 400 attempts have a given question, and 300 of 1,200 drawn questions have the correct answer at
  // each position.
  for (const number of numbers) expect(Math.abs(count.get(`q${number}`)! - 150)).toBeLessThan(40);
  for (const place of [0, 1, 2, 3]) expect(Math.abs(count.get(`right at ${place}`)! - 300)).toBeLessThan(60);
});

test('a question that is added to a pool displaces at most one question of an attempt', () => {
  const larger = [...COURSE.slice(0, -1), stepOf('new', 'p'), COURSE.at(-1)!];
  for (const attemptId of attempts.slice(0, 50)) {
    const before = idsOf(drawSteps(COURSE, attemptId));
    const after = idsOf(drawSteps(larger, attemptId));
    expect(before.filter((id) => !after.includes(id)).length).toBeLessThanOrEqual(1);
  }
});
