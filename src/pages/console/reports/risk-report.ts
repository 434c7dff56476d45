import type { Schemas } from '../../../contract/contract.ts';
import { figureMessages } from '../overview/figure-messages.ts';
import { readFirstRows, type Listed } from '../overview/figures.ts';
import { describeRisk, drawRisk, LEVELS, listRisk } from '../overview/risk-figure.ts';
import { riskFigureMessages } from '../overview/risk-figure-messages.ts';
import { given, type Report, runFor } from './report.ts';
import type { ReportQuery } from './report-query.ts';
import { reportsMessages } from './reports-messages.ts';

type Day = Schemas['RiskScoreHistoryRow'];

/** Maximum number of days on the page, which is a little more than a year. */
const MAX_DAYS = 400;

const toInput = ({ from, to }: ReportQuery) => given({ from, to });

/** The report on changes in the company's risk. */
export const riskReport: Report = {
  needs: 'getRiskScoreHistoryReport',
  filters: ['from', 'to'],
  call: (query) => ({ operationId: 'getRiskScoreHistoryReport', input: toInput(query) }),
  async read(reader) {
    const { query, formats } = reader;
    const { language } = reader.admin;
    const { noRisk, cut, columns } = reportsMessages[language];
    const { head } = riskFigureMessages[language];
    const { levels } = figureMessages[language];
    const report = await runFor(reader, 'getRiskScoreHistoryReport', toInput(query));
    const { rows, isCut } = await readFirstRows(report.rows as Listed<Day[]>, MAX_DAYS);
    const text = rows.length === 0 ? noRisk : describeRisk(rows, language);
    return {
      text,
      pictures: rows.length > 0 && drawRisk(text, rows, language),
      columns: [head[0], ...[columns.risk, head[2], ...LEVELS.map((level) => levels[level])].map(asNumber)],
      rows: listRisk(rows, language),
      nextCursor: null,
      hint: isCut && cut(formats.number(MAX_DAYS)),
    };
  },
};

const asNumber = (name: string) => ({ name, isNumber: true });
