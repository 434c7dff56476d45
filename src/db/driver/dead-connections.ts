import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';

/** The parts of node-postgres' client that show when an answer is complete. Its typings leave them out. */
interface Wire {
  connection: EventEmitter & { stream: Socket };
}

interface Watched {
  /** For each connection: how many bytes were written when Postgres last owed no answer. */
  lastReplies: Map<Socket, number>;
  /** When Postgres last completed an answer on any connection, in milliseconds of `performance.now()`. */
  lastReplyAt: number;
}

const UNRESPONSIVE_MS = 5000;
const watched = new WeakMap<pg.Pool, Watched>();

/**
 * Destroys connections on which Postgres owes an answer and has sent nothing for `timeoutMs`. Nothing else notices when
 * its machine is gone or a firewall has dropped the connection: the system resends for a quarter of an hour. A
 * connection that owes nothing (idle, listening, or waiting for the reader of a list) is left to TCP keep-alive.
 */
export function destroyUnresponsive(pool: pg.Pool, timeoutMs: number): void {
  const state: Watched = { lastReplies: new Map(), lastReplyAt: performance.now() };
  watched.set(pool, state);
  pool.on('connect', (client) => {
    const { connection } = client as unknown as Wire;
    const { stream } = connection;
    const onAnswer = () => {
      state.lastReplies.set(stream, stream.bytesWritten);
      state.lastReplyAt = performance.now();
    };
    onAnswer();
    // NOTE: before the driver's own listeners: they send the next query while they handle the answer to the previous
    // one.
    connection.prependListener('readyForQuery', onAnswer).prependListener('portalSuspended', onAnswer);
    stream.once('close', () => state.lastReplies.delete(stream));
    stream.setTimeout(timeoutMs, () => {
      if (hasPendingReply(state, stream)) stream.destroy(unresponsiveError());
    });
  });
}

/** Whether the pool waits for Postgres and got no complete answer on any connection for some seconds. */
export function isUnresponsive(pool: pg.Pool): boolean {
  const state = watched.get(pool);
  if (!state || performance.now() - state.lastReplyAt < UNRESPONSIVE_MS) return false;
  const isConnecting = pool.totalCount > state.lastReplies.size;
  return isConnecting || [...state.lastReplies.keys()].some((stream) => hasPendingReply(state, stream));
}

function hasPendingReply({ lastReplies }: Watched, stream: Socket): boolean {
  return stream.bytesWritten > (lastReplies.get(stream) ?? 0);
}

function unresponsiveError(): Error {
  return Object.assign(new Error('Postgres does not answer'), { code: 'ETIMEDOUT' });
}
