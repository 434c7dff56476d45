import type { Schemas } from '../../../contract/contract.ts';
import { lineChart } from '../overview/charts/line-chart.ts';
import { figureMessages } from '../overview/figure-messages.ts';
import { readFirstRows, type Listed } from '../overview/figures.ts';
import { riskFigureMessages } from '../overview/risk-figure-messages.ts';
import { given, type Report, runFor } from './report.ts';
import type { ReportQuery } from './report-query.ts';
import { reportsMessages } from './reports-messages.ts';

type Day = Schemas['RiskScoreHistoryRow'];

/** Maximum number of days on the page, which is a little more than a year. */
const MAX_DAYS = 400;
const LEVELS = ['low', 'moderate', 'high', 'critical'] as const;

const toInput = ({ from, to }: ReportQuery) => given({ from, to });

/** The report on changes of the company's risk. */
export const riskReport: Report = {
  needs: 'getRiskScoreHistoryReport',
  filters: ['from', 'to'],
  call: (query) => ({ operationId: 'getRiskScoreHistoryReport', input: toInput(query) }),
  async read(reader) {
    const { admin, query, formats } = reader;
    const { noRisk, cut, columns } = reportsMessages[admin.language];
    const { head, first, change } = riskFigureMessages[admin.language];
    const { levels } = figureMessages[admin.language];
    const report = await runFor(reader, 'getRiskScoreHistoryReport', toInput(query));
    const { rows, isCut } = await readFirstRows(report.rows as Listed<Day[]>, MAX_DAYS);
    const describe = ({ date, averageScore, level }: Day) => ({
      ...{ day: formats.day(date), score: formats.score(averageScore), level: levels[level] },
    });
    const [start, end] = [rows[0], rows.at(-1)];
    const [from, to] = [start && describe(start), end && describe(end)];
    const text = !from || !to ? noRisk : rows.length === 1 ? first(to.day, to.score, to.level) : change(from, to);
    return {
      text,
      pictures:
        rows.length > 0 &&
        lineChart({
          label: text,
          points: rows.map(({ date, averageScore }) => ({ date: new Date(date), value: averageScore })),
          domain: [0, 100],
          ticks: [0, 25, 50, 75, 100],
          value: (value) => formats.number(Math.round(value)),
          day: formats.shortDay,
        }),
      columns: [head[0], ...[columns.risk, head[2], ...LEVELS.map((level) => levels[level])].map(asNumber)],
      rows: rows
        .toReversed()
        .map((row) => [
          formats.day(row.date),
          `${formats.score(row.averageScore)} (${levels[row.level]})`,
          ...[row.learnerCount, row.lowCount, row.moderateCount, row.highCount, row.criticalCount].map(formats.number),
        ]),
      nextCursor: null,
      hint: isCut && cut(formats.number(MAX_DAYS)),
    };
  },
};

const asNumber = (name: string) => ({ name, isNumber: true });
