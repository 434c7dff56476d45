import type { CronItem, TaskList } from 'graphile-worker';
import type pg from 'pg';
import type { TenantAccess } from '../auth/tenant-access.ts';
import { SEND_MESSAGE } from '../mail/outbox.ts';
import { type Mailing, sendMessage } from '../mail/send-message.ts';
import { recordRisk } from '../resources/learners/record-risk.ts';
import { requestSignatures } from '../resources/policies/request-signatures.ts';

const MESSAGES_KEPT_DAYS = 90;
const REQUEST_SIGNATURES = 'request_signatures';
const RECORD_RISK = 'record_risk';

/** What runs by the clock, in UTC. */
export const schedule: CronItem[] = [
  { task: 'tidy_up', match: '17 3 * * *' },
  // A worker that was off at midnight makes up for it. What was due on days before is due on that day still.
  { task: 'start_day', match: '5 0 * * *', options: { backfillPeriod: 86_400_000 } },
];

/**
 * What the worker does, by the name of the task.
 * @param mailing undefined: messages stay in the queue
 */
export function createTasks(pool: pg.Pool, access: TenantAccess, mailing: Mailing | undefined): TaskList {
  return {
    ...(mailing && {
      [SEND_MESSAGE]: async (payload: unknown, { job }) => {
        const { companyId, messageId } = payload as { companyId: string; messageId: string };
        await sendMessage(access.ofJob(companyId), messageId, job.attempts, mailing);
      },
    }),
    tidy_up: async () => {
      await pool.query('select settle_orphaned_messages(), purge_messages($1), purge_files()', [MESSAGES_KEPT_DAYS]);
    },
    // Each company has jobs of its own, so that one that fails is tried again alone.
    start_day: async () => {
      const day = new Date().toISOString().slice(0, 10);
      await pool.query('select queue_for_companies($1, $3), queue_for_companies($2, $3)', [
        REQUEST_SIGNATURES,
        RECORD_RISK,
        day,
      ]);
    },
    [REQUEST_SIGNATURES]: async (payload: unknown) => {
      const { companyId, day } = payload as { companyId: string; day: string };
      await requestSignatures(access.ofJob(companyId), day);
    },
    [RECORD_RISK]: async (payload: unknown) => {
      const { companyId, day } = payload as { companyId: string; day: string };
      await recordRisk(access.ofJob(companyId), day);
    },
  };
}
