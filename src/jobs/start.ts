import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ReadsOfChildren } from '../auth/reads-of-children.ts';
import { SealedSecrets } from '../auth/sealed-secrets.ts';
import { TenantAccess } from '../auth/tenant-access.ts';
import { BreachFeed } from '../breach-feed/breach-feed.ts';
import type { BreachSource } from '../breach-feed/breach-source.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import type { PoolOptions } from '../db/pool.ts';
import { openMailTransport } from '../mail/mail-transport.ts';
import { preparing } from '../mail/prepare-message.ts';
import type { Mailing } from '../mail/send-message.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { LanePlan } from './lane.ts';
import type { Delivering } from '../resources/webhook-endpoints/deliver-webhooks.ts';
import { createWebhookSender } from '../webhooks/post-webhook.ts';
import { countTries } from './count-tries.ts';
import { observeTasks } from './observe-tasks.ts';
import { createMailTasks, createTasks, schedule } from './tasks.ts';
import { startWebhookRounds } from './webhook-rounds.ts';
import { startWorker, type Worker } from './worker.ts';

/** Two connections listen, one holds the names, one plans the timed tasks; two take jobs and record their ends. */
const CONNECTIONS_OF_RUN = 6;
/** Webhooks wait for others most of the time. */
const CONNECTIONS_OF_WEBHOOKS = 2;

export interface JobOptions {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  openPool: (name: string, options: Pick<PoolOptions, 'poolSize' | 'timesAsDates'>) => pg.Pool;
  breachSource: BreachSource;
  /** Called when only a new process can help the worker. */
  onGiveUp: () => void;
}

/** Starts the worker: it does everything that the service does outside of requests. */
export function startJobs({ config, logger, metrics, openPool, breachSource, onGiveUp }: JobOptions): Worker {
  if (!config.mail) logger.warn('neither SMTP_URL nor MAIL_FOLDER is set: messages wait in the queue');
  const { evidenceKeptDays } = config;
  const { mail: mails, other } = slotsOf(config);
  const pool = openPool('jobs', { poolSize: mails + other + CONNECTIONS_OF_WEBHOOKS });
  const access = new TenantAccess(pool);
  const breachFeed = new BreachFeed({ pool, source: breachSource, logger, onAnswer: metrics.breachFeedAnswer });
  const mailing = mailingOf(config, logger, metrics, mails);
  const tasks = observeTasks(createTasks({ pool, access, breachFeed, evidenceKeptDays }), metrics);
  const mailTasks = mailing && observeTasks(createMailTasks(access, mailing), metrics);
  const plans: LanePlan[] = [
    { name: 'other', tasks, schedule, concurrency: other },
    ...(mailTasks ? [{ name: 'mail', tasks: mailTasks, schedule: [], concurrency: mails }] : []),
  ];
  const openRunPool = () => openPool('queue', { poolSize: CONNECTIONS_OF_RUN, timesAsDates: true });
  const worker = startWorker({ pool, openPool: openRunPool, plans, logger, onGiveUp });
  const secrets = new SealedSecrets(config.secretsKeys);
  const post = countTries(createWebhookSender(config.webhooks), metrics);
  const reads = new ReadsOfChildren();
  const enterReads: Delivering['enterReads'] = (...sent) => reads.enterDeliveries(...sent);
  const rounds = startWebhookRounds({ pool, access, logger, secrets, post, enterReads });
  const late = (timeoutMs: number) => sleep(timeoutMs, undefined, { ref: false });
  return {
    isHealthy: () => worker.isHealthy(),
    stop: async (timeoutMs) => {
      await Promise.all([worker.stop(timeoutMs), Promise.race([rounds.stop(), late(timeoutMs)])]);
    },
  };
}

/**
 * A mail server that does not answer holds each slot for minutes. So mails get six tenths of the slots and never all of
 * them. Each kind of job has at least one slot.
 */
function slotsOf({ mail, workerConcurrency }: Config): { mail: number; other: number } {
  if (!mail) return { mail: 0, other: workerConcurrency };
  const mails = Math.max(1, Math.min(Math.ceil(workerConcurrency * 0.6), workerConcurrency - 1));
  return { mail: mails, other: Math.max(1, workerConcurrency - mails) };
}

function mailingOf(config: Config, logger: Logger, metrics: Metrics, connections: number): Mailing | undefined {
  const { mail, publicUrl } = config;
  return (
    mail && {
      transport: openMailTransport(mail, connections),
      prepare: preparing({ ...mail, publicUrl }),
      logger,
      metrics,
    }
  );
}
