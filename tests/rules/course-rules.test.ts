import { courseFilter, judgeCourseChange, requireOwn } from '../../src/resources/courses/course-rules.ts';

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
  ] as const)('%j becomes %j', (query, filter) => {
    expect(courseFilter(query)).toEqual({ ...filter, includeRetired: false });
  });

  test('includeRetired includes retired courses', () => {
    expect(courseFilter({ includeRetired: true })).toEqual({ type: null, source: null, includeRetired: true });
  });

  test('gap analyses only and excludeGapAnalysis contradict each other', () => {
    expect(() => courseFilter({ type: 'gap_analysis', excludeGapAnalysis: true })).toThrow(/excludeGapAnalysis/);
  });
});

describe('judgeCourseChange', () => {
  const managed = { source: 'managed', retiredAt: null } as const;
  const own = { source: 'custom', retiredAt: null } as const;
  const retired = { source: 'custom', retiredAt: '2026-03-02T08:30:00.000Z' } as const;

  test.each([
    [managed, { autoEnrol: true }],
    [{ ...managed, retiredAt: retired.retiredAt }, { autoEnrol: false }],
    [own, { autoEnrol: true, name: 'Mine', retired: false }],
    [retired, { autoEnrol: false, passMark: 70 }],
    [retired, { autoEnrol: true, retired: false }],
  ])('allows %j to change by %j', (course, changes) => {
    expect(() => judgeCourseChange(course, changes)).not.toThrow();
  });

  test.each([
    [managed, { autoEnrol: true, name: 'Mine', retired: false }, 'forbidden', ['body/name', 'body/retired']],
    [own, { autoEnrol: true, retired: true }, 'invalid_request', ['body/autoEnrol']],
    [retired, { autoEnrol: true }, 'invalid_request', ['body/autoEnrol']],
  ])('rejects %j changing by %j, naming the fields', (course, changes, code, fields) => {
    const details = fields.map((field) => expect.objectContaining({ field }));
    expect(() => judgeCourseChange(course, changes)).toThrow(expect.objectContaining({ code, details }));
  });
});

test('a catalogue course cannot be removed', () => {
  expect(() => requireOwn({ source: 'custom' })).not.toThrow();
  expect(() => requireOwn({ source: 'managed' })).toThrow(expect.objectContaining({ code: 'forbidden', details: [] }));
});
