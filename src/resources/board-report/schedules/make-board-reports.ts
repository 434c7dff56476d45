// Board reports by email: the steps from a schedule to its emails.
//
// 1. Every hour, `queue_for_board_reports` queues a job for each company that has a report to create.
// 2. In one transaction for each schedule that is due, the job inserts the report with one delivery for each recipient,
//    and moves the schedule to its next day. A report is unique by schedule and day. If the service was down for
//    several periods, only the latest report is inserted.
// 3. The job draws each report that has not been drawn yet. It stores the file and queues the messages in one
//    transaction.
// 4. The task `send_board_report` sends each message (prepare-board-report.ts).
//
// Guarantees: if a worker dies between two steps, another worker continues from the stored rows, and no report is
// inserted twice. A report that cannot be drawn is retried for two days; then its deliveries are marked as failed. Such
// a report does not hold up others.
//
// A report that an admin requests begins at step 3.
import { v7 as uuidv7 } from 'uuid';
import type { TenantWriter } from '../../../db/tenant.ts';
import { formatDay, findTimeZone } from '../../learners/shared/company-days.ts';
import { drawBoardReport } from '../draw-board-report.ts';
import * as repository from './delivery-repository.ts';
import { findCompanyAddresses } from './company-addresses.ts';
import { findLatestDueOn, findNextDueOn, findPeriodStart, isAllowedAddress, toReportTime } from './schedule-rules.ts';

/**
 * Maximum size of the file, in bytes. Encoded twice in base64, as Microsoft Graph requires, the file stays below
 * Graph's limit of 4 MB.
 */
const MAX_PDF_BYTES = 2 * 1024 * 1024;

export interface MakingOptions {
  /** Domains of free e-mail providers. */
  freeMail: ReadonlySet<string>;
  now?: Date;
}

/**
 * Creates the reports of a company that are due or were requested.
 * @throws the first failure, after creating the other reports
 */
export async function makeBoardReports(
  tenant: TenantWriter,
  { freeMail, now = new Date() }: MakingOptions,
): Promise<void> {
  const timeZone = await findTimeZone(tenant);
  const days = { today: formatDay(toReportTime(now), timeZone), to: formatDay(now, timeZone) };
  await tenant.transaction((tx) => beginDueReports(tx, days, freeMail));
  const failures: unknown[] = [];
  for (const report of await tenant.queryAll(repository.listUndrawn, {}))
    await draw(tenant, report).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function beginDueReports(
  tx: TenantWriter,
  { today, to }: { today: string; to: string },
  freeMail: ReadonlySet<string>,
): Promise<void> {
  for (const schedule of await tx.mutate(repository.lockDueSchedules, { today })) {
    const { boardScheduleId } = schedule;
    const dueOn = findLatestDueOn(schedule, today);
    const report = { reportId: uuidv7(), boardScheduleId, dueOn, from: findPeriodStart(schedule, to), to };
    await tx.mutate(repository.advanceSchedule, { boardScheduleId, nextOn: findNextDueOn(schedule, today) });
    const recipientIds = await findReceivers(tx, boardScheduleId, freeMail);
    if (recipientIds.length === 0 || (await tx.mutate(repository.insertReport, report)).length === 0) continue;
    await tx.mutate(repository.insertDeliveries, { ...report, recipientIds });
    await tx.mutate(repository.removeFormerFiles, report);
  }
}

/** Finds the recipients who have not unsubscribed, and whose e-mail addresses are still allowed. */
async function findReceivers(
  tx: TenantWriter,
  boardScheduleId: string,
  freeMail: ReadonlySet<string>,
): Promise<string[]> {
  const receivers = await tx.queryAll(repository.listReceivers, { boardScheduleId });
  const emails = receivers.map(({ email }) => email);
  const known = await findCompanyAddresses(tx, emails, freeMail);
  return receivers.flatMap(({ id, email }) => (isAllowedAddress(email, known) ? [id] : []));
}

/** @throws {Error} if the file is too large for an email */
async function draw(tenant: TenantWriter, report: repository.UndrawnReport): Promise<void> {
  const { reportId } = report;
  const pdf = await drawBoardReport(tenant, report);
  if (pdf.length > MAX_PDF_BYTES) throw new Error(`The board report has ${pdf.length} bytes, too many for an email`);
  await tenant.transaction(async (tx) => {
    const stored = await tx.mutate(repository.storeFile, { reportId, pdf });
    if (stored.length > 0) await repository.queueReportMessages(tx, reportId);
  });
}
