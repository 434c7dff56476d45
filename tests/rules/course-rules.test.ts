import { courseFilter } from '../../src/resources/courses/course-rules.ts';

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
