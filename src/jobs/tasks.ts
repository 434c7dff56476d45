import type { CronItem, Task } from 'graphile-worker';
import type pg from 'pg';
import type { TenantAccess } from '../auth/tenant-access.ts';
import type { BreachFeed } from '../breach-feed/breach-feed.ts';
import type { TenantReader } from '../db/tenant.ts';
import { ApiError } from '../errors.ts';
import { CHANGES_KEPT_DAYS } from '../events/changes-rules.ts';
import { EVENTS_KEPT_DAYS } from '../events/event-log.ts';
import { SEND_MESSAGE } from '../mail/outbox.ts';
import { type Mailing, sendMessage } from '../mail/send-message.ts';
import { findWatchedDomains } from '../resources/breaches/breach-repository.ts';
import { tellExpiringKeys } from '../resources/api-keys/tell-expiring-keys.ts';
import { tellLeakedKeys } from '../resources/api-keys/tell-leaked-keys.ts';
import { purgeRemovedUsers, REMOVED_USERS_KEPT_DAYS } from '../resources/directory/purge-removed-users.ts';
import { recordRisk } from '../resources/risk/record-risk.ts';
import { requestSignatures } from '../resources/policies/request-signatures.ts';
import { tellFailingWebhooks } from '../resources/webhook-endpoints/tell-failing-webhooks.ts';
import { NIL } from 'uuid';
import type { TaskName } from './task-names.ts';

const MESSAGES_KEPT_DAYS = 90;
const WEBHOOK_TRIES_KEPT_DAYS = 7;
const MESSAGES_AT_ONCE = 5000;
const REQUEST_SIGNATURES = 'request_signatures';
const RECORD_RISK = 'record_risk';
const TELL_EXPIRING_KEYS = 'tell_expiring_keys';
const TELL_FAILING_WEBHOOKS = 'tell_failing_webhooks';
const PURGE_REMOVED_USERS = 'purge_removed_users';

/** The timed tasks, in UTC. */
export const schedule: CronItem[] = [
  { task: 'tidy_up', match: '17 3 * * *' },
  // A worker that was off at midnight runs the task later. What became due on earlier days is still due then.
  { task: 'start_day', match: '5 0 * * *', options: { backfillPeriod: 86_400_000 } },
  { task: 'watch_webhooks', match: '*/10 * * * *' },
];

/** The task that hands mails over, by its name. */
export function createMailTasks(access: TenantAccess, mailing: Mailing): Partial<Record<TaskName, Task>> {
  return {
    [SEND_MESSAGE]: async (payload: unknown, { job }) => {
      const { companyId, messageId } = payload as { companyId: string; messageId: string };
      await sendMessage(access.ofJob(companyId), messageId, job.attempts, mailing);
    },
  };
}

export interface TaskServices {
  pool: pg.Pool;
  access: TenantAccess;
  breachFeed: BreachFeed;
  /** How long signatures stay after their learner or their policy was deleted. */
  evidenceKeptDays: number;
}

/** All other tasks of the worker, by name. */
export function createTasks(services: TaskServices): Partial<Record<TaskName, Task>> {
  const { pool, access, breachFeed, evidenceKeptDays } = services;
  return {
    tidy_up: async () => {
      // One transaction for each: together they would hold their rows longer, and Citus refuses some of them together.
      await pool.query('select settle_orphaned_messages()');
      await purgeMessages(pool);
      await pool.query('select sweep_mail_log()');
      await pool.query('select purge_files()');
      await pool.query('select purge_changes($1)', [CHANGES_KEPT_DAYS + 1]);
      await pool.query('select sweep_oauth()');
      await pool.query('select note_webhook_readers()');
      await endSignatures(pool, evidenceKeptDays);
      await endWebhookTries(pool);
      await endIdempotencyKeys(pool);
      // Last: they give up where they would have to wait for a lock, and the job is tried again.
      await pool.query('select turn_audit_log()');
      await keepEventDays(pool);
    },
    // Each company has its own job, so that one failure does not repeat the work of the others.
    start_day: async () => {
      const day = new Date().toISOString().slice(0, 10);
      await pool.query('select queue_for_companies($1, $3), queue_for_companies($2, $3)', [
        REQUEST_SIGNATURES,
        RECORD_RISK,
        day,
      ]);
      await pool.query('select queue_for_expiring_keys($1, $2)', [TELL_EXPIRING_KEYS, day]);
      const removed = [PURGE_REMOVED_USERS, day, REMOVED_USERS_KEPT_DAYS];
      await pool.query('select queue_for_removed_users($1, $2, $3)', removed);
    },
    [REQUEST_SIGNATURES]: async (payload: unknown) => {
      const { companyId, day } = payload as { companyId: string; day: string };
      await requestSignatures(access.ofJob(companyId), day);
    },
    [RECORD_RISK]: async (payload: unknown) => {
      const { companyId, day } = payload as { companyId: string; day: string };
      const tenant = access.ofJob(companyId);
      await refreshWatchedDomains(tenant, breachFeed);
      await recordRisk(tenant, day);
    },
    [TELL_EXPIRING_KEYS]: async (payload: unknown) => {
      const { companyId } = payload as { companyId: string };
      await tellExpiringKeys(access.ofJob(companyId));
    },
    tell_leaked_keys: async (payload: unknown) => {
      const { companyId, keyIds } = payload as { companyId: string; keyIds: string[] };
      await tellLeakedKeys(access.ofJob(companyId), keyIds);
    },
    watch_webhooks: async () => {
      await pool.query('select queue_for_failing_webhooks($1)', [TELL_FAILING_WEBHOOKS]);
    },
    [TELL_FAILING_WEBHOOKS]: async (payload: unknown) => {
      const { companyId } = payload as { companyId: string };
      await tellFailingWebhooks(access.ofJob(companyId));
    },
    [PURGE_REMOVED_USERS]: async (payload: unknown) => {
      const { companyId } = payload as { companyId: string };
      await purgeRemovedUsers(access.ofJob(companyId));
    },
  };
}

/** Deletes those that were settled long ago, in short transactions. */
async function purgeMessages(pool: pg.Pool): Promise<void> {
  for (let isMore: boolean | undefined = true; isMore;) {
    const { rows } = await pool.query<{ isMore: boolean }>('select purge_messages($1, $2) as "isMore"', [
      MESSAGES_KEPT_DAYS,
      MESSAGES_AT_ONCE,
    ]);
    isMore = rows[0]!.isMore;
  }
}

/** Ends those of who is gone. Each call looks at some thousands: all together pass the time-out of a statement. */
async function endSignatures(pool: pg.Pool, keptDays: number): Promise<void> {
  for (let after: string[] | null = []; after;) {
    const { rows }: pg.QueryResult<{ last: string[] | null }> = await pool.query(
      'select purge_signatures($1, $2) as last',
      [keptDays, after],
    );
    after = rows[0]!.last;
  }
}

/** An endpoint at a time, and some thousands of its tries. */
async function endWebhookTries(pool: pg.Pool): Promise<void> {
  for (let after: string[] | null = [NIL, NIL]; after;) {
    const { rows }: pg.QueryResult<{ last: string[] | null }> = await pool.query(
      'select purge_webhook_tries($1, $2) as last',
      [WEBHOOK_TRIES_KEPT_DAYS, after],
    );
    after = rows[0]!.last;
  }
}

/** Ends those of yesterday, a thousand in a call. */
async function endIdempotencyKeys(pool: pg.Pool): Promise<void> {
  for (let company: string | null = NIL; company;) {
    const { rows }: pg.QueryResult<{ last: string | null }> = await pool.query(
      'select purge_idempotency_keys($1) as last',
      [company],
    );
    company = rows[0]!.last;
  }
}

/** Makes the partitions of the next days and ends what is older than events are kept, in short transactions. */
async function keepEventDays(pool: pg.Pool): Promise<void> {
  for (let isMore: boolean | undefined = true; isMore;) {
    const { rows } = await pool.query<{ isMore: boolean }>('select keep_event_days($1) as "isMore"', [
      EVENTS_KEPT_DAYS + 1,
    ]);
    isMore = rows[0]!.isMore;
  }
}

/** A failed refresh is fine: we score with the cached answer. The feed has logged why it failed. */
async function refreshWatchedDomains(tenant: TenantReader, feed: BreachFeed): Promise<void> {
  const domains = await findWatchedDomains(tenant);
  if (domains.length === 0) return;
  await feed.refresh(domains).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}
