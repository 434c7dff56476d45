import { setTimeout as sleep } from 'node:timers/promises';
import type { Release } from './bulkhead.ts';
import type { Logger } from '../observability/logger.ts';

const LOOK_MS = 500;

/** What is looked for, and done with what was found. */
export interface PollerOptions<Due> {
  findDue: () => Promise<Due[]>;
  getKey: (due: Due) => string;
  /** Takes a slot for a turn; undefined if none is free for it. */
  takeSlot: (due: Due) => Release | undefined;
  /** Does it. Begins nothing new once the signal is aborted. */
  processItem: (due: Due, signal: AbortSignal) => Promise<void>;
  logger: Logger;
  /** What the log says of a look that fails, and of a turn. */
  words: { look: string; turn: string };
}

export interface Poller {
  /** Begins no further turn, and resolves when those at hand have ended. */
  stop(): Promise<void>;
}

/** Looks twice a second for what is due, and gives each its turn if a slot is free. A turn that lasts is not begun again. */
export function startPoller<Due extends object>(options: PollerOptions<Due>): Poller {
  const { findDue, getKey, takeSlot, processItem, logger, words } = options;
  const stopping = new AbortController();
  const atWork = new Map<string, Promise<void>>();
  const looking = keepLooking();
  return {
    stop: async () => {
      stopping.abort();
      await looking;
      await Promise.all(atWork.values());
    },
  };

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch((err: unknown) => logger.warn({ err }, words.look));
      await sleep(LOOK_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  async function look(): Promise<void> {
    for (const one of await findDue()) {
      const key = getKey(one);
      const release = atWork.has(key) ? undefined : takeSlot(one);
      if (!release) continue;
      const turn = processItem(one, stopping.signal)
        .catch((err: unknown) => logger.warn({ err, due: one }, words.turn))
        .finally(() => {
          atWork.delete(key);
          release();
        });
      atWork.set(key, turn);
    }
  }
}
