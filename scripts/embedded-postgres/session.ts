// A process's use of the server: a login whose lock all users share. It ends with its process, even by kill -9.
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, urlOf } from './cluster.ts';
import { readPidFile, start } from './postmaster.ts';

export interface Session {
  client: pg.Client;
  /** Does not keep this process alive. */
  socket: Socket;
  /** Of the server. */
  pid: number;
  port: number;
}

const LOCK = '0, 0';
const READY_TIMEOUT_MS = 120_000;
/** No pid file, nobody listens, or another server does. One that starts, recovers or stops answers with other errors. */
const AWAY = ['ENOENT', 'ECONNREFUSED', '28P01'];

/** Joins the users of the server, which is started unless it runs. Throws with the reason when it cannot be. */
export async function join(cluster: Cluster, settings: Record<string, string>): Promise<Session> {
  let portTaken = false;
  for (const deadline = Date.now() + READY_TIMEOUT_MS; ; await sleep(50)) {
    try {
      return await logIn(cluster);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      if (!AWAY.includes(String((error as NodeJS.ErrnoException).code))) continue;
    }
    portTaken = (await start(cluster, settings, portTaken)) === 'port taken';
  }
}

/** Leaves the users. True for the last one, for whom others who join now wait, so that it can stop the server. */
export async function leave({ client, socket }: Session): Promise<boolean> {
  socket.ref();
  const { rows } = await client.query<{ last: boolean }>(
    `select pg_advisory_unlock_shared(${LOCK}), pg_try_advisory_lock(${LOCK}) as last`,
  );
  return rows[0]!.last;
}

/** Whoever lets us in by the password is the server of this cluster, whatever else has its pid or its port. */
async function logIn(cluster: Cluster): Promise<Session> {
  const { pid, port } = await readPidFile(cluster);
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: urlOf(cluster, port, 'admin', 'postgres'),
    connectionTimeoutMillis: 5_000,
    query_timeout: 60_000,
    stream: () => socket,
  });
  client.on('error', () => undefined); // Its `end` follows.
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
