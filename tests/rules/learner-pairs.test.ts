import type { Rows } from '../../src/db/rows.ts';
import { pairOutcome } from '../../src/resources/learners/learner-pairs.ts';

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

test('every pair is in one of two lists, each in the order of the request', async () => {
  const judge = (learnerId: string, targetId: string) => (learnerId === 'a' && targetId === '1' ? 'odd' : undefined);
  const outcome = pairOutcome(asked, 'courseId', judge, messages);
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

test('a call without a failure is a success', async () => {
  const outcome = pairOutcome(asked, 'policyId', () => undefined, {});
  expect(outcome.success).toBe(true);
  expect((await readAll(outcome.failures)).items).toEqual([]);
  expect((await readAll(outcome.completed)).items[0]).toEqual({ learnerId: 'b', policyId: '2' });
});

test('many pairs come in batches, none twice and none left out', async () => {
  const learnerIds = Array.from({ length: 500 }, (_, n) => `learner ${n}`);
  const targetIds = Array.from({ length: 9 }, (_, n) => `course ${n}`);
  const { completed } = pairOutcome({ learnerIds, targetIds }, 'courseId', () => undefined, {});
  const { items, batches } = await readAll(completed);
  expect(batches).toBeGreaterThan(3);
  expect(new Set(items.map(({ learnerId, courseId }) => learnerId + courseId)).size).toBe(4500);
  expect(items).toHaveLength(4500);
});
