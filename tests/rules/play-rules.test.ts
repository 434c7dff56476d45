/** @jest-environment node */
import { isNewStart, mayOpen, NO_STATE, readTold, scoreOf } from '../../src/resources/courses/play-rules.ts';

test.each([
  ['1.2, passed with a score', { status: 'passed', raw: '80' }, 80],
  ['1.2, passed without one', { status: 'passed' }, 100],
  ['1.2, completed without one', { status: 'completed' }, 100],
  ['1.2, failed without one', { status: 'failed' }, 0],
  ['1.2, of other points', { status: 'completed', raw: '15', min: '10', max: '20' }, 50],
  ['1.2, going on', { status: 'incomplete', raw: '80' }, undefined],
  ['1.2, only looked at', { status: 'browsed' }, undefined],
  ['1.2, not begun', { status: 'not attempted' }, undefined],
  ['nothing told', {}, undefined],
  ['2004, completed and passed', { status: 'completed', success: 'passed', scaled: '0.855' }, 85.5],
  ['2004, completed', { status: 'completed', success: 'unknown' }, 100],
  ['2004, passed before its end', { status: 'incomplete', success: 'passed', scaled: '1' }, 100],
  ['2004, failed', { status: 'incomplete', success: 'failed', scaled: '0.2' }, 20],
  ['2004, completed and failed, without a score', { status: 'completed', success: 'failed' }, 0],
  ['2004, below nothing', { success: 'failed', scaled: '-1' }, 0],
  ['a score above all', { status: 'passed', raw: '250' }, 100],
  ['a score that is no number', { status: 'passed', raw: 'many' }, 100],
  ['a score without end', { status: 'passed', raw: 'Infinity' }, 100],
  ['a score with many digits', { status: 'passed', raw: '66.66666' }, 66.67],
])('the score of %s', (_case, told, score) => expect(scoreOf({ ...NO_STATE, ...told })).toBe(score));

test('only what is known is kept, and only as text', () => {
  expect(readTold({ location: 'a', isEnded: true, other: 'x' })).toEqual({
    state: { ...NO_STATE, location: 'a' },
    isEnded: true,
  });
  expect(readTold({ isEnded: 'yes' }).isEnded).toBe(false);
  for (const body of [null, 'x', 1, { location: 1 }, { raw: 'x'.repeat(21) }]) expect(() => readTold(body)).toThrow();
});

const fresh = { attemptId: 'a', startDate: null, finishDate: null, passed: null, isRetired: false };
const begun = { ...fresh, startDate: '2026-01-01' };
const failed = { ...begun, finishDate: '2026-01-02', passed: false };

test.each([
  ['who is not enrolled', { ...fresh, attemptId: null }, false, true],
  ['who has not begun', fresh, true, true],
  ['who has not begun what is retired', { ...fresh, isRetired: true }, false, true],
  ['who has begun', begun, true, false],
  ['who has begun what is retired', { ...begun, isRetired: true }, true, false],
  ['who has failed', failed, true, true],
  ['who has failed what is retired', { ...failed, isRetired: true }, false, true],
  ['who has passed', { ...failed, passed: true }, false, true],
])('%s may open it, or not', (_case, enrolment, may, isNew) => {
  expect([mayOpen(enrolment), isNewStart(enrolment)]).toEqual([may, isNew]);
});
