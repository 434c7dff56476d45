import type { CronItem, TaskList } from 'graphile-worker';
import type pg from 'pg';
import type { TenantAccess } from '../auth/tenant-access.ts';
import { SEND_MESSAGE } from '../mail/outbox.ts';
import { type Mailing, sendMessage } from '../mail/send-message.ts';

const MESSAGES_KEPT_DAYS = 90;

/** What runs by the clock, in UTC. */
export const schedule: CronItem[] = [{ task: 'purge_messages', match: '17 3 * * *' }];

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
    purge_messages: async () => {
      await pool.query('select purge_messages($1)', [MESSAGES_KEPT_DAYS]);
    },
  };
}
