import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import type { Html } from '../../../http/html/html.ts';
import { lineChart } from './charts/line-chart.ts';
import type { ApiRequest } from '../../shared/parts/api-calls.ts';
import { getFormats } from './figure-formats.ts';
import { figure } from './figure-frame.ts';
import { figureMessages } from './figure-messages.ts';
import { type OverviewFigure, readFirstRows, run, type Shown } from './figures.ts';
import { riskFigureMessages } from './risk-figure-messages.ts';

/** The levels of risk, in the order of the columns. */
export const LEVELS = ['low', 'moderate', 'high', 'critical'] as const;

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

function showRisk(rows: readonly Day[], { language, child }: Shown): Html {
  const { title, none, head, caption } = riskFigureMessages[language];
  const call: ApiRequest = { operationId: 'getRiskScoreHistoryReport', query: child };
  if (rows.length === 0) return figure(language, { title, text: none, pictures: null, table: null, call });
  const text = describeRisk(rows, language);
  const columns = [...head, ...LEVELS.map((level) => figureMessages[language].levels[level])];
  const table = { caption, columns, rows: listRisk(rows, language) };
  return figure(language, { title, text, pictures: drawRisk(text, rows, language), table, call });
}

/** Describes in a sentence how the mean risk score has changed. There must be at least one day. */
export function describeRisk(rows: readonly Day[], language: Language): string {
  const { first, change } = riskFigureMessages[language];
  const { day, score } = getFormats(language);
  const formatRow = ({ date, averageScore, level }: Day) => {
    return { day: day(date), score: score(averageScore), level: figureMessages[language].levels[level] };
  };
  const last = formatRow(rows.at(-1)!);
  if (rows.length === 1) return first(last.day, last.score, last.level);
  return change(formatRow(rows[0]!), last);
}

/** Draws the mean risk score of each day. */
export function drawRisk(label: string, rows: readonly Day[], language: Language): Html {
  const { number, shortDay } = getFormats(language);
  return lineChart({
    label,
    points: rows.map(({ date, averageScore }) => ({ date: new Date(date), value: averageScore })),
    domain: [0, 100],
    ticks: [0, 25, 50, 75, 100],
    value: (value) => number(Math.round(value)),
    day: shortDay,
  });
}

/** Lists the days as rows of a table, latest first: the mean score, the learners, and those at each level. */
export function listRisk(rows: readonly Day[], language: Language): string[][] {
  const { day, score, number } = getFormats(language);
  return rows
    .toReversed()
    .map((row) => [
      day(row.date),
      `${score(row.averageScore)} (${figureMessages[language].levels[row.level]})`,
      ...[row.learnerCount, row.lowCount, row.moderateCount, row.highCount, row.criticalCount].map(number),
    ]);
}
