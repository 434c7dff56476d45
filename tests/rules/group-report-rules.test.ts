import { shownFigures } from '../../src/resources/reports/group-report-rules.ts';

const training = { enrollmentCount: 28, startedCount: 20, finishedCount: 18, passedCount: 17 };
const policies = { assignedCount: 14, signedCount: 13 };
const named = { id: '018d7855-b7a0-7000-8400-000000000000', name: 'Engineering' };
const counted = { ...named, learnerCount: 14, averageRiskScore: 50, ...training, ...policies };

describe('the figures of a group', () => {
  test.each([
    [['courses', 'policies'], training, policies],
    [['courses', 'simulations'], training, null],
    [['policies', 'breaches'], null, policies],
    [[], null, null],
  ] as const)('include only the enabled modules: %j', (factors, expectedTraining, expectedPolicies) => {
    expect(shownFigures(counted, factors)).toEqual({
      ...named,
      ...{ learnerCount: 14, averageRiskScore: 50, riskScoreLevel: 'high' },
      ...{ training: expectedTraining, policies: expectedPolicies },
    });
  });

  test.each([
    [null, null],
    [0, 'low'],
    [100, 'critical'],
  ])('rate an average score of %p as %p', (averageRiskScore, riskScoreLevel) => {
    expect(shownFigures({ ...counted, averageRiskScore }, [])).toMatchObject({ averageRiskScore, riskScoreLevel });
  });
});
