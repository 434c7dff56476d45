import { v7 as uuidv7 } from 'uuid';
import { getCallingPerson } from '../../../auth/caller.ts';
import type { Handler } from '../../../contract/contract.ts';
import { ApiError, invalidField } from '../../../contract/errors.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { formatDay, findTimeZone } from '../../learners/shared/company-days.ts';
import { findActiveAdmin } from './active-admin.ts';
import * as deliveries from './delivery-repository.ts';
import { findCompanyAddresses } from './company-addresses.ts';
import * as repository from './schedule-repository.ts';
import { findNextDueOn, findPeriodStart, judgeRecipients, requireSchedulePlace } from './schedule-rules.ts';

/** Maximum number of reports that the admins of a company can request in 24 hours. */
const MAX_REQUESTS = 10;
const DAY_SECONDS = 86_400;

export const listBoardReportSchedules: Handler<'listBoardReportSchedules'> = (_input, tenant) =>
  tenant.stream(repository.listSchedules, {});

export const getBoardReportSchedule: Handler<'getBoardReportSchedule'> = ({ boardScheduleId }, tenant) =>
  repository.getSchedule(tenant, boardScheduleId);

export const deleteBoardReportSchedule: Handler<'deleteBoardReportSchedule'> = async ({ boardScheduleId }, tenant) => {
  await repository.removeSchedule(tenant, boardScheduleId);
  return { id: boardScheduleId };
};

export const listBoardReportDeliveries: Handler<'listBoardReportDeliveries'> = async ({ boardScheduleId }, tenant) => {
  await repository.getSchedule(tenant, boardScheduleId);
  return tenant.stream(deliveries.listDeliveries, { boardScheduleId });
};

/** @param freeMail domains of free e-mail providers */
export function createScheduleHandlers(freeMail: ReadonlySet<string>): {
  createBoardReportSchedule: Handler<'createBoardReportSchedule'>;
  updateBoardReportSchedule: Handler<'updateBoardReportSchedule'>;
} {
  return {
    createBoardReportSchedule: ({ body: { recipients, ...body } }, tenant) => {
      const boardScheduleId = uuidv7();
      return tenant.transaction(async (tx) => {
        requireSchedulePlace(await repository.lockScheduleCount(tx));
        await judge(tx, recipients);
        const columns = { boardScheduleId, isPaused: false, month: 1, ...body };
        await tx.mutate(repository.insertSchedule, { ...columns, nextOn: await findNext(tx, columns) });
        await repository.replaceRecipients(tx, boardScheduleId, recipients);
        return repository.getSchedule(tx, boardScheduleId);
      });
    },

    updateBoardReportSchedule: ({ boardScheduleId, body }, tenant) => {
      const { recipients, paused, ...changes } = body;
      return tenant.transaction(async (tx) => {
        const before = await repository.lockSchedule(tx, boardScheduleId);
        const after = { ...before, ...changes, isPaused: paused ?? before.isPaused };
        const nextOn = haveEqualDays(before, after) ? before.nextOn : await findNext(tx, after);
        await tx.mutate(repository.updateSchedule, { ...after, nextOn });
        if (recipients) {
          await judge(tx, recipients);
          await repository.replaceRecipients(tx, boardScheduleId, recipients);
        }
        return repository.getSchedule(tx, boardScheduleId);
      });
    },
  };

  async function judge(tenant: TenantReader, recipients: readonly { email: string }[]): Promise<void> {
    const emails = recipients.map(({ email }) => email);
    judgeRecipients(recipients, await findCompanyAddresses(tenant, emails, freeMail));
  }
}

export const sendBoardReport: Handler<'sendBoardReport'> = ({ boardScheduleId, body }, tenant, caller) => {
  return tenant.transaction(async (tx) => {
    const schedule = await repository.lockSchedule(tx, boardScheduleId);
    await requireRequestPlace(tx);
    const admin = await findActiveAdmin(tx, body.adminId ?? getCallingPerson(caller)?.id ?? null);
    if (!admin) throw invalidField('body/adminId', 'must be the id of an active admin');
    const to = formatDay(new Date(), await findTimeZone(tx));
    const report = { reportId: uuidv7(), boardScheduleId, dueOn: null, from: findPeriodStart(schedule, to), to };
    await tx.mutate(deliveries.insertReport, report);
    await tx.mutate(deliveries.queueMaking, report);
    return deliveries.insertRequestedDelivery(tx, { ...report, ...admin, deliveryId: uuidv7() });
  });
};

/** @throws {ApiError} `rate_limited` with the time to wait */
async function requireRequestPlace(tenant: TenantWriter): Promise<void> {
  // Makes other requests of the company wait.
  await repository.lockScheduleCount(tenant);
  const oldest = (await deliveries.listRequestAges(tenant))[MAX_REQUESTS - 1];
  if (oldest === undefined) return;
  const seconds = Math.max(1, DAY_SECONDS - oldest);
  const message = `Too many requested reports (${MAX_REQUESTS} in 24 hours); try again in ${seconds} seconds.`;
  throw new ApiError('rate_limited', message, { headers: { 'Retry-After': String(seconds) } });
}

async function findNext(tenant: TenantReader, days: Parameters<typeof findNextDueOn>[0]): Promise<string> {
  return findNextDueOn(days, formatDay(new Date(), await findTimeZone(tenant)));
}

/** Reports whether a change keeps the day of the next report. A resumed schedule gets a new day. */
function haveEqualDays(before: repository.ScheduleColumns, after: repository.ScheduleColumns): boolean {
  const isResumed = before.isPaused && !after.isPaused;
  return !isResumed && (['period', 'day', 'month'] as const).every((name) => before[name] === after[name]);
}
