import type { Schemas } from '../../../contract/contract.ts';
import type { Html } from '../../../http/html/html.ts';
import { lineChart } from './charts/line-chart.ts';
import type { ApiRequest } from '../../shared/parts/api-calls.ts';
import { figure } from './figure-frame.ts';
import { type OverviewFigure, readFirstRows, run, type Shown } from './figures.ts';
import { riskFigureMessages } from './risk-figure-messages.ts';

const LEVELS = ['low', 'moderate', 'high', 'critical'] as const;

const MAX_DAYS = 90;

type Day = Schemas['RiskScoreHistoryRow'];

/** The company's mean risk score over the last 90 days. */
export const riskFigure: OverviewFigure<{ rows: readonly Day[] }> = {
  title: (language) => riskFigureMessages[language].title,
  async read(reader, child) {
    const { rows } = await run(reader, 'getRiskScoreHistoryReport', child);
    return { rows: (await readFirstRows(rows, MAX_DAYS)).rows };
  },
  show: ({ rows }, shown) => showRisk(rows, shown),
};

function showRisk(rows: readonly Day[], shown: Shown): Html {
  const { language, messages, formats, child } = shown;
  const { title, none, head, caption } = riskFigureMessages[language];
  const call: ApiRequest = { operationId: 'getRiskScoreHistoryReport', query: child };
  if (rows.length === 0) return figure(language, { title, text: none, pictures: null, table: null, call });
  const text = sentence(rows, shown);
  const pictures = lineChart({
    label: text,
    points: rows.map(({ date, averageScore }) => ({ date: new Date(date), value: averageScore })),
    domain: [0, 100],
    ticks: [0, 25, 50, 75, 100],
    value: (value) => formats.number(Math.round(value)),
    day: formats.shortDay,
  });
  const table = {
    caption,
    columns: [...head, ...LEVELS.map((level) => messages.levels[level])],
    rows: rows
      .toReversed()
      .map((row) => [
        formats.day(row.date),
        `${formats.score(row.averageScore)} (${messages.levels[row.level]})`,
        ...[row.learnerCount, row.lowCount, row.moderateCount, row.highCount, row.criticalCount].map(formats.number),
      ]),
  };
  return figure(language, { title, text, pictures, table, call });
}

function sentence(rows: readonly Day[], { language, messages, formats }: Shown): string {
  const { first, change } = riskFigureMessages[language];
  const formatRow = (row: Day) => ({
    day: formats.day(row.date),
    score: formats.score(row.averageScore),
    level: messages.levels[row.level],
  });
  const last = formatRow(rows.at(-1)!);
  if (rows.length === 1) return first(last.day, last.score, last.level);
  return change(formatRow(rows[0]!), last);
}
