import { Gauge, type Registry } from '@prometheus-io/client';
import type pg from 'pg';
import type { Logger } from '../logger.ts';
import { atMostEvery } from './at-most-every.ts';

const READ_EVERY_MS = 5000;
const READ_TIMEOUT_MS = 2000;

/**
 * The jobs of a task. A job counts as waiting once it is due, as scheduled before that, and as failed after its last
 * attempt.
 */
interface TaskRow {
  task: string;
  waiting: number;
  scheduled: number;
  running: number;
  failed: number;
  /** Seconds since the oldest waiting job became due. */
  oldest: number;
}

const STATES = ['waiting', 'scheduled', 'running', 'failed'] as const;

export interface QueueWatch {
  pool: pg.Pool;
  /** Tasks that are reported even if they have no job. */
  tasks: readonly string[];
  logger: Logger;
}

/**
 * Reports the jobs of the queue, with the same figures in every process. Reports nothing while the database does not
 * respond: a zero would look like an empty queue.
 */
export function watchQueue(registry: Registry, watch: QueueWatch): void {
  const read = atMostEvery(READ_EVERY_MS, () => readQueue(watch));
  const registers = [registry];
  new Gauge({
    name: 'queue_jobs',
    help: 'Queue jobs: waiting (due), scheduled (due later) or failed (not retried).',
    labelNames: ['task', 'state'],
    registers,
    async collect() {
      const rows = await read();
      this.reset();
      for (const row of rows) for (const state of STATES) this.set({ task: row.task, state }, row[state]);
    },
  });
  new Gauge({
    name: 'queue_oldest_waiting_seconds',
    help: 'Seconds since the oldest waiting job became due; 0 if none is due.',
    labelNames: ['task'],
    registers,
    async collect() {
      const rows = await read();
      this.reset();
      for (const { task, oldest } of rows) this.set({ task }, oldest);
    },
  });
}

const QUEUE = `
  select coalesce(j.task_identifier, known.task) as task,
         count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now()) as waiting,
         count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now()) as scheduled,
         count(*) filter (where locked_at is not null) as running,
         count(*) filter (where locked_at is null and attempts >= max_attempts) as failed,
         coalesce(extract(epoch from now() - min(run_at) filter (
           where locked_at is null and attempts < max_attempts and run_at <= now())), 0) as oldest
    from graphile_worker.jobs j full join unnest($1::text[]) as known (task) on known.task = j.task_identifier
   group by 1`;

/** Counts the jobs by task. Returns no rows if the query fails or takes too long. */
async function readQueue({ pool, tasks, logger }: QueueWatch): Promise<TaskRow[]> {
  // The types of node-postgres declare this timeout for all queries of a client, not for a single query.
  const query: pg.QueryConfig & { query_timeout: number } = {
    text: QUEUE,
    values: [tasks],
    query_timeout: READ_TIMEOUT_MS,
  };
  try {
    return (await pool.query<TaskRow>(query)).rows;
  } catch (err) {
    logger.warn({ err }, 'reading the queue for metrics failed');
    return [];
  }
}
