import type { Language } from '../../contract/languages.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { runInThread } from '../../limits/run-in-thread.ts';
import { readDueFigures } from '../campaigns/due-repository.ts';
import { readOverdueFigures } from '../campaigns/overdue-repository.ts';
import { findMinGroupSize } from '../company/settings-repository.ts';
import { countDays, moveDay } from '../learners/shared/company-days.ts';
import { readDepartments, readGroupReport } from '../reports/groups/read-group-report.ts';
import { listRiskHistory } from '../risk/risk-repository.ts';
import type { BoardFigures } from './board-figures.ts';

const PROGRAM = new URL('board-pdf-thread.ts', import.meta.url);
/** Maximum number of days and items in the list of what is due next. That many fit on one page. */
const MAX_DUE = 100;
/** Maximum number of departments to read. */
const MAX_DEPARTMENTS = 1000;

/** A report to draw: its language, and the first and last day of its period. The last day is today. */
export interface BoardReportRequest {
  language: Language;
  from: string;
  to: string;
}

/** Reads the figures of the report and draws the PDF in a thread. */
export async function drawBoardReport(tenant: TenantReader, request: BoardReportRequest): Promise<Buffer> {
  return Buffer.from(await runInThread<Uint8Array>(PROGRAM, await readBoardFigures(tenant, request)));
}

/** Reads the figures of the report, using the contract's own reports. */
async function readBoardFigures(
  tenant: TenantReader,
  { language, from, to }: BoardReportRequest,
): Promise<BoardFigures> {
  const endBefore = moveDay(from, -1);
  const before = { from: moveDay(endBefore, 1 - countDays(from, to)), to: endBefore, asOf: endBefore };
  const minGroupSize = await findMinGroupSize(tenant);
  return {
    ...{ language, from, to },
    now: (await readGroupReport(tenant, { from, to })).company,
    before: (await readGroupReport(tenant, before)).company,
    departments: await readFirst(await readDepartments(tenant), MAX_DEPARTMENTS),
    risk: await tenant.queryAll(listRiskHistory, { fromDate: from, toDate: to, minGroupSize }),
    overdue: await readFirst(readOverdueFigures(tenant, 'department', null), MAX_DEPARTMENTS),
    due: await readFirst(readDueFigures(tenant, { from: null, to: null, campaignId: null }), MAX_DUE),
  };
}

async function readFirst<T>(rows: Rows<T>, limit: number): Promise<T[]> {
  const { page } = await rows.behind(null, limit);
  return (await page.page(0, limit)).items as T[];
}
