import type { Request, Response, Router } from 'express';
import { operations, type SentAttachment } from '../../../contract/contract.ts';
import { ApiError, notFound } from '../../../contract/errors.ts';
import { sendList } from '../../../http/response/send-list.ts';
import { sendAttachment } from '../../../http/response/send-attachment.ts';
import { LANGUAGES } from '../../../contract/languages.ts';
import { getAdmin, requireCall, isOffered } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { BOARD_PDF_PATH, BOARD_PERIODS } from './board-page.ts';
import { overduePeople } from './overdue-people.ts';
import { OVERDUE_PEOPLE_PATH } from './overdue-report.ts';
import { type Report, type ReportContent, type ReportName, type ReportReader } from './report.ts';
import { readReportQuery } from './report-query.ts';
import { REPORTS } from './reports.ts';
import { reportsMessages } from './reports-messages.ts';
import { REPORTS_PATH, reportContent, reportsContent } from './reports-page.ts';

const NAMES = Object.keys(REPORTS) as ReportName[];

/**
 * Adds the reports: a page for each question that managers and boards ask. The page shows part of its operation's list;
 * the CSV file streams the whole list. The file of each report defines how the report is read and what it shows.
 */
export function addReportsPages(pages: Router, runs: ConsoleRuns): void {
  pages.get(REPORTS_PATH, (_req, res) => {
    const admin = getAdmin(res);
    const offered = NAMES.filter((name) => isOffered(admin, REPORTS[name].needs));
    if (offered.length === 0) requireCall(admin.caller, 'getPolicyResultsReport');
    const { title } = reportsMessages[admin.language];
    const board = isOffered(admin, 'getBoardReport') && {
      hasSchedules: isOffered(admin, 'listBoardReportSchedules'),
    };
    sendConsolePage(res, { title, content: reportsContent(offered, board, admin.language) });
  });
  pages.get(BOARD_PDF_PATH, (req, res) => sendBoardReport(req, res, runs));
  for (const name of NAMES) {
    const path = `${REPORTS_PATH}/${name}`;
    addReport(pages, runs, { path, report: REPORTS[name], fileName: name, parent: REPORTS_PATH });
  }
  const parent = `${REPORTS_PATH}/overdue`;
  addReport(pages, runs, { path: OVERDUE_PEOPLE_PATH, report: overduePeople, fileName: 'overdue-people', parent });
}

/** Sends the report for the board. A language or period that does not exist counts as missing. */
async function sendBoardReport({ query }: Request, res: Response, runs: ConsoleRuns): Promise<void> {
  const admin = getAdmin(res);
  if (!isOffered(admin, 'getBoardReport')) throw notFound('page');
  const input = {
    language: LANGUAGES.find((name) => name === query.language) ?? admin.language,
    period: BOARD_PERIODS.find((name) => name === query.period) ?? 'quarter',
  };
  const pdf: unknown = await runs.run('getBoardReport', admin.caller, input);
  await sendAttachment(res, pdf as SentAttachment, admin.companyId);
}

interface Place {
  path: string;
  report: Report;
  /** Name of the CSV file without its extension. */
  fileName: string;
  /** Path of the page that leads here. */
  parent: string;
}

function addReport(pages: Router, runs: ConsoleRuns, { path, report, fileName, parent }: Place): void {
  pages.get(path, async (req, res) => {
    const reader = toReader(req, res, runs, report);
    const { language } = reader.admin;
    const content = await readContent(report, reader);
    const { questions, overduePeopleTitle, back, backToOverdue } = reportsMessages[language];
    const isPeople = report === overduePeople;
    sendConsolePage(res, {
      title: isPeople ? overduePeopleTitle : questions[fileName as ReportName],
      content: reportContent({
        ...{ report, path, query: reader.query, language, content },
        back: { href: `/console${parent}`, text: isPeople ? backToOverdue : back },
      }),
      width: 'wide',
      status: content ? 200 : 400,
    });
  });
  pages.get(`${path}/csv`, async (req, res) => {
    const { admin, query } = toReader(req, res, runs, report);
    const { operationId, input } = report.call(query);
    const data = await runs.run(operationId, admin.caller, input as never);
    const list = operations[operationId].list!;
    await sendList(res, data, { type: 'text/csv', hasMark: true, fileName: `${fileName}.csv` }, list);
  });
}

/** @throws {ApiError} `not_found` for a report that the admin cannot read */
function toReader(req: Request, res: Response, runs: ConsoleRuns, { needs }: Report): ReportReader {
  const admin = getAdmin(res);
  if (!isOffered(admin, needs)) throw notFound('page');
  return { runs, admin, query: readReportQuery(req), formats: getFormats(admin.language) };
}

/** Reads a report. Returns undefined if its operation rejects the filters. */
async function readContent(report: Report, reader: ReportReader): Promise<ReportContent | undefined> {
  try {
    return await report.read(reader);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return undefined;
    throw error;
  }
}
