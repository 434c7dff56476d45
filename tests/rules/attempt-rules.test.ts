import fc from 'fast-check';
import { deriveAttempts, type Fact } from '../../src/resources/courses/results/attempt-rules.ts';
import {
  anyFact,
  begins,
  end,
  finish,
  finishedOnDay7,
  on,
  openSinceDay5,
  record,
  seen,
  start,
  stored,
} from './attempt-samples.ts';

test.each<[string, Fact[], unknown[][]]>([
  ['a start enrols the learner', [start('s', 3)], [[1, on(3), on(3), null, null]]],
  ['the earlier start wins', [start('s', 4), start('t', 3)], [[1, on(3), on(3), null, null]]],
  ['a finish without a start starts on its day', [finish('f', 5)], [[1, on(5), on(5), on(5), 90]]],
  ['an earlier start begins the attempt', [finish('f', 5), start('s', 3)], [[1, on(3), on(3), on(5), 90]]],
  [
    'a start after a finish begins another attempt',
    [finish('f', 5), start('s', 6)],
    [
      [1, on(5), on(5), on(5), 90],
      [2, on(6), on(6), null, null],
    ],
  ],
  [
    'a later finish is another attempt',
    [finish('f', 5, 60), finish('g', 7)],
    [
      [1, on(5), on(5), on(5), 60],
      [2, on(7), on(7), on(7), 90],
    ],
  ],
  [
    'an earlier finish that arrives late becomes the first attempt',
    [finish('g', 7), finish('f', 5, 60)],
    [
      [1, on(5), on(5), on(5), 60],
      [2, on(7), on(7), on(7), 90],
    ],
  ],
  [
    'the same finish under two event ids is one attempt',
    [finish('f', 5), finish('g', 5, 90, 4)],
    [[1, on(4), on(4), on(5), 90]],
  ],
  ['a finish can lack a grade', [end('f', 5, 9)], [[1, on(5), on(5), on(5), null]]],
  ['a reported pass is a grade', [end('f', 5, 9, true)], [[1, on(5), on(5), on(5), true]]],
  ['a grade completes a finish of the same day', [end('f', 5, 9), finish('g', 5)], [[1, on(5), on(5), on(5), 90]]],
  [
    'an ungraded finish after a grade of the same day changes nothing',
    [end('f', 5, 9, false), end('g', 5, 10)],
    [[1, on(5), on(5), on(5), false]],
  ],
  [
    'an ungraded finish after a new start is another attempt',
    [finish('f', 4), start('s', 5), end('g', 5, 9)],
    [
      [1, on(4), on(4), on(4), 90],
      [2, on(5), on(5), on(5), null],
    ],
  ],
  [
    'a start between two finishes of a day separates them',
    [end('f', 5, 7), end('g', 5, 9), start('s', 5)],
    [
      [1, on(5), on(5), on(5), null],
      [2, on(5), on(5), on(5), null],
    ],
  ],
  [
    'two grades on one day are two attempts',
    [end('f', 5, 9, false), end('g', 5, 11, true), end('h', 5, 10)],
    [
      [1, on(5), on(5), on(5), false],
      [2, on(5), on(5), on(5), true],
    ],
  ],
])('%s', (_case, facts, expected) => {
  expect(seen(record(facts.map((one) => [one])))).toEqual(expected);
});

describe('an open enrolment', () => {
  test('is finished by the first finish on or after its day, and keeps its id', () => {
    const [attempt, ...more] = record([[finish('f', 6)]], [openSinceDay5]);
    expect(seen([attempt!])).toEqual([[1, on(5), on(6), on(6), 90]]);
    expect(attempt!.attemptId).toBe('a');
    expect(more).toEqual([]);
  });

  test('stays open after a finish from before its day', () => {
    const attempts = record([[finish('f', 3)]], [openSinceDay5]);
    expect(seen(attempts)).toEqual([
      [1, on(3), on(3), on(3), 90],
      [2, on(5), null, null, null],
    ]);
    expect(attempts[1]!.attemptId).toBe('a');
  });

  test('is not finished by a finish of the same day that ended the previous attempt', () => {
    const again = stored({ attemptId: 'b', attempt: 2, enrollDate: on(7) });
    expect(seen(record([[start('s', 9)]], [finishedOnDay7, again]))).toEqual([
      [1, on(5), on(6), on(7), 60],
      [2, on(7), on(9), null, null],
    ]);
  });
});

test('an attempt finished by other means is kept, and a later finish is a new attempt', () => {
  expect(seen(record([[finish('f', 7), start('s', 2)], [finish('g', 9)]], [finishedOnDay7]))).toEqual([
    [1, on(5), on(6), on(7), 60],
    [2, on(9), on(9), on(9), 90],
  ]);
});

test('an unenrolled learner is enrolled again only by a new start', () => {
  const facts = [finish('f', 5), start('s', 6)];
  const [first] = record([facts]);
  const late = finish('g', 4);
  expect(deriveAttempts({ stored: [first!], facts: [...facts, late], newIds: new Set(['g']) })).toHaveLength(2);
  const again = start('t', 8);
  const attempts = deriveAttempts({ stored: [first!], facts: [...facts, again], newIds: new Set(['t']) });
  expect(seen(attempts)).toEqual([
    [1, on(5), on(5), on(5), 90],
    [2, on(6), on(6), null, null],
  ]);
});

test('the same facts in any order and any grouping derive the same attempts', () => {
  fc.assert(
    fc.property(
      fc.array(anyFact, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(...begins),
      fc.infiniteStream(fc.nat()),
      (drawn, begin, random) => {
        const facts = drawn.map((create, index) => create(`e${index}`));
        const shuffled = facts
          .map((one) => [random.next().value, one] as const)
          .toSorted((a, b) => a[0] - b[0])
          .map(([, one]) => [one]);
        expect(seen(record(shuffled, begin))).toEqual(seen(record([facts], begin)));
      },
    ),
    { numRuns: 1000 },
  );
});
