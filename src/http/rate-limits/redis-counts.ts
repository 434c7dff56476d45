import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import type { CounterDelta } from './counter-store.ts';
import type { SharedCounts } from './shared-counts.ts';

/**
 * Timeout of connecting and of each command. It is long, because the process itself might cause the delay while it is
 * starting or busy.
 */
const REPLY_TIMEOUT_MS = 5000;

const open = (url: string) =>
  createClient({
    url,
    // Does not reconnect, because cluster-sync.ts opens a new connection.
    socket: { connectTimeout: REPLY_TIMEOUT_MS, reconnectStrategy: false },
    // Every Redis and Valkey supports version 2.
    RESP: 2,
  });

/**
 * Sums in Redis keys such as `awareness:calls:per-key:…`, which expire with their windows. If Redis restarts empty,
 * the sums begin at zero.
 */
export class RedisCounts implements SharedCounts {
  /** Signal that is aborted, with the reason, when the connection breaks. */
  readonly broken: AbortSignal;
  readonly #client: ReturnType<typeof open>;

  private constructor(url: string) {
    const breaking = new AbortController();
    this.broken = breaking.signal;
    this.#client = open(url);
    this.#client.on('error', (error) => breaking.abort(error));
  }

  /** Connects. Rejects if Redis does not respond within five seconds. */
  static async connect(url: string): Promise<RedisCounts> {
    const counts = new RedisCounts(url);
    try {
      await inTime(counts.#client.connect());
      return counts;
    } catch (error) {
      counts.close();
      throw error;
    }
  }

  async add(limiter: string, deltas: readonly CounterDelta[]): Promise<CounterDelta[]> {
    const keys = deltas.map(({ counted }) => `awareness:calls:${limiter}:${counted}`);
    const args = deltas.flatMap(({ hits, resetsInMs }) => [String(hits), String(resetsInMs)]);
    const sums = (await inTime(this.#client.eval(ADD, { keys, arguments: args }))) as number[];
    return deltas.map(({ counted }, at) => ({ counted, hits: sums[2 * at]!, resetsInMs: sums[2 * at + 1]! }));
  }

  close(): void {
    this.#client.destroy();
  }
}

/** Rejects if a reply takes longer than five seconds. A frozen Redis or a dead machine sends nothing. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const late = sleep(REPLY_TIMEOUT_MS, undefined, { ref: false, signal: answered.signal }).then(() => {
    throw new Error(`Redis did not reply within ${REPLY_TIMEOUT_MS / 1000} seconds`);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    answered.abort();
    for (const loser of [answer, late]) loser.catch(() => undefined);
  }
}

// A script runs atomically, so no key is left without an expiry.
const ADD = `
  local sums = {}
  for i, key in ipairs(KEYS) do
    local sum = redis.call('INCRBY', key, ARGV[2 * i - 1])
    if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ARGV[2 * i]) end
    sums[2 * i - 1] = sum
    sums[2 * i] = redis.call('PTTL', key)
  end
  return sums`;
