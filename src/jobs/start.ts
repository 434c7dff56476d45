import type pg from 'pg';
import { TenantAccess } from '../auth/tenant-access.ts';
import { BreachFeed } from '../breach-feed/breach-feed.ts';
import type { BreachSource } from '../breach-feed/breach-source.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import type { PoolOptions } from '../db/pool.ts';
import { openPost } from '../mail/post.ts';
import type { Mailing } from '../mail/send-message.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { observeTasks } from './observe-tasks.ts';
import { createTasks, schedule } from './tasks.ts';
import { CONNECTIONS_OF_WORKER, startWorker, type Worker } from './worker.ts';

export interface JobOptions {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  openPool: (name: string, options: Pick<PoolOptions, 'poolSize' | 'timesAsDates'>) => pg.Pool;
  breachSource: BreachSource;
}

/** Starts the worker with everything that this service does outside of requests. */
export function startJobs({ config, logger, metrics, openPool, breachSource }: JobOptions): Worker {
  const pool = openPool('jobs', { poolSize: config.workerConcurrency });
  const ownPool = openPool('queue', { poolSize: CONNECTIONS_OF_WORKER, timesAsDates: true });
  const mailing = mailingOf(config, logger, metrics);
  if (!mailing) logger.warn('neither SMTP_URL nor MAIL_FOLDER is set: messages wait in the queue');
  else if (!config.mail?.trainingUrl) logger.info('TRAINING_URL is not set: messages do not link to the training');
  const breachFeed = new BreachFeed({ pool, source: breachSource, logger, onAnswer: metrics.breachFeedAnswer });
  const tasks = observeTasks(createTasks({ pool, access: new TenantAccess(pool), breachFeed, mailing }), metrics);
  return startWorker({ pool: ownPool, tasks, schedule, concurrency: config.workerConcurrency, logger });
}

function mailingOf(config: Config, logger: Logger, metrics: Metrics): Mailing | undefined {
  const { mail, publicUrl, workerConcurrency } = config;
  return mail && { post: openPost(mail, workerConcurrency), settings: { ...mail, publicUrl }, logger, metrics };
}
