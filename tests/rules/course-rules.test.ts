import {
  courseFilter,
  judgeEnrollment,
  judgeReminder,
  judgeRemoval,
} from '../../src/resources/courses/course-rules.ts';

const facts = {
  inactive: new Map([
    ['active', false],
    ['inactive', true],
  ]),
  courseIds: new Set(['open', 'finished', 'new']),
};
const enrolled = { open: new Set(['open']), finished: new Set(['finished']) };
const enrollments = new Map([
  ['active', enrolled],
  ['inactive', enrolled],
]);

describe('enrolling', () => {
  test.each([
    ['active', 'new', undefined],
    ['active', 'open', undefined],
    ['active', 'finished', undefined],
    ['inactive', 'open', 'learner_inactive'],
    ['inactive', 'unknown', 'course_not_found'],
    ['unknown', 'open', 'learner_not_found'],
    ['unknown', 'unknown', 'learner_not_found'],
  ])('%s learner, %s course: %s', (learner, course, code) => {
    expect(judgeEnrollment(facts)(learner, course)).toBe(code);
  });
});

describe('reminding', () => {
  test.each([
    ['active', 'open', undefined],
    ['active', 'finished', 'already_finished'],
    ['active', 'new', 'not_enrolled'],
    ['active', 'unknown', 'course_not_found'],
    ['inactive', 'open', 'learner_inactive'],
    ['unknown', 'open', 'learner_not_found'],
  ])('%s learner, %s course: %s', (learner, course, code) => {
    expect(judgeReminder(facts, enrollments)(learner, course)).toBe(code);
  });

  test('a learner without any enrolment is not enrolled', () => {
    expect(judgeReminder(facts, new Map())('active', 'open')).toBe('not_enrolled');
  });
});

describe('unenrolling', () => {
  const removed = new Map([['inactive', new Set(['new'])]]);
  test.each([
    ['inactive', 'new', undefined],
    ['active', 'new', 'not_enrolled'],
    ['active', 'finished', 'already_finished'],
    ['active', 'unknown', 'course_not_found'],
    ['unknown', 'new', 'learner_not_found'],
  ])('%s learner, %s course: %s', (learner, course, code) => {
    expect(judgeRemoval(facts, removed, enrollments)(learner, course)).toBe(code);
  });
});

describe('the filter of a list', () => {
  test.each([
    [{}, { type: null, source: null }],
    [
      { type: 'all', source: 'all', excludeGapAnalysis: false },
      { type: null, source: null },
    ],
    [
      { type: 'training', source: 'managed' },
      { type: 'training', source: 'managed' },
    ],
    [
      { type: 'gap_analysis', source: 'custom' },
      { type: 'gap_analysis', source: 'custom' },
    ],
    [
      { type: 'gap_analysis', excludeGapAnalysis: false },
      { type: 'gap_analysis', source: null },
    ],
    [{ excludeGapAnalysis: true }, { type: 'training', source: null }],
    [
      { type: 'all', excludeGapAnalysis: true },
      { type: 'training', source: null },
    ],
    [
      { type: 'training', excludeGapAnalysis: true },
      { type: 'training', source: null },
    ],
  ] as const)('%j means %j', (query, filter) => {
    expect(courseFilter(query)).toEqual(filter);
  });

  test('gap analyses only and none of them contradict each other', () => {
    expect(() => courseFilter({ type: 'gap_analysis', excludeGapAnalysis: true })).toThrow(/excludeGapAnalysis/);
  });
});
