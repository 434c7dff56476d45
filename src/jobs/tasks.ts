import type { CronItem, JobHelpers, Task } from 'graphile-worker';
import type pg from 'pg';
import { NIL } from 'uuid';
import type { TenantAccess } from '../auth/tenant-access.ts';
import { MAKE_BOARD_REPORTS, SEND_BOARD_REPORT } from '../resources/board-report/schedules/delivery-repository.ts';
import { makeBoardReports } from '../resources/board-report/schedules/make-board-reports.ts';
import type { BreachFeed } from '../resources/breaches/feed/breach-feed.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { CHANGES_KEPT_DAYS } from '../resources/events/log/changes-rules.ts';
import { EVENTS_KEPT_DAYS } from '../resources/events/log/event-log.ts';
import { queueNewNetworkNotice, SEND_MESSAGE } from '../mail/outbox/outbox.ts';
import { queueSignInMessage } from '../mail/outbox/sign-in-messages.ts';
import { NOTIFY_NEW_NETWORK } from '../identity/sign-in-log.ts';
import { type LinkRequests, SEND_SIGN_IN_LINKS } from '../identity/sign-in-links.ts';
import type { Mailing } from '../mail/sending/send-message.ts';
import { refreshBeforeScoring } from '../resources/breaches/watched-domains.ts';
import { notifyExpiringKeys } from '../resources/api-keys/notify-expiring-keys.ts';
import { notifyLeakedKeys } from '../resources/api-keys/notify-leaked-keys.ts';
import { purgeRemovedUsers, REMOVED_USERS_KEPT_DAYS } from '../resources/directory/purge-removed-users.ts';
import { countCompanyFigures } from '../resources/reports/companies/count-company-figures.ts';
import { recordRisk } from '../resources/risk/record-risk.ts';
import { notifyExpiringCertificates } from '../resources/identity-providers/notify-expiring-certificates.ts';
import { requestSignatures } from '../resources/policies/signatures/request-signatures.ts';
import { reportFailingWebhooks } from '../resources/webhooks/delivery/report-failing-webhooks.ts';
import { type BatchedJob, JobBatches } from './job-batches.ts';
import type { TaskName } from './task-names.ts';

const MESSAGES_KEPT_DAYS = 90;
const WEBHOOK_TRIES_KEPT_DAYS = 7;
const BOUNCES_KEPT_DAYS = 365;
/** Number of days without a bounce after which the address of a `bouncing` learner is deliverable again. */
const BOUNCING_DAYS = 14;
const MESSAGES_AT_ONCE = 5000;
/** Maximum number of board reports in a batch. Memory holds all of them, with files of up to 2 MiB each. */
const MAX_BOARD_REPORTS = 10;
const REQUEST_SIGNATURES = 'request_signatures';
const RECORD_RISK = 'record_risk';
const NOTIFY_EXPIRING_KEYS = 'notify_expiring_keys';
const NOTIFY_EXPIRING_CERTIFICATES = 'notify_expiring_certificates';
const NOTIFY_FAILING_WEBHOOKS = 'notify_failing_webhooks';
const PURGE_REMOVED_USERS = 'purge_removed_users';

/** Schedule of the timed tasks, in UTC. */
export const schedule: CronItem[] = [
  { task: 'tidy_up', match: '17 3 * * *' },
  // A worker that was not running at this time runs the task later, within a day. Work from earlier days is still due
  // then.
  { task: 'start_day', match: '5 0 * * *', options: { backfillPeriod: 86_400_000 } },
  { task: 'watch_webhooks', match: '*/10 * * * *' },
  // Runs hourly, because morning comes at a different time in each time zone.
  { task: 'queue_board_reports', match: '10 * * * *' },
];

/**
 * Creates the task that sends messages, under the given name. Each job takes further jobs from the queue and runs them
 * as a batch.
 */
export function createMailTasks<Context>(
  { pool, access }: Pick<TaskServices, 'pool' | 'access'>,
  mailing: Mailing<Context>,
  task: TaskName = SEND_MESSAGE,
): Partial<Record<TaskName, Task>> {
  const batches = new JobBatches(pool, task === SEND_BOARD_REPORT ? MAX_BOARD_REPORTS : undefined);
  const send = async (jobs: readonly BatchedJob[], signal: AbortSignal) => {
    const messages = jobs.map(({ id: jobId, payload, attempts: attempt }) => {
      return { ...(payload as { companyId: string; messageId: string }), jobId, attempt };
    });
    const { outcomes, hasServerFailed } = await mailing.sendMessages(access, messages, signal);
    return { outcomes, shouldSlowDown: hasServerFailed };
  };
  return {
    [task]: (_: unknown, { job, abortSignal }: JobHelpers) => batches.run(job, (jobs) => send(jobs, abortSignal)),
  };
}

export interface TaskServices {
  pool: pg.Pool;
  access: TenantAccess;
  breachFeed: BreachFeed;
  /** Domains of free e-mail providers. */
  freeMail: ReadonlySet<string>;
  /** Number of days for which signatures are kept after their learner or policy is deleted. */
  signatureRetentionDays: number;
}

/** Creates the worker's tasks by name, except those that `createMailTasks` creates. */
export function createTasks(services: TaskServices): Partial<Record<TaskName, Task>> {
  const { pool, access, breachFeed, freeMail, signatureRetentionDays } = services;
  return {
    tidy_up: () =>
      // One transaction per step: a single transaction would hold its locks longer, and Citus rejects some
      // combinations.
      eachInTurn([
        () => pool.query('select settle_orphaned_messages()'),
        () => inParts(pool, 'purge_messages($1, $2)', () => [MESSAGES_KEPT_DAYS, MESSAGES_AT_ONCE]),
        () => pool.query('select sweep_mail_log()'),
        () => inParts(pool, 'purge_mail_bounces($1, $2)', () => [BOUNCES_KEPT_DAYS, MESSAGES_AT_ONCE]),
        () => inParts(pool, 'settle_bouncing_addresses($1, $2)', () => [BOUNCING_DAYS, MESSAGES_AT_ONCE]),
        () => pool.query('select purge_files()'),
        () => pool.query('select purge_packages()'),
        () => inParts(pool, 'purge_sync_index($1, $2)', (company = NIL) => [CHANGES_KEPT_DAYS + 1, company]),
        () => pool.query('select sweep_oauth()'),
        () => pool.query('select record_webhook_readers()'),
        () => inParts(pool, 'purge_signatures($1, $2)', (after = []) => [signatureRetentionDays, after]),
        () =>
          inParts(pool, 'purge_webhook_delivery_attempts($1, $2)', (after = [NIL, NIL]) => [
            WEBHOOK_TRIES_KEPT_DAYS,
            after,
          ]),
        () => inParts(pool, 'purge_idempotency_keys($1)', (company = NIL) => [company]),
        () => inParts(pool, 'purge_sign_in_links($1)', (company = NIL) => [company]),
        () => inParts(pool, 'purge_person_sessions($1)', (company = NIL) => [company]),
        () => inParts(pool, 'purge_known_devices($1)', (company = NIL) => [company]),
        () => inParts(pool, 'purge_passkeys($1)', (company = NIL) => [company]),
        () => inParts(pool, 'purge_sign_ins($1)', (company = NIL) => [company]),
        () => inParts(pool, 'purge_learner_merges($1)', (company = NIL) => [company]),
        () => inParts(pool, 'purge_learner_imports($1)', (company = NIL) => [company]),
        // These steps come last, because they fail instead of waiting for a lock. The job is then retried.
        () => pool.query('select rotate_audit_log_partitions()'),
        () => inParts(pool, 'rotate_event_log_partitions($1)', () => [EVENTS_KEPT_DAYS + 1]),
      ]),
    // One job per company, so that a failure in one company does not repeat the work of the others.
    start_day: async () => {
      const day = new Date().toISOString().slice(0, 10);
      await pool.query('select queue_for_companies($1, $3), queue_for_companies($2, $3)', [
        REQUEST_SIGNATURES,
        RECORD_RISK,
        day,
      ]);
      await pool.query('select queue_for_expiring_keys($1, $2)', [NOTIFY_EXPIRING_KEYS, day]);
      await pool.query('select queue_for_expiring_certificates($1, $2)', [NOTIFY_EXPIRING_CERTIFICATES, day]);
      const removed = [PURGE_REMOVED_USERS, day, REMOVED_USERS_KEPT_DAYS];
      await pool.query('select queue_for_removed_users($1, $2, $3)', removed);
    },
    [SEND_SIGN_IN_LINKS]: async (payload: unknown) => {
      const { kind, people, ...asker } = payload as LinkRequests;
      for (const { companyId, personId } of people)
        await queueSignInMessage(access.ofJob(companyId), kind, { personId, ...asker });
    },
    [REQUEST_SIGNATURES]: forCompany<{ day: string }>((tenant, { day }) => requestSignatures(tenant, day)),
    [RECORD_RISK]: forCompany<{ day: string }>(async (tenant, { day }) => {
      await refreshBeforeScoring(breachFeed, tenant);
      await recordRisk(tenant, day);
      await countCompanyFigures(tenant);
    }),
    [NOTIFY_EXPIRING_KEYS]: forCompany(notifyExpiringKeys),
    [NOTIFY_EXPIRING_CERTIFICATES]: forCompany(notifyExpiringCertificates),
    notify_leaked_keys: forCompany<{ keyIds: string[] }>((tenant, { keyIds }) => notifyLeakedKeys(tenant, keyIds)),
    watch_webhooks: async () => {
      await pool.query('select queue_for_failing_webhooks($1)', [NOTIFY_FAILING_WEBHOOKS]);
    },
    queue_board_reports: async () => {
      await pool.query('select queue_for_board_reports($1, now())', [MAKE_BOARD_REPORTS]);
    },
    [MAKE_BOARD_REPORTS]: forCompany((tenant) => makeBoardReports(tenant, { freeMail })),
    [NOTIFY_FAILING_WEBHOOKS]: forCompany(reportFailingWebhooks),
    [NOTIFY_NEW_NETWORK]: forCompany<{ adminId: string; signInId: string }>(queueNewNetworkNotice),
    [PURGE_REMOVED_USERS]: forCompany((tenant) => purgeRemovedUsers(tenant)),
  };

  /** Creates a task that acts for the company in its payload. */
  function forCompany<Payload extends object>(run: (tenant: TenantWriter, payload: Payload) => Promise<unknown>): Task {
    return async (payload: unknown) => {
      await run(access.ofJob((payload as { companyId: string }).companyId), payload as Payload);
    };
  }
}

/**
 * Runs all steps, including those after a failed one, so that one failure does not block the others.
 * @throws the first failure, so that the job is retried
 */
async function eachInTurn(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/**
 * Calls a database function repeatedly. Each call does part of the work and returns the position to continue from, or
 * null at the end. A single statement for all the work would exceed the statement timeout.
 * @param buildValues builds the parameters of a call from the position, which is undefined for the first call
 */
async function inParts(pool: pg.Pool, call: string, buildValues: (place?: unknown) => unknown[]): Promise<void> {
  for (let place: unknown, isMore = true; isMore; isMore = Boolean(place)) {
    const { rows } = await pool.query<{ place: unknown }>(`select ${call} as place`, buildValues(place));
    place = rows[0]!.place;
  }
}
