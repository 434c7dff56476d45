import { setTimeout as sleep } from 'node:timers/promises';
import type { Release } from './bulkhead.ts';
import type { Logger } from '../observability/logger.ts';

const LOOK_MS = 500;

/** Options of a poller, with the functions that find due items and process them. */
export interface PollerOptions<Due> {
  findDue: () => Promise<Due[]>;
  getKey: (due: Due) => string;
  /** Acquires a slot for an item; undefined if none is free. */
  takeSlot: (due: Due) => Release | undefined;
  /** Processes an item. Must not start further work once the signal is aborted. */
  processItem: (due: Due, signal: AbortSignal) => Promise<void>;
  logger: Logger;
  /** Log messages for a failed poll, and for a failed item. */
  words: { look: string; turn: string };
}

export interface Poller {
  /** Stops beginning items. Resolves when the current items have ended. */
  stop(): Promise<void>;
}

/**
 * Polls twice a second for due items, and processes each if a slot is free. No item is processed twice at the same
 * time.
 */
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
