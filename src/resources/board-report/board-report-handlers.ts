import { type Handler, type Input, SentAttachment } from '../../contract/contract.ts';
import { Rows } from '../../db/rows.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { Bulkhead } from '../../limits/bulkhead.ts';
import { formatDay, findTimeZone, moveDay } from '../learners/shared/company-days.ts';
import { PERIOD_DAYS } from './board-figures.ts';
import { drawBoardReport } from './draw-board-report.ts';

/**
 * Limits drawing, which takes seconds of one core, so companies take turns. The thread queue never holds more than one
 * drawing.
 */
const drawings = new Bulkhead({ max: 1, maxPerCompany: 1 });

export const getBoardReport: Handler<'getBoardReport'> = async (input, tenant) => {
  const { pdf, to } = await drawInTurn(tenant, input);
  const parts = Rows.of(() => [{ bytes: pdf }].values());
  return new SentAttachment(parts, pdf.length, `security-awareness-${to}.pdf`);
};

/** @throws {ApiError} `rate_limited` or `service_unavailable` if the company has to wait too long */
async function drawInTurn(
  tenant: TenantReader,
  { language = 'en', period = 'quarter' }: Input<'getBoardReport'>,
): Promise<{ pdf: Buffer; to: string }> {
  const release = await drawings.acquire(tenant.companyId);
  try {
    const to = formatDay(new Date(), await findTimeZone(tenant));
    const from = moveDay(to, 1 - PERIOD_DAYS[period]);
    return { pdf: await drawBoardReport(tenant, { language, from, to }), to };
  } finally {
    release();
  }
}
