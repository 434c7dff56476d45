import type { Schemas } from '../../src/contract/contract.ts';
import { breachesByMonth } from '../../src/pages/console/breaches/breach-figure-rules.ts';
import { DRAWN_GROUPS, largestGroups } from '../../src/pages/console/overview/group-figure.ts';
import { newestSimulations } from '../../src/pages/console/simulations/simulation-figure.ts';
import { getFormats } from '../../src/pages/console/overview/figure-formats.ts';

const today = new Date('2026-03-31T23:30:00Z');
const service = (breachDate: string | null, accountCount: number, name = 'A service') =>
  ({ breachDate, accountCount, name }) as Schemas['BreachedService'];

describe('breaches by month', () => {
  test('has 24 rows up to the current month, even at the end of a long month', () => {
    const { months } = breachesByMonth([], today);
    expect(months).toHaveLength(24);
    expect([months[0]!.month, months[11]!.month, months.at(-1)!.month]).toEqual(['2024-04', '2025-03', '2026-03']);
  });

  test('counts accounts in the month of their breach, and earlier and undated ones separately', () => {
    const services = [
      ...[service('2026-03-31', 1, 'One'), service('2026-03-01', 2, 'Two'), service('2024-04-01', 4)],
      ...[service('2024-03-31', 8), service('2019-01-01', 16), service(null, 32)],
    ];
    const { months, earlierCount, undatedCount } = breachesByMonth(services, today);
    expect(months.at(-1)).toEqual({ month: '2026-03', services: ['One', 'Two'], accountCount: 3 });
    expect(months[0]).toMatchObject({ month: '2024-04', accountCount: 4 });
    expect({ earlierCount, undatedCount }).toEqual({ earlierCount: 24, undatedCount: 32 });
  });
});

describe('drawn figures', () => {
  test('show the largest groups in descending order, up to the limit', () => {
    const groups = Array.from({ length: 30 }, (_, index) => ({ learnerCount: (index * 7) % 30 }));
    const drawn = largestGroups(groups).map(({ learnerCount }) => learnerCount);
    expect(drawn).toEqual(Array.from({ length: DRAWN_GROUPS }, (_, index) => 29 - index));
  });

  test('show the newest simulations with at least one sent message', () => {
    const simulations = (['2026-01-01', '2026-03-01', '2026-02-01'] as const).map((createdAt, sentCount) => {
      return { createdAt, sentCount } as Schemas['SimulationListItem'];
    });
    expect(newestSimulations(simulations).map(({ createdAt }) => createdAt)).toEqual(['2026-03-01', '2026-02-01']);
  });
});

describe('a percentage', () => {
  test.each([
    [1, 3, '33%'],
    [999, 1000, '99%'],
    [1000, 1000, '100%'],
    [29, 100, '29%'],
    [0, 5, '0%'],
  ])('of %d in %d is %s, rounded down', (part, whole, text) => {
    expect(getFormats('en').percent(part, whole)).toBe(text);
  });
});
