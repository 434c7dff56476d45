import type pg from 'pg';
import { TenantAccess } from '../auth/tenant-access.ts';
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

/** Starts the worker with everything that this service does outside of requests. */
export function startJobs({ config, logger, pool }: { config: Config; logger: Logger; pool: pg.Pool }): Worker {
  const mailing = mailingOf(config, logger);
  if (!mailing) logger.warn('neither SMTP_URL nor MAIL_FOLDER is set: messages wait in the queue');
  else if (!config.mail?.trainingUrl) logger.info('TRAINING_URL is not set: messages do not link to the training');
  const tasks = createTasks(pool, new TenantAccess(pool), mailing);
  return startWorker({ pool, tasks, schedule, concurrency: config.workerConcurrency, logger });
}

function mailingOf({ mail, publicUrl, workerConcurrency }: Config, logger: Logger): Mailing | undefined {
  return mail && { post: openPost(mail, workerConcurrency), settings: { ...mail, publicUrl }, logger };
}
