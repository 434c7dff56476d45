import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';

/** The parts of node-postgres' client that show when a reply is complete. Its typings leave them out. */
interface Wire {
  connection: EventEmitter & { stream: Socket };
}

interface Watched {
  /** Number of bytes written to each connection when Postgres last owed no reply. */
  lastReplies: Map<Socket, number>;
  /** The time of the last complete reply on any connection, in milliseconds of `performance.now()`. */
  lastReplyAt: number;
}

const UNRESPONSIVE_MS = 5000;
const watched = new WeakMap<pg.Pool, Watched>();

/**
 * Destroys connections on which Postgres owes a reply and has sent nothing for `timeoutMs`. Otherwise nothing would
 * notice a dead machine or a firewall that dropped the connection: the system retransmits for a quarter of an hour.
 * TCP keep-alive covers connections without a pending reply: idle, listening, or waiting for the reader of a list.
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
    // NOTE: must run before node-postgres' own listeners, which send the next query while they handle the reply to the
    // previous one.
    connection.prependListener('readyForQuery', onAnswer).prependListener('portalSuspended', onAnswer);
    stream.once('close', () => state.lastReplies.delete(stream));
    stream.setTimeout(timeoutMs, () => {
      if (hasPendingReply(state, stream)) stream.destroy(unresponsiveError());
    });
  });
}

/**
 * Reports whether the pool waits for Postgres and has received no complete reply on any connection for five seconds.
 */
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
  return Object.assign(new Error('Postgres is not responding'), { code: 'ETIMEDOUT' });
}
