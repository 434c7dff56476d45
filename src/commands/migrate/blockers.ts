// Finds the sessions that hold a lock for which a migration is waiting.
import type { Knex } from 'knex';
import { APPLICATION_NAME } from './sessions.ts';

/** A session without its statement, which might contain personal data. */
interface Blocker {
  pid: number;
  name: string;
  /** State of the session; null if our role cannot read the statistics of other roles (pg_read_all_stats). */
  state: string | null;
  seconds: number | null;
}

const BLOCKERS = `
  select distinct other.pid, coalesce(nullif(other.application_name, ''), other.backend_type, 'unknown') as name, other.state,
         round(extract(epoch from clock_timestamp() - other.xact_start))::integer as seconds
    from pg_stat_activity ours
   cross join lateral unnest(pg_blocking_pids(ours.pid)) as blocking (pid)
    join pg_stat_activity other on other.pid = blocking.pid
   where ours.application_name = ? and ours.datname = current_database() and ours.wait_event_type = 'Lock'`;

/**
 * Looks for the sessions that our sessions are waiting for, every `everyMs` milliseconds until the work ends.
 * @param report gets a description of these sessions each time they change
 */
export async function watchBlockers<T>(
  database: Knex,
  everyMs: number,
  report: (blockers: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  let reportedPids = '';
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined));
  }, everyMs);
  const look = async () => {
    // A failure to read the sessions does not stop the migration.
    const blockers = await findBlockers(database).catch(() => []);
    const pids = blockers.map(({ pid }) => pid).join();
    if (pids && pids !== reportedPids) report(blockers.map(describe).join(', '));
    reportedPids = pids || reportedPids;
  };
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await looking;
  }
}

async function findBlockers(database: Knex): Promise<Blocker[]> {
  const { rows } = await database.raw<{ rows: Blocker[] }>(BLOCKERS, [APPLICATION_NAME]);
  return rows.sort((a, b) => a.pid - b.pid);
}

function describe({ pid, name, state, seconds }: Blocker): string {
  const facts = [name, state, seconds === null ? null : `in a transaction for ${seconds} s`].filter(Boolean);
  return `pid ${pid} (${facts.join(', ')})`;
}
