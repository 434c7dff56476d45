/** @jest-environment node */
import {
  isNewStart,
  mayOpen,
  NO_STATE,
  readResult,
  parseReportedState,
  isImprovement,
} from '../../src/resources/courses/scorm/scorm-runtime-rules.ts';

test.each([
  ['1.2, passed with a score', { status: 'passed', raw: '80' }, { score: 80 }],
  ['1.2, passed without a score', { status: 'passed' }, { passed: true }],
  ['1.2, completed without a score', { status: 'completed' }, {}],
  ['1.2, failed without a score', { status: 'failed' }, { passed: false }],
  ['1.2, failed and suspended', { status: 'failed', raw: '50', exit: 'suspend', location: '3' }, undefined],
  [
    '1.2, failed and suspended without a score',
    { status: 'failed', exit: 'suspend', suspendData: 'page=3' },
    undefined,
  ],
  [
    '1.2, failed and suspended, with nothing to continue',
    { status: 'failed', raw: '50', exit: 'suspend' },
    { score: 50 },
  ],
  [
    '1.2, completed below the pass mark and suspended',
    { status: 'completed', raw: '5', exit: 'suspend', location: '3' },
    undefined,
  ],
  [
    '1.2, completed below the pass mark and suspended, with nothing to continue',
    { status: 'completed', raw: '5', exit: 'suspend' },
    { score: 5 },
  ],
  ['1.2, completed and suspended', { status: 'completed', exit: 'suspend' }, {}],
  ['1.2, passed and suspended', { status: 'passed', raw: '80', exit: 'suspend' }, { score: 80 }],
  ['1.2, failed and left', { status: 'failed', raw: '50', exit: 'logout' }, { score: 50 }],
  ['1.2, on another scale', { status: 'completed', raw: '15', min: '10', max: '20' }, { score: 50 }],
  ['1.2, out of ten points', { status: 'completed', raw: '8', min: '0', max: '10' }, { score: 80 }],
  ['1.2, out of a hundred points', { status: 'failed', raw: '47', max: '100' }, { score: 47 }],
  ['1.2, incomplete', { status: 'incomplete', raw: '80' }, undefined],
  ['1.2, only browsed', { status: 'browsed' }, undefined],
  ['1.2, not attempted', { status: 'not attempted' }, undefined],
  ['no report', {}, undefined],
  ['2004, completed and passed', { status: 'completed', success: 'passed', scaled: '0.855' }, { score: 85.5 }],
  ['2004, completed', { status: 'completed', success: 'unknown' }, {}],
  ['2004, passed before completion', { status: 'incomplete', success: 'passed', scaled: '1' }, { score: 100 }],
  ['2004, failed', { status: 'incomplete', success: 'failed', scaled: '0.2' }, { score: 20 }],
  ['2004, completed and failed, without a score', { status: 'completed', success: 'failed' }, { passed: false }],
  ['2004, a negative score', { success: 'failed', scaled: '-1' }, { score: 0 }],
  ['a score above 100', { status: 'passed', raw: '250' }, { score: 100 }],
  ['a score of zero', { status: 'completed', raw: '0' }, { score: 0 }],
  ['a score with many decimals', { status: 'passed', raw: '66.66666' }, { score: 66.67 }],
  ['a score that ends in a point', { status: 'completed', raw: '66.' }, { score: 66 }],
  ...['many', 'Infinity', '85,5', '100%', ' 70 ', '1e2', '0x64', '', '-', '.'].map((raw): [string, object, object] => [
    `an invalid score: ${JSON.stringify(raw)}`,
    { status: 'passed', raw },
    { passed: true },
  ]),
])('readResult: %s', (_case, told, result) => expect(readResult({ ...NO_STATE, ...told }, 80)).toEqual(result));

test('parseReportedState keeps only known fields, and only text', () => {
  expect(parseReportedState({ location: 'a', isEnded: true, other: 'x' })).toEqual({
    state: { ...NO_STATE, location: 'a' },
    isEnded: true,
    number: null,
    pageTime: 0,
  });
  expect(parseReportedState({ location: 'a', isPartial: true, number: 3, pageTime: 9 })).toEqual({
    state: { location: 'a' },
    isEnded: false,
    number: 3,
    pageTime: 9,
  });
  expect(parseReportedState({ isEnded: 'yes' }).isEnded).toBe(false);
  for (const body of [
    null,
    'x',
    1,
    { location: 1 },
    { raw: 'x'.repeat(21) },
    { number: 0 },
    { number: 1.5 },
    { pageTime: -1 },
  ])
    expect(() => parseReportedState(body)).toThrow();
});

const fresh = { attemptId: 'a', startDate: null, finishDate: null, passed: null, isRetired: false };
const begun = { ...fresh, startDate: '2026-01-01' };
const failed = { ...begun, finishDate: '2026-01-02', passed: false };

test.each([
  ['not enrolled', { ...fresh, attemptId: null }, false, true],
  ['not started', fresh, true, true],
  ['not started, retired course', { ...fresh, isRetired: true }, false, true],
  ['started', begun, true, false],
  ['started, retired course', { ...begun, isRetired: true }, true, false],
  ['failed', failed, true, true],
  ['failed, retired course', { ...failed, isRetired: true }, false, true],
  ['passed', { ...failed, passed: true }, false, true],
])('mayOpen and isNewStart for a learner: %s', (_case, enrolment, may, isNew) => {
  expect([mayOpen(enrolment), isNewStart(enrolment)]).toEqual([may, isNew]);
});

test.each([
  ['a pass after a fail', { passed: true, score: 10 }, { passed: false, score: 90 }, true],
  ['a fail after a pass', { passed: false, score: 90 }, { passed: true, score: 10 }, false],
  ['a higher score', { passed: true, score: 91 }, { passed: true, score: 90 }, true],
  ['the same score', { passed: true, score: 90 }, { passed: true, score: 90 }, false],
  ['a score after a pass without one', { passed: true, score: 0 }, { passed: true, score: null }, true],
  ['a fail after a completion without a grade', { passed: false, score: 40 }, { passed: null, score: null }, false],
  ['a score below the pass mark after a completion', { passed: null, score: 40 }, { passed: null, score: null }, false],
  ['a score above the pass mark after a completion', { passed: null, score: 80 }, { passed: null, score: null }, true],
  ['a completion without a grade after a fail', { passed: null, score: null }, { passed: false, score: 40 }, true],
  ['a second completion without a grade', { passed: null, score: null }, { passed: null, score: null }, false],
])('%s is judged as an improvement or not', (_case, result, recorded, expected) => {
  expect(isImprovement(result as never, recorded, 70)).toBe(expected);
});
