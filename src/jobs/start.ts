import type pg from 'pg';
import { TenantAccess } from '../auth/tenant-access.ts';
import { BreachFeed } from '../breach-feed/breach-feed.ts';
import type { BreachSource } from '../breach-feed/breach-source.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import type { PoolOptions } from '../db/pool.ts';
import { openPost } from '../mail/post.ts';
import type { Mailing } from '../mail/send-message.ts';
import { createTasks, schedule } from './tasks.ts';
import { CONNECTIONS_OF_WORKER, startWorker, type Worker } from './worker.ts';

export interface JobOptions {
  config: Config;
  logger: Logger;
  openPool: (options: Pick<PoolOptions, 'poolSize' | 'timesAsDates'>) => pg.Pool;
  breachSource: BreachSource;
}

/** Starts the worker with everything that this service does outside of requests. */
export function startJobs({ config, logger, openPool, breachSource }: JobOptions): Worker {
  const pool = openPool({ poolSize: config.workerConcurrency });
  const ownPool = openPool({ poolSize: CONNECTIONS_OF_WORKER, timesAsDates: true });
  const mailing = mailingOf(config, logger);
  if (!mailing) logger.warn('neither SMTP_URL nor MAIL_FOLDER is set: messages wait in the queue');
  else if (!config.mail?.trainingUrl) logger.info('TRAINING_URL is not set: messages do not link to the training');
  const breachFeed = new BreachFeed({ pool, source: breachSource, logger });
  const tasks = createTasks({ pool, access: new TenantAccess(pool), breachFeed, mailing });
  return startWorker({ pool: ownPool, tasks, schedule, concurrency: config.workerConcurrency, logger });
}

function mailingOf({ mail, publicUrl, workerConcurrency }: Config, logger: Logger): Mailing | undefined {
  return mail && { post: openPost(mail, workerConcurrency), settings: { ...mail, publicUrl }, logger };
}
