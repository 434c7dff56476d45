import { listTrendMonths, toTrendMonths } from '../../src/resources/reports/simulations/simulation-trend-rules.ts';

const cell = (
  month: string,
  difficulty: number | null,
  [sentCount, visitCount, reportCount]: readonly [number, number, number],
) => {
  return { month, difficulty, sentCount, visitCount, reportCount };
};

test('the last month is the current one in UTC', () => {
  const months = listTrendMonths(new Date('2026-02-28T23:59:59Z'));
  expect([months.length, months[0], months.at(-1)]).toEqual([12, '2025-03', '2026-02']);
});

test('people who act the same at each difficulty get the same adjusted rate in easy and in hard months', () => {
  const cells = [
    ...[cell('2026-01', 1, [100, 5, 50]), cell('2026-01', 5, [0, 0, 0])],
    ...[cell('2026-02', 1, [50, 2.5, 25]), cell('2026-02', 5, [50, 15, 10])],
    cell('2026-03', 5, [100, 30, 20]),
  ];
  const months = toTrendMonths(['2026-01', '2026-02', '2026-03'], cells, []);
  expect(months.map(({ visitRate }) => visitRate)).toEqual([0.05, 0.175, 0.3]);
  expect(months.map(({ adjustedVisitRate }) => adjustedVisitRate)).toEqual([0.175, 0.175, 0.175]);
  expect(new Set(months.map(({ adjustedReportRate }) => adjustedReportRate)).size).toBe(1);
});

test('half as many clicks at the same difficulty halve the adjusted rate', () => {
  const cells = [cell('2026-01', 3, [100, 20, 0]), cell('2026-02', 3, [100, 10, 0])];
  expect(toTrendMonths(['2026-01', '2026-02'], cells, []).map(({ adjustedVisitRate }) => adjustedVisitRate)).toEqual([
    0.2, 0.1,
  ]);
});

test('a month without messages has no rates, and a year without clicks no adjusted rate', () => {
  const [empty, quiet] = toTrendMonths(['2026-01', '2026-02'], [cell('2026-02', null, [10, 0, 1])], []);
  expect(empty).toMatchObject({ sentCount: 0, visitRate: null, adjustedVisitRate: null, firstReportMinutes: null });
  expect(quiet).toMatchObject({ visitRate: 0, adjustedVisitRate: null, reportRate: 0.1, adjustedReportRate: 0.1 });
});

test('the time to the first report of a month is the median of its simulations with a report', () => {
  const simulation = (firstSentAt: string, firstReportMinutes: number | null) => {
    const counts = { sentCount: 1, reportCount: 1, visitCount: 0, reportRate: 1, visitRate: 0 };
    return { id: '', name: '', firstSentAt, firstReportMinutes, ...counts };
  };
  const simulations = [
    ...[
      simulation('2026-01-05T00:00:00Z', 4),
      simulation('2026-01-06T00:00:00Z', 9),
      simulation('2026-01-07T00:00:00Z', null),
    ],
    simulation('2026-02-01T00:00:00Z', 1),
  ];
  expect(toTrendMonths(['2026-01', '2026-02'], [], simulations).map((one) => one.firstReportMinutes)).toEqual([6.5, 1]);
});
