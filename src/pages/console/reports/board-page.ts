import { type Language, LANGUAGES } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { filterBar } from '../../shared/parts/filter-bar.ts';
import { boardReportMessages } from './board-messages.ts';

/** Path of the PDF, relative to the console. */
export const BOARD_PDF_PATH = '/reports/board/pdf';

export const BOARD_PERIODS = ['week', 'month', 'quarter'] as const;

/**
 * Renders the choice of a language and a period, with the button that downloads the report for the board.
 * @param hasSchedules whether the admin can read the schedules of the report
 */
export function boardContent(language: Language, hasSchedules: boolean): Html {
  const { title, about, label, languages, period, periods, download, byMail } = boardReportMessages[language];
  return html`<h2>${title}</h2>
    <p>${about}</p>
    ${filterBar({
      action: `/console${BOARD_PDF_PATH}`,
      label: title,
      filters: [
        { name: 'period', label: period, options: BOARD_PERIODS.map((name) => [name, periods[name]]) },
        { name: 'language', label, options: LANGUAGES.map((name) => [name, languages[name]]) },
      ],
      values: { period: 'quarter', language },
      apply: download,
    })}
    ${hasSchedules && html`<p><a href="/console/reports/board">${byMail}</a></p>`}
    ${apiCalls([{ operationId: 'getBoardReport' }], language)}`;
}
