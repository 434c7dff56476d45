import type pg from 'pg';
import { TenantAccess } from '../auth/tenant-access.ts';
import { BreachFeed } from '../breach-feed/breach-feed.ts';
import type { BreachSource } from '../breach-feed/breach-source.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import { openPost } from '../mail/post.ts';
import type { Mailing } from '../mail/send-message.ts';
import { createTasks, schedule } from './tasks.ts';
import { CONNECTIONS_OF_WORKER, startWorker, type Worker } from './worker.ts';

/** Connections that the worker takes: one for each job, and its own. */
export function connectionsOfJobs({ workerConcurrency }: Config): number {
  return workerConcurrency + CONNECTIONS_OF_WORKER;
}

export interface JobOptions {
  config: Config;
  logger: Logger;
  pool: pg.Pool;
  breachSource: BreachSource;
}

/** Starts the worker with everything that this service does outside of requests. */
export function startJobs({ config, logger, pool, breachSource }: JobOptions): Worker {
  const mailing = mailingOf(config, logger);
  if (!mailing) logger.warn('neither SMTP_URL nor MAIL_FOLDER is set: messages wait in the queue');
  else if (!config.mail?.trainingUrl) logger.info('TRAINING_URL is not set: messages do not link to the training');
  const breachFeed = new BreachFeed({ pool, source: breachSource, logger });
  const tasks = createTasks({ pool, access: new TenantAccess(pool), breachFeed, mailing });
  return startWorker({ pool, tasks, schedule, concurrency: config.workerConcurrency, logger });
}

function mailingOf({ mail, publicUrl, workerConcurrency }: Config, logger: Logger): Mailing | undefined {
  return mail && { post: openPost(mail, workerConcurrency), settings: { ...mail, publicUrl }, logger };
}
