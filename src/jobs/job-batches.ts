// Batches of jobs: a running job takes further jobs of its task from the queue, and all of them run and end together.
//
// graphile-worker takes and ends one job at a time, or keeps a local queue of a fixed length. A local queue would
// withhold jobs from other workers while this worker waits for a mail server. So the library takes the first job of a
// batch, and this file takes the others, with the statements of graphile-worker 0.18 (dist/sql/): in the same order,
// under the same lock name, and with the same delays after a failure. If this worker dies, another worker therefore
// releases them (reap-dead-workers.ts).
//
// The size of a batch follows the speed of the work: it doubles while batches are quick, and shrinks while they are
// slow. After a failure, the next batch has one job. A worker whose mail server is slow therefore holds few jobs.
//
// Guarantees: the same as for all jobs (worker.ts). A job that was not tried keeps its number of attempts.
//
// Failures: if the reply to a statement is lost, jobs might stay locked although no worker runs them. `LostJobs` then
// ends the run, which releases these jobs.
import type { JobHelpers } from 'graphile-worker';
import type pg from 'pg';

const MAX_BATCH = 100;
/** Duration of a batch, in milliseconds, below which the next batch is larger. */
const QUICK_MS = 500;
/** Duration of a batch, in milliseconds, above which the next batch is smaller. */
const SLOW_MS = 1000;

type Leader = Pick<JobHelpers['job'], 'id' | 'payload' | 'attempts' | 'locked_by'>;

export interface BatchedJob {
  id: string;
  payload: unknown;
  attempts: number;
}

/** The outcome of a job: done, not tried, or an error after which it runs again. */
export type JobOutcome = 'done' | 'untried' | Error;

export interface BatchResult {
  /** Outcomes in the order of the jobs. The first job must have been tried. */
  outcomes: readonly JobOutcome[];
  /** Whether the next batch should have only one job. */
  shouldSlowDown: boolean;
}

/** Error of a job after which the worker might hold jobs without knowing it. */
export class LostJobs extends Error {}

/** Runs the jobs of a task in batches. */
export class JobBatches {
  readonly #pool: pg.Pool;
  readonly #max: number;
  #size = 1;

  /** @param max maximum number of jobs in a batch */
  constructor(pool: pg.Pool, max = MAX_BATCH) {
    this.#pool = pool;
    this.#max = max;
  }

  /**
   * Takes further jobs of the leader's task, runs all of them, and ends the further jobs.
   * @throws the error of the first job; `LostJobs` if the further jobs could not be taken or ended
   */
  async run(leader: Leader, work: (jobs: readonly BatchedJob[]) => Promise<BatchResult>): Promise<void> {
    const size = this.#size;
    const others = size > 1 ? await this.#take(leader, size - 1) : [];
    const startedAt = performance.now();
    const { outcomes, shouldSlowDown } = await work([leader, ...others]).catch((error: Error) => ({
      outcomes: [error, ...others.map(() => error)],
      shouldSlowDown: true,
    }));
    const ms = performance.now() - startedAt;
    if (shouldSlowDown) this.#size = 1;
    else if (ms > SLOW_MS) this.#size = Math.max(1, Math.min(this.#size, Math.floor((size * QUICK_MS) / ms)));
    else if (ms < QUICK_MS && outcomes.length === size)
      this.#size = Math.min(this.#max, Math.max(this.#size, size * 2));
    const [ofLeader, ...ofOthers] = outcomes;
    if (others.length > 0) await this.#end(leader, others, ofOthers);
    if (ofLeader !== 'done') throw ofLeader instanceof Error ? ofLeader : new Error('the job was not tried');
  }

  async #take({ id, locked_by: lockName }: Leader, max: number): Promise<BatchedJob[]> {
    const taken = this.#pool.query<BatchedJob & { priority: number }>(TAKE, [id, lockName, max]);
    const { rows } = await taken.catch(toLostJobs);
    return rows.toSorted((a, b) => a.priority - b.priority || Number(a.id) - Number(b.id));
  }

  async #end(
    { locked_by: lockName }: Leader,
    jobs: readonly BatchedJob[],
    outcomes: readonly JobOutcome[],
  ): Promise<void> {
    const idsOf = (outcome: JobOutcome) => jobs.flatMap(({ id }, index) => (outcomes[index] === outcome ? [id] : []));
    const failed = jobs.flatMap(({ id }, index) => {
      const outcome = outcomes[index];
      return outcome instanceof Error ? [{ id, message: outcome.message }] : [];
    });
    const failedIds = failed.map(({ id }) => id);
    const messages = failed.map(({ message }) => message);
    const values = [lockName, idsOf('done'), idsOf('untried'), failedIds, messages];
    await this.#pool.query(END, values).catch(toLostJobs);
  }
}

function toLostJobs(cause: Error): never {
  throw new LostJobs(`jobs might be locked without a worker: ${cause.message}`, { cause });
}

const TAKE = `
  with next as (
    select id from graphile_worker._private_jobs
     where is_available and run_at <= now() and job_queue_id is null
       and task_id = (select task_id from graphile_worker._private_jobs where id = $1)
     order by priority, run_at limit $3 for update skip locked
  )
  update graphile_worker._private_jobs j set attempts = j.attempts + 1, locked_by = $2, locked_at = now()
    from next where j.id = next.id
  returning j.id::text, j.payload, j.attempts, j.priority`;

const END = `
  with done as (
    delete from graphile_worker._private_jobs where id = any($2::bigint[]) and locked_by = $1
  ), untried as (
    update graphile_worker._private_jobs
       set attempts = greatest(0, attempts - 1), locked_by = null, locked_at = null
     where id = any($3::bigint[]) and locked_by = $1
  )
  update graphile_worker._private_jobs j
     set last_error = f.message, run_at = greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second',
         locked_by = null, locked_at = null
    from unnest($4::bigint[], $5::text[]) as f (id, message)
   where j.id = f.id and j.locked_by = $1`;
