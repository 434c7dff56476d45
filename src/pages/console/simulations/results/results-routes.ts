import type { Request, Response, Router } from 'express';
import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import { emptyState } from '../../../shared/parts/empty-state.ts';
import { pageLinks } from '../../../shared/parts/page-links.ts';
import { dataTable } from '../../../shared/parts/table.ts';
import { canCall, getAdmin, requireCall } from '../../admin.ts';
import { sendConsolePage } from '../../console-page.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import { barChart } from '../../overview/charts/bar-chart.ts';
import { getFormats } from '../../overview/figure-formats.ts';
import { figure } from '../../overview/figure-frame.ts';
import { toSimulationPath } from '../plans/simulation-page.ts';
import { resultsMessages } from './results-messages.ts';

const RESULTS_PATH = '/console/simulations/results';
const REPEAT_PATH = `${RESULTS_PATH}/repeat-clickers`;

/** Adds the pages of results: the trend over a year, and the people who followed links repeatedly. */
export function addResultsPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/simulations/results', async (_req, res) => {
    const { caller, language } = getAdmin(res);
    requireCall(caller, 'getSimulationTrendReport');
    const report = await runs.run('getSimulationTrendReport', caller, {});
    const content = trendContent(report, canCall(caller, 'getRepeatClickersReport'), language);
    sendConsolePage(res, { title: resultsMessages[language].title, content, width: 'wide' });
  });
  pages.get('/simulations/results/repeat-clickers', (req, res) => showRepeatClickers(runs, req, res));
}

/** Renders the trend: reports and the time to the first one before clicks. */
function trendContent(
  { months, simulations }: Schemas['SimulationTrendReport'],
  canSeePeople: boolean,
  language: Language,
): Html {
  const messages = resultsMessages[language];
  const { number, month } = getFormats(language);
  const rate = (share: number | null) => formatRate(share, language);
  const minutes = (value: number | null) => (value === null ? '–' : messages.minutes(number(value)));
  const sent = months.filter(({ sentCount }) => sentCount > 0);
  const [first, ...others] = messages.monthHead;
  const [name, ...counts] = messages.simulationHead;
  const bars = sent.map((one) => ({
    name: month(one.month),
    bars: [
      { color: 1 as const, share: one.adjustedReportRate, text: rate(one.adjustedReportRate) },
      { color: 2 as const, share: one.adjustedVisitRate, text: rate(one.adjustedVisitRate) },
    ],
  }));
  const pictures = html`<ul class="legend">
      <li>${messages.adjustedReported}</li>
      <li class="color-2">${messages.adjustedClicked}</li>
    </ul>
    ${barChart(messages.trend, bars)}`;
  return html`
    <p>${messages.about}</p>
    ${canSeePeople && html`<p><a href=${REPEAT_PATH}>${messages.repeat}</a></p>`}
    ${
      sent.length === 0
        ? emptyState(messages.none)
        : figure(language, {
            ...{ title: messages.trend, text: messages.trendAbout, pictures, isWide: true },
            table: {
              caption: messages.trend,
              columns: [first, ...[...others, messages.adjustedReported, messages.adjustedClicked].map(toNumberColumn)],
              rows: sent.map((one) => [
                ...[month(one.month), number(one.sentCount), rate(one.reportRate), minutes(one.firstReportMinutes)],
                ...[rate(one.visitRate), rate(one.adjustedReportRate), rate(one.adjustedVisitRate)],
              ]),
            },
            call: { operationId: 'getSimulationTrendReport' },
          })
    }
    ${
      simulations.length > 0 &&
      html`<h2>${messages.simulations}</h2>
        ${dataTable({
          caption: messages.simulations,
          columns: [name, ...counts.map(toNumberColumn)],
          rows: simulations.map((one) => [
            html`<a href=${toSimulationPath(one.id)}>${one.name}</a>`,
            ...[number(one.sentCount), rate(one.reportRate), minutes(one.firstReportMinutes), rate(one.visitRate)],
          ]),
        })}`
    }
  `;
}

const toNumberColumn = (name: string) => ({ name, isNumber: true });

function formatRate(share: number | null, language: Language): string {
  if (share === null) return '–';
  const locale = language === 'en' ? 'en-GB' : language;
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share);
}

async function showRepeatClickers(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const messages = resultsMessages[language];
  const { number } = getFormats(language);
  const cursor = typeof req.query.cursor === 'string' ? req.query.cursor : undefined;
  const { items, nextCursor } = await runs.page('getRepeatClickersReport', caller, {}, cursor);
  const [person, ...counts] = messages.repeatHead;
  const content = html`
    <p><a href=${RESULTS_PATH}>${messages.back}</a></p>
    <p>${messages.repeatAbout}</p>
    ${
      items.length === 0
        ? emptyState(messages.repeatNone)
        : dataTable({
            caption: messages.repeat,
            columns: [person, ...counts.map(toNumberColumn)],
            rows: items.map(({ learner, sentCount, visitCount, reportCount }) => [
              html`<bdi>${learner.name}</bdi>`,
              ...[sentCount, visitCount, reportCount].map(number),
            ]),
          })
    }
    ${pageLinks({
      label: messages.repeat,
      first: cursor !== undefined && { href: REPEAT_PATH, text: messages.first },
      next: nextCursor !== null && {
        href: `${REPEAT_PATH}?cursor=${encodeURIComponent(nextCursor)}`,
        text: messages.next,
      },
    })}
    ${apiCalls([{ operationId: 'getRepeatClickersReport' }], language)}
  `;
  sendConsolePage(res, { title: messages.repeat, content, width: 'wide' });
}
