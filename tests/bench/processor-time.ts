import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Seconds of processor time. */
export interface ProcessorTime {
  service: number;
  postgres: number;
}

/** Measures the processor time of the service with its workers and of Postgres. Reads Linux' `/proc`. */
export async function processorMeter(servicePid: number, databaseUrl: string) {
  const postmaster = await postmasterOf(databaseUrl);
  const now = (): ProcessorTime => ({
    service: sum([servicePid, ...childrenOf(servicePid)]),
    // A connection that ends takes its time out of the sum of the processes.
    postgres: sum([postmaster, ...childrenOf(postmaster)]) + secondsOfEnded(postmaster),
  });
  return async (work: () => Promise<unknown>): Promise<ProcessorTime> => {
    const before = now();
    await work();
    const after = now();
    return { service: after.service - before.service, postgres: after.postgres - before.postgres };
  };
}

/** Returns the process id of the main process of a server. */
export async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = Number(statOf(rows[0]!.pid)[1]);
  await client.end();
  return parent;
}

export function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Boolean);
  return pids.filter((pid) => Number(statOf(pid)[1]) === parent);
}

/** Returns the fields of `/proc/PID/stat` after the name: state, parent and so on; none if the process has ended. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}

function sum(pids: number[]): number {
  return pids.reduce((seconds, pid) => seconds + secondsOf(pid), 0);
}

/** Returns the processor time of the ended processes that a process has started. The kernel counts in ticks of 10 ms. */
function secondsOfEnded(parent: number): number {
  const [userTicks, systemTicks] = statOf(parent).slice(13, 15).map(Number);
  return ((userTicks ?? 0) + (systemTicks ?? 0)) / 100;
}

/** Sums the nanoseconds of all threads, because `/proc/PID/stat` has a resolution of only ten milliseconds. */
function secondsOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((seconds, thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
      return seconds + Number(text.split(' ')[0]) / 1e9;
    }, 0);
  } catch {
    return 0;
  }
}
