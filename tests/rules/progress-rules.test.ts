import type { Question, Step } from '../../src/resources/courses/authored/course.ts';
import {
  addDone,
  countRight,
  chosenAnswers,
  isDone,
  toPercent,
  placeIn,
  readStep,
} from '../../src/resources/courses/results/progress-rules.ts';

const question = (id: string, kind: 'one' | 'many', rights: string, version = '1'): Question => ({
  ...{ key: `question:${id}`, version, id, kind, subject: null, atLeast: null, scenes: [] },
  answers: ['a', 'b', 'c'].map((answer) => ({ id: answer, right: rights.includes(answer) })),
});
const lesson = (name: string, version = '1'): Step => ({
  ...{ lesson: { key: `lesson:${name}`, version }, lessonName: name, pool: null },
  questions: [],
});
const asking = (...questions: Question[]): Step => ({ lesson: null, lessonName: null, pool: null, questions });
const first = question('first', 'one', 'b');
const signs = question('signs', 'many', 'ab');
const STEPS = [lesson('one'), asking(first), asking(signs)];
const ALL = {
  'lesson:one': { version: '1' },
  'question:first': { version: '1', given: ['b'] },
  'question:signs': { version: '1', given: ['a'] },
};

test('placeIn returns the first step that is not done, even if it changed later', () => {
  expect(placeIn(STEPS, {})).toBe(0);
  expect(placeIn(STEPS, { 'lesson:one': { version: '1' } })).toBe(1);
  expect(placeIn(STEPS, ALL)).toBe(3);
  expect(placeIn([lesson('one', '2'), ...STEPS.slice(1)], ALL)).toBe(0);
});

test('a changed question is unanswered', () => {
  expect(chosenAnswers(first, ALL)).toEqual(['b']);
  expect(chosenAnswers(question('first', 'one', 'a', '2'), ALL)).toBeUndefined();
});

test('the score counts only questions with exactly the correct answers', () => {
  expect(countRight([first, signs], ALL)).toEqual({ right: 1, total: 2 });
  expect(countRight([signs], { 'question:signs': { version: '1', given: ['b', 'a'] } })).toEqual({
    right: 1,
    total: 1,
  });
  expect(countRight([signs], { 'question:signs': { version: '1', given: ['a', 'b', 'c'] } }).right).toBe(0);
  expect(toPercent({ right: 2, total: 3 })).toBe(66.67);
});

test.each<[string, string, object]>([
  ['chosen answers are read', 'first=b&signs=c&signs=a', { first: ['b'], signs: ['a', 'c'], unanswered: [] }],
  [
    'two answers to a single-choice question count as none',
    'first=a&first=b&signs=a',
    { signs: ['a'], unanswered: ['question:first'] },
  ],
  ['an unknown answer counts as none', 'first=b&signs=a&signs=x', { first: ['b'], unanswered: ['question:signs'] }],
  ['an empty form has no answers', '', { unanswered: ['question:first', 'question:signs'] }],
])('%s', (_, form, expected) => {
  const { done, unanswered } = readStep(asking(first, signs), new URLSearchParams(form));
  const given = Object.entries(done).map(([key, part]) => [key.replace('question:', ''), part.given]);
  expect({ ...(Object.fromEntries(given) as object), unanswered }).toEqual(expected);
});

test('the first answer is kept unless the question has changed since', () => {
  const step = asking(first, signs);
  const again = {
    'question:first': { version: '1', given: ['a'] },
    'question:signs': { version: '1', given: ['b'] },
  };
  expect(addDone(step, ALL, again)).toBe(ALL);
  const half = { 'question:first': { version: '1', given: ['b'] } };
  expect(addDone(step, half, again)).toEqual({ ...half, 'question:signs': again['question:signs'] });
  const changed = asking(question('first', 'one', 'b', '2'), signs);
  expect(isDone(changed, ALL)).toBe(false);
  const anew = { 'question:first': { version: '2', given: ['a'] }, 'question:signs': { version: '1', given: ['c'] } };
  expect(addDone(changed, ALL, anew)).toEqual({ ...ALL, 'question:first': anew['question:first'] });
});
