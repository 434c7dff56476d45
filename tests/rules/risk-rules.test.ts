import { riskScoreLevel } from '../../src/resources/learners/risk-rules.ts';

describe('riskScoreLevel', () => {
  test.each([
    [0, 'low'],
    [24, 'low'],
    [25, 'moderate'],
    [49, 'moderate'],
    [50, 'high'],
    [74, 'high'],
    [75, 'critical'],
    [100, 'critical'],
  ])('of %i is %s', (score, level) => {
    expect(riskScoreLevel(score)).toBe(level);
  });
});
