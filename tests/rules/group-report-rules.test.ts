import { shownFigures } from '../../src/resources/reports/groups/group-report-rules.ts';

const training = { enrollmentCount: 28, startedCount: 20, finishedCount: 18, passedCount: 17 };
const policies = { assignedCount: 14, signedCount: 13 };
const messages = { sentCount: 3, visitCount: 1, reportCount: 2 };
const simulations = { sentCount: 3, clickRate: 0.3333, reportRate: 0.6667 };
const named = { id: '018d7855-b7a0-7000-8400-000000000000', name: 'Engineering' };
const counted = { ...named, learnerCount: 14, averageRiskScore: 50, ...training, ...policies, ...messages };

describe('the figures of a group', () => {
  test.each([
    [['courses', 'policies'], { training, policies, simulations: null }],
    [['courses', 'simulations'], { training, policies: null, simulations }],
    [['policies', 'breaches'], { training: null, policies, simulations: null }],
    [[], { training: null, policies: null, simulations: null }],
  ] as const)('include only the enabled modules: %j', (factors, expected) => {
    expect(shownFigures(counted, { factors, hidesMeans: false })).toEqual({
      ...named,
      ...{ learnerCount: 14, averageRiskScore: 50, riskScoreLevel: 'high' },
      ...expected,
    });
  });

  test('hide means and rates over too few people, but no counts', () => {
    expect(shownFigures(counted, { factors: ['courses', 'simulations'], hidesMeans: true })).toEqual({
      ...named,
      ...{ learnerCount: 14, averageRiskScore: null, riskScoreLevel: null, training, policies: null },
      simulations: { sentCount: 3, clickRate: null, reportRate: null },
    });
  });

  test.each([
    [null, null],
    [0, 'low'],
    [100, 'critical'],
  ])('rate an average score of %p as %p', (averageRiskScore, riskScoreLevel) => {
    const figures = shownFigures({ ...counted, averageRiskScore }, { factors: [], hidesMeans: false });
    expect(figures).toMatchObject({ averageRiskScore, riskScoreLevel });
  });
});
