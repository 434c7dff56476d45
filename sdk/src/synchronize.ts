import { isApiError } from './errors.ts';
import type { OperationId, Operations } from './generated/operations.ts';
import type { CallOptions } from './options.ts';
import type { ChangesOf, ItemOf, PageReader, SyncedListId } from './pages.ts';
import type { Input } from './request.ts';

type Awaitable<T> = T | Promise<T>;

/** A copy of a list that its owner keeps, in a database for instance. */
export interface ListStore<Id extends SyncedListId> {
  /** The `syncedUntil` that was stored last; null before the first time. */
  syncedUntil(): Awaitable<string | null>;
  /** Empties the copy, before the whole list is put into it. */
  clear(): Awaitable<void>;
  /** Adds items, or replaces those with the same id. An item may come again. */
  put(items: ItemOf<Id>[]): Awaitable<void>;
  /** Removes what is gone. */
  remove(removed: ChangesOf<Id>['removed']): Awaitable<void>;
  /** Stores where the next run continues. Called last: if a run ends earlier, the next one starts from the previous value. */
  finish(syncedUntil: string): Awaitable<void>;
}

/** What was applied to the store in one step. */
export interface Applied {
  put: number;
  removed: number;
}

export interface Synchronizer {
  /**
   * Brings a copy of a list up to date, page by page, with `for await`: what has changed since the last time, or the whole list
   * the first time and when the last time is too long ago. Without `for await` nothing happens. A copy that is left half-way is
   * brought up to date by the next call.
   */
  synchronize<Id extends SyncedListId>(
    operationId: Id,
    store: ListStore<Id>,
    ...given: Parameters<Operations[Id]>
  ): AsyncGenerator<Applied, void>;
}

/** The clocks of two machines differ; the service accepts a time this long before the list was read. */
const CLOCK_MARGIN_MS = 3_600_000;

export function synchronizer({ pages, itemsIn }: PageReader): Synchronizer {
  async function* synchronize(
    operationId: OperationId,
    store: ListStore<SyncedListId>,
    input: Input = {},
    options?: CallOptions,
  ): AsyncGenerator<Applied> {
    const since = await store.syncedUntil();
    if (since !== null) {
      try {
        yield* apply(operationId, store, { ...input, updatedSince: since }, options);
        return;
      } catch (error) {
        if (!isApiError(error, 'cursor_expired')) throw error;
      }
    }
    const before = new Date(Date.now() - CLOCK_MARGIN_MS).toISOString();
    await store.clear();
    for await (const page of pages(operationId, input, options)) {
      const items = [...itemsIn(operationId, page)] as never[];
      await store.put(items);
      yield { put: items.length, removed: 0 };
    }
    yield* apply(operationId, store, { ...input, updatedSince: before }, options);
  }

  /** What was removed is applied after all that has changed, as the contract asks. */
  async function* apply(
    operationId: OperationId,
    store: ListStore<SyncedListId>,
    input: Input,
    options?: CallOptions,
  ): AsyncGenerator<Applied> {
    let first: Record<string, unknown> | undefined;
    for await (const page of pages(operationId, input, options)) {
      first ??= page;
      const items = [...itemsIn(operationId, page)] as never[];
      await store.put(items);
      yield { put: items.length, removed: 0 };
    }
    const removed = first!.removed as never[];
    await store.remove(removed);
    await store.finish(first!.syncedUntil as string);
    yield { put: 0, removed: removed.length };
  }

  return { synchronize } as Synchronizer;
}
