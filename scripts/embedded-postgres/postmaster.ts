// One Postgres server process: find it, ask it, launch it, shut it down.
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ROLE_NAMES, clusterFolder } from './cluster.ts';
import { hasCode, identityOf, isInUse, runsWith } from './processes.ts';
import { program, spawnOptions } from './runtime.ts';
import type { Runtime } from './runtime.ts';

export interface Postmaster {
  pid: number;
  identity: string;
  port: number;
  ready: boolean;
}

// Below the ports that systems give to outgoing connections: one of those could take the port while Postgres
// is down, a client's attempt to reconnect among them.
const PORTS = [20_000, 30_000] as const;
const READY_PATIENCE_MS = 120_000;
const LAUNCH_PATIENCE_MS = 20_000;
const ANSWER_PATIENCE_MS = 5_000;
const LOG_LIMIT_BYTES = 10_000_000;
const IMPOSSIBLE_PID = 2_000_000_000;
// Passing hindrances: orphans of a killed server, a port taken between choice and use.
const PASSING = /shared memory|could not bind|lock file/;

async function pidFileLines(runtime: Runtime): Promise<string[]> {
  try {
    return (await readFile(join(clusterFolder(runtime), 'postmaster.pid'), 'utf8')).split('\n');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** The running server of this cluster, undefined when there is none. */
export async function findPostmaster(runtime: Runtime): Promise<Postmaster | undefined> {
  const lines = await pidFileLines(runtime);
  const pid = Number(lines[0]);
  const identity = identityOf(pid);
  if (!identity || !runsWith(pid, clusterFolder(runtime))) return undefined;
  return { pid, identity, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

async function logIn(port: number, password: string): Promise<void> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: ROLE_NAMES.admin,
    password,
    database: 'postgres',
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The running server once it lets the admin in; undefined when there is none. Throws the login's error when it does not in time. */
export async function findAnswering(runtime: Runtime, password: string): Promise<Postmaster | undefined> {
  const started = Date.now();
  for (;;) {
    const found = await findPostmaster(runtime);
    if (!found) return undefined;
    try {
      await logIn(found.port, password);
      return found;
    } catch (error) {
      // 57P03: starting up, recovering or shutting down; 53300: all connections are in use.
      const patience = hasCode(error, '57P03', '53300') ? READY_PATIENCE_MS : ANSWER_PATIENCE_MS;
      if (Date.now() - started > patience) throw error;
    }
    await sleep(100);
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const probe = createServer();
    probe.once('error', () => answer(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => answer(true)));
  });
}

async function choosePort(portFile: string): Promise<number> {
  const kept = Number(await readFile(portFile, 'utf8').catch(() => ''));
  if (kept > 0 && kept < 65_536 && (await isFree(kept))) return kept;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(...PORTS);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port for Postgres on 127.0.0.1');
}

// Postgres does not start when another process now has the pid of a dead server in postmaster.pid (common in
// containers): a pid that no process can have goes there instead. The file itself must stay, for by it Postgres
// finds orphans of the dead server.
async function disownPidFile(runtime: Runtime): Promise<void> {
  const [pid, ...rest] = await pidFileLines(runtime);
  if (!isInUse(Number(pid)) || runsWith(Number(pid), clusterFolder(runtime))) return;
  await writeFile(join(clusterFolder(runtime), 'postmaster.pid'), [IMPOSSIBLE_PID, ...rest].join('\n'));
}

async function openLog(runtime: Runtime) {
  const path = join(runtime.folder, 'postgres.log');
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_LIMIT_BYTES) await rename(path, `${path}.old`);
  const file = await open(path, 'a+', 0o600);
  if (runtime.user) await file.chown(runtime.user.uid, runtime.user.gid);
  const start = (await file.stat()).size;
  const said = async () => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4_000), 0, 4_000, start);
    return buffer.toString('utf8', 0, bytesRead).trim();
  };
  return { file, said };
}

async function launchOnce(runtime: Runtime, settings: Record<string, string>): Promise<Postmaster | string> {
  await disownPidFile(runtime);
  const log = await openLog(runtime);
  try {
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // Detached: Ctrl-C on the terminal is for the service, which stops Postgres after it has drained.
    const child = spawn(program(runtime.bin, 'postgres'), ['-D', clusterFolder(runtime), ...options], {
      ...spawnOptions(runtime.user, runtime.folder),
      detached: true,
      stdio: ['ignore', log.file.fd, log.file.fd],
    });
    let ended: string | undefined;
    child.once('error', (error) => (ended = error.message));
    child.once('exit', (code, signal) => (ended = `ended with ${code ?? signal}`));
    child.unref();
    const deadline = Date.now() + READY_PATIENCE_MS;
    while (ended === undefined) {
      const found = await findPostmaster(runtime);
      if (found?.ready && found.pid === child.pid) return found;
      if (Date.now() > deadline)
        throw new Error(`Postgres (process ${child.pid}) is not ready after two minutes:\n${await log.said()}`);
      await sleep(20);
    }
    return `${ended}\n${await log.said()}`;
  } finally {
    await log.file.close();
  }
}

/**
 * Launches Postgres on the given port, or on the one of last time, or on a free one, and waits until it is ready.
 * Throws with the end of its log when it does not start. Call it under the start lock, when no server runs.
 */
export async function launch(
  runtime: Runtime,
  settings: Record<string, string>,
  samePort?: number,
): Promise<Postmaster> {
  const portFile = join(runtime.folder, 'port');
  const deadline = Date.now() + LAUNCH_PATIENCE_MS;
  for (;;) {
    const port = samePort ?? (await choosePort(portFile));
    const outcome = await launchOnce(runtime, { ...settings, port: String(port) });
    if (typeof outcome !== 'string') {
      await writeFile(`${portFile}.new`, String(port), { mode: 0o644 });
      await rename(`${portFile}.new`, portFile);
      return outcome;
    }
    if (!PASSING.test(outcome) || Date.now() > deadline) throw new Error(`Postgres does not start: ${outcome}`);
    await sleep(200);
  }
}

function signal(runtime: Runtime, pid: number, name: 'INT' | 'QUIT' | 'KILL'): void {
  if (process.platform === 'win32') spawnSync(program(runtime.bin, 'pg_ctl'), ['kill', name, String(pid)]);
  else if (isInUse(pid)) process.kill(pid, `SIG${name}`);
}

/**
 * Fast shutdown; when that takes too long, immediate shutdown, then kill. Gives back once the process is gone.
 * Signals only the very process it was given. Throws when even a killed one does not go.
 */
export async function shutDown(runtime: Runtime, server: Postmaster, patienceMs: number): Promise<void> {
  for (const [name, wait] of [
    ['INT', patienceMs],
    ['QUIT', 5_000],
    ['KILL', 5_000],
  ] as const) {
    if (identityOf(server.pid) !== server.identity) return;
    signal(runtime, server.pid, name);
    for (const deadline = Date.now() + wait; Date.now() < deadline; await sleep(20)) {
      if (identityOf(server.pid) !== server.identity) return;
    }
  }
  throw new Error(`Postgres (process ${server.pid}) does not stop`);
}
