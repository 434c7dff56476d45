// Each process that uses the server holds a shared lock in it over one connection. The lock ends with the process, even
// after kill -9.
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, buildUrl } from './cluster.ts';
import { readPidFile, start } from './postmaster.ts';

export interface Session {
  client: pg.Client;
  /** The socket of the client, which does not keep this process alive. */
  socket: Socket;
  /** The process id of the server. */
  pid: number;
  port: number;
}

const LOCK = '0, 0';
const READY_TIMEOUT_MS = 120_000;
/**
 * Codes of errors that mean no pid file, no listener, or a different server. A server that starts, recovers or stops
 * returns other errors.
 */
const AWAY = ['ENOENT', 'ECONNREFUSED', '28P01'];

/**
 * Registers this process as a user of the server, and starts the server if it is not running. Throws with the reason if
 * it cannot start.
 */
export async function join(cluster: Cluster, settings: Record<string, string>): Promise<Session> {
  let isPortTaken = false;
  for (const deadline = Date.now() + READY_TIMEOUT_MS; ; await sleep(50)) {
    try {
      return await logIn(cluster);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      if (!AWAY.includes(String((error as NodeJS.ErrnoException).code))) continue;
    }
    isPortTaken = (await start(cluster, settings, isPortTaken)) === 'port taken';
  }
}

/**
 * Unregisters this process. Returns true for the last user, which can stop the server while new users wait for its
 * lock.
 */
export async function leave({ client, socket }: Session): Promise<boolean> {
  socket.ref();
  const { rows } = await client.query<{ last: boolean }>(
    `select pg_advisory_unlock_shared(${LOCK}), pg_try_advisory_lock(${LOCK}) as last`,
  );
  return rows[0]!.last;
}

/**
 * Logs in. Only this cluster's server knows the password, so another process with its pid or port is not mistaken for
 * it.
 */
async function logIn(cluster: Cluster): Promise<Session> {
  const { pid, port } = await readPidFile(cluster);
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: buildUrl(cluster, port, 'admin', 'postgres'),
    connectionTimeoutMillis: 5_000,
    query_timeout: 60_000,
    stream: () => socket,
  });
  client.on('error', () => undefined); // The event `end` follows.
  try {
    await client.connect();
    await client.query(`select pg_advisory_lock_shared(${LOCK})`);
    socket.unref();
    return { client, socket, pid, port };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
