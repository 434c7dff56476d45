import { type Handler, type Input, SentPdf } from '../../contract/contract.ts';
import { Rows } from '../../db/rows.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { Bulkhead } from '../../limits/bulkhead.ts';
import { runInThread } from '../../limits/run-in-thread.ts';
import { readDueFigures } from '../campaigns/due-repository.ts';
import { readOverdueFigures } from '../campaigns/overdue-repository.ts';
import { findMinGroupSize } from '../company/settings-repository.ts';
import { dayOf, findTimeZone, moveDay } from '../learners/shared/company-days.ts';
import { readDepartments, readGroupReport } from '../reports/read-group-report.ts';
import { listRiskHistory } from '../risk/risk-repository.ts';
import { type BoardFigures, PERIOD_DAYS } from './board-figures.ts';

const PROGRAM = new URL('board-pdf-thread.ts', import.meta.url);
/** Maximum number of days and items in the list of what is due next, which fits on one page. */
const MAX_DUE = 100;
/** Maximum number of departments that are read. */
const MAX_DEPARTMENTS = 1000;

/** Drawing takes seconds of a core, so companies take turns. The queue of threads never holds more than one drawing. */
const drawings = new Bulkhead({ max: 1, maxPerCompany: 1 });

export const getBoardReport: Handler<'getBoardReport'> = async (input, tenant) => {
  const { pdf, to } = await drawInTurn(tenant, input);
  const parts = Rows.of(() => [{ bytes: pdf }].values());
  return new SentPdf(parts, pdf.length, `security-awareness-${to}.pdf`);
};

/** @throws {ApiError} `rate_limited` or `service_unavailable` if the turn of the company does not come in time */
async function drawInTurn(tenant: TenantReader, input: Input<'getBoardReport'>): Promise<{ pdf: Buffer; to: string }> {
  const release = await drawings.acquire(tenant.companyId);
  try {
    const figures = await readBoardFigures(tenant, input);
    return { pdf: Buffer.from(await runInThread<Uint8Array>(PROGRAM, figures)), to: figures.to };
  } finally {
    release();
  }
}

/** Reads the figures of the report, through the reports that the contract has. */
async function readBoardFigures(
  tenant: TenantReader,
  { language = 'en', period = 'quarter' }: Input<'getBoardReport'>,
): Promise<BoardFigures> {
  const to = dayOf(new Date(), await findTimeZone(tenant));
  const days = PERIOD_DAYS[period];
  const from = moveDay(to, 1 - days);
  const endBefore = moveDay(from, -1);
  const before = { from: moveDay(endBefore, 1 - days), to: endBefore, asOf: endBefore };
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
