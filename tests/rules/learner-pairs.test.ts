import type { Rows } from '../../src/db/rows.ts';
import type { ApiError } from '../../src/contract/errors.ts';
import { pairOutcome, splitPairs, requireFewPairs } from '../../src/resources/learners/shared/learner-pairs.ts';

async function readAll<T>(rows: Rows<T>): Promise<{ items: T[]; batches: number }> {
  const cursor = await rows.open();
  const items: T[] = [];
  for (let batches = 1; ; batches++) {
    const batch = await cursor.next();
    items.push(...batch.rows);
    if (batch.last) return { items, batches };
  }
}

const messages = { odd: 'This one is odd.' };
const asked = { learnerIds: ['b', 'a'], targetIds: ['2', '1'] };

test('each pair is either completed or failed, in the order of the request', async () => {
  const judge = (learnerId: string, targetId: string) => (learnerId === 'a' && targetId === '1' ? 'odd' : undefined);
  const outcome = pairOutcome(asked, 'courseId', { judge, unchanged: [] }, messages);
  expect(outcome.success).toBe(false);
  expect((await readAll(outcome.completed)).items).toEqual([
    { learnerId: 'b', courseId: '2' },
    { learnerId: 'b', courseId: '1' },
    { learnerId: 'a', courseId: '2' },
  ]);
  expect((await readAll(outcome.failures)).items).toEqual([
    { learnerId: 'a', courseId: '1', code: 'odd', message: 'This one is odd.' },
  ]);
});

test('a call without failures is a success', async () => {
  const outcome = pairOutcome(asked, 'policyId', { judge: () => undefined, unchanged: [] }, {});
  expect(outcome.success).toBe(true);
  expect((await readAll(outcome.failures)).items).toEqual([]);
  expect((await readAll(outcome.completed)).items[0]).toEqual({ learnerId: 'b', policyId: '2' });
});

test('many pairs come in batches, each pair exactly once', async () => {
  const learnerIds = Array.from({ length: 500 }, (_, n) => `learner ${n}`);
  const targetIds = Array.from({ length: 9 }, (_, n) => `course ${n}`);
  const { completed } = pairOutcome(
    { learnerIds, targetIds },
    'courseId',
    { judge: () => undefined, unchanged: [] },
    {},
  );
  const { items, batches } = await readAll(completed);
  expect(batches).toBeGreaterThan(3);
  expect(new Set(items.map(({ learnerId, courseId }) => learnerId + courseId)).size).toBe(4500);
  expect(items).toHaveLength(4500);
});

describe('requireFewPairs', () => {
  const ids = (count: number) => Array.from({ length: count }, String);

  test('accepts 200,000 pairs', () => {
    expect(() => requireFewPairs({ targetIds: ids(20), learnerIds: ids(10_000) }, 'body/courseIds')).not.toThrow();
  });

  test('rejects more pairs with the field name', () => {
    let thrown: unknown;
    try {
      requireFewPairs({ targetIds: ids(21), learnerIds: ids(9524) }, 'body/courseIds');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'invalid_request', details: [{ field: 'body/courseIds' }] });
    expect((thrown as ApiError).message).toContain('200,000');
  });
});

test.each([
  [20, 10_000, 40],
  [10_000, 20, 20],
  [10_000, 1, 1],
  [1, 10_000, 2],
])('%i targets and %i learners become %i parts, with each learner in one part', (targets, learners, parts) => {
  const learnerIds = Array.from({ length: learners }, String);
  const made = splitPairs({ targetIds: Array.from({ length: targets }, String), learnerIds });
  expect(made).toHaveLength(parts);
  expect(made.flatMap((part) => part.learnerIds)).toEqual(learnerIds);
});
