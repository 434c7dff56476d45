import { learner } from '../courses/enrollment-state.ts';
import { type Enrollment, factsOf, prepareRisk, store } from './risk-state.ts';

prepareRisk('tenant');

const day = '2026-06-30';
const today = '2026-07-01';
const passed = { enrolled: '2026-04-01', finished: '2026-04-02', passed: true };
const completed = { enrolled: '2026-04-01', finished: '2026-04-02', passed: null };
const failed = { enrolled: '2026-04-01', finished: '2026-04-02', passed: false };
const passedLongAgo = { enrolled: '2025-06-30', finished: '2025-06-30', passed: true };
const afterDay = { enrolled: day, finished: today, passed: true };

async function outcomesOf(id: string): Promise<[string, number][]> {
  const { courses } = (await factsOf('tenant', day)).find(({ learnerId }) => learnerId === id)!;
  return Object.entries(courses).filter(([, count]) => count > 0);
}

describe('a retaken course counts once', () => {
  test.each<[string, Enrollment, string]>([
    ['passed after failing', { earlier: [failed], enrolled: day, finished: day, passed: true }, 'passed'],
    ['failed after passing', { earlier: [passed], enrolled: day, finished: day, passed: false }, 'failed'],
    ['retaken after passing, still open', { earlier: [failed, passed], enrolled: '2026-05-31' }, 'passed'],
    ['retaken after failing, still open', { earlier: [passed, failed], enrolled: '2026-05-31' }, 'failed'],
    [
      'finished without a grade after failing',
      { earlier: [failed], enrolled: day, finished: day, passed: null },
      'completed',
    ],
    ['retaken after a finish without a grade', { earlier: [failed, completed], enrolled: '2026-05-31' }, 'completed'],
    ['retaken a year after the result', { earlier: [passedLongAgo], enrolled: '2026-05-31' }, 'open'],
    ['retaken and not finished in 30 days', { earlier: [passed], enrolled: '2026-05-30' }, 'overdue'],
    ['retaken on the day after', { earlier: [failed], enrolled: today }, 'failed'],
    ['retaken and passed only after the day', { earlier: [afterDay], enrolled: today }, 'open'],
    ['passed again 365 days before', { earlier: [passedLongAgo], ...passedLongAgo }, ''],
  ])('%s', async (_case, enrollment, outcome) => {
    await store('tenant', { learnerId: learner(4), enrollments: [enrollment] });
    expect(await outcomesOf(learner(4))).toEqual(outcome === '' ? [] : [[outcome, 1]]);
  });
});

describe('a retired course', () => {
  afterEach(() => testService.query('update courses set retired_at = null'));

  test.each<[string, Enrollment, string, string]>([
    ['does not count while open', { enrolled: '2026-05-01' }, '2026-06-30T23:00:00Z', ''],
    ['counts once it is finished', passed, '2026-04-01T00:00:00Z', 'passed'],
    ['counts the earlier result', { earlier: [failed], enrolled: '2026-05-01' }, '2026-06-01T00:00:00Z', 'failed'],
    [
      'counts like any other until the day on which it is retired',
      { enrolled: '2026-05-01' },
      '2026-07-01T00:00:00Z',
      'overdue',
    ],
  ])('%s', async (_case, enrollment, retiredAt, outcome) => {
    await testService.query('update courses set retired_at = $1', [retiredAt]);
    await store('tenant', { learnerId: learner(4), enrollments: [enrollment] });
    expect(await outcomesOf(learner(4))).toEqual(outcome === '' ? [] : [[outcome, 1]]);
  });
});
