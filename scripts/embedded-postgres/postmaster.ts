// Starts and stops the server process of a cluster with pg_ctl, and reads its pid file.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import { run } from './runtime.ts';

// Range of ports for the server. It is below the ephemeral ports, because an outgoing connection, such as a client's
// reconnect, could take an ephemeral port while Postgres is down.
const PORTS = [20_000, 30_000] as const;
const LISTENS_AFTER_MS = 10_000;

/**
 * Reads the process id and the port of the server. Throws ENOENT if no server was started since the last stop, or if a
 * starting server has not written them yet.
 */
export async function readPidFile({ data }: Cluster): Promise<{ pid: number; port: number }> {
  const [pid, , , port] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n').map(Number);
  if (!pid || !port) throw Object.assign(new Error('The pid file names no server'), { code: 'ENOENT' });
  return { pid, port };
}

/**
 * Starts the server, on its last port unless that port is taken. `blocked` is temporary: another process also starts
 * it, or processes of a killed server have not ended yet. Throws with the log of Postgres if the server does not start.
 */
export async function start(
  { runtime, data }: Cluster,
  settings: Record<string, string>,
  isPortTaken: boolean,
): Promise<'started' | 'blocked' | 'port taken'> {
  const port = (isPortTaken ? undefined : await lastPort(data)) ?? randomInt(...PORTS);
  const options = Object.entries({ ...settings, port }).map(([name, value]) => `-c ${name}=${value}`);
  const log = join(runtime.folder, 'postgres.log');
  await rename(log, `${log}.old`).catch(() => undefined);
  try {
    await run(runtime, 'pg_ctl', ['start', `--pgdata=${data}`, `--log=${log}`, `--options=${options.join(' ')}`]);
    return 'started';
  } catch (cause) {
    // pg_ctl itself rejects a pid file that another process has created but not written yet.
    const text = `${(cause as Error).message}\n${await readFile(log, 'utf8').catch(() => '')}`;
    if (text.includes('could not bind')) return 'port taken';
    if (!/lock file|shared memory|PID file/.test(text)) throw new Error(text, { cause });
    await removeForeignPid(join(data, 'postmaster.pid'));
    return 'blocked';
  }
}

/** Stops the server and ends its sessions. If the folder was removed, kills it, because there is nothing to save. */
export async function stop(cluster: Cluster, pid: number): Promise<void> {
  if (isRemoved(cluster)) return quit(pid);
  const { runtime, data } = cluster;
  const by = (mode: string) => run(runtime, 'pg_ctl', ['stop', `--pgdata=${data}`, `--mode=${mode}`]);
  await by('fast').catch(() => by('immediate'));
}

/** Reports whether the folder of the cluster was removed. */
export function isRemoved({ data }: Cluster): boolean {
  return !existsSync(data);
}

function quit(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // ESRCH: the process has already ended.
  }
}

/**
 * Removes the pid file of a killed server, if the file is so old that a running server would already listen. Postgres
 * does not start if a different process now has the pid in the file, which is common in containers. Postgres still
 * finds processes of the killed server by its shared memory.
 */
async function removeForeignPid(pidFile: string): Promise<void> {
  const { mtimeMs } = await stat(pidFile).catch(() => ({ mtimeMs: Infinity }));
  if (Date.now() - mtimeMs > LISTENS_AFTER_MS) await rm(pidFile, { force: true });
}

async function lastPort(data: string): Promise<number | undefined> {
  const options = await readFile(join(data, 'postmaster.opts'), 'utf8').catch(() => '');
  return Number(/\bport=(\d+)/.exec(options)?.[1]) || undefined;
}
