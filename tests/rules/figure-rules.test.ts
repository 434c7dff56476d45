import type { Schemas } from '../../src/contract/contract.ts';
import { breachesByMonth } from '../../src/pages/console/breaches/breach-figure-rules.ts';
import { DRAWN_GROUPS, largestGroups } from '../../src/pages/console/overview/group-figure.ts';
import { newestSimulations } from '../../src/pages/console/simulations/simulation-figure.ts';
import { getFormats } from '../../src/pages/console/overview/figure-formats.ts';

const today = new Date('2026-03-31T23:30:00Z');
const service = (breachDate: string | null, accountCount: number, name = 'A service') =>
  ({ breachDate, accountCount, name }) as Schemas['BreachedService'];

describe('breaches by month', () => {
  test('there is one row for each of the last 24 months, this one included, also at the end of a long month', () => {
    const { months } = breachesByMonth([], today);
    expect(months).toHaveLength(24);
    expect([months[0]!.month, months[11]!.month, months.at(-1)!.month]).toEqual(['2024-04', '2025-03', '2026-03']);
  });

  test('accounts count in the month of the breach; older and undated ones apart', () => {
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

describe('what is drawn', () => {
  test('the largest groups, the largest first, and no more than fit', () => {
    const groups = Array.from({ length: 30 }, (_, index) => ({ learnerCount: (index * 7) % 30 }));
    const drawn = largestGroups(groups).map(({ learnerCount }) => learnerCount);
    expect(drawn).toEqual(Array.from({ length: DRAWN_GROUPS }, (_, index) => 29 - index));
  });

  test('the newest simulations that have sent anything', () => {
    const simulations = (['2026-01-01', '2026-03-01', '2026-02-01'] as const).map((createdAt, sentCount) => {
      return { createdAt, sentCount } as Schemas['SimulationListItem'];
    });
    expect(newestSimulations(simulations).map(({ createdAt }) => createdAt)).toEqual(['2026-03-01', '2026-02-01']);
  });
});

describe('a share', () => {
  test.each([
    [1, 3, '33%'],
    [999, 1000, '99%'],
    [1000, 1000, '100%'],
    [29, 100, '29%'],
    [0, 5, '0%'],
  ])('of %d in %d is %s: all is said of nothing that has one left', (part, whole, text) => {
    expect(getFormats('en').percent(part, whole)).toBe(text);
  });
});
