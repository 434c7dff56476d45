import { isApiError } from './errors.ts';
import type { OperationId, Operations } from './generated/operations.ts';
import type { CallOptions } from './options.ts';
import type { ChangesOf, ItemOf, PageReader, SyncedListId } from './pages.ts';
import type { Input } from './request.ts';

type Awaitable<T> = T | Promise<T>;

/** Your copy of a list, for example in a database. */
export interface ListStore<Id extends SyncedListId> {
  /** Returns the `syncedUntil` that was stored last; null before the first run. */
  syncedUntil(): Awaitable<string | null>;
  /** Empties the copy before the whole list is stored. */
  clear(): Awaitable<void>;
  /** Adds items, or replaces items with the same id. The same item can be passed several times. */
  put(items: ItemOf<Id>[]): Awaitable<void>;
  /** Deletes removed items. */
  remove(removed: ChangesOf<Id>['removed']): Awaitable<void>;
  /**
   * Stores `syncedUntil`, from which the next run continues. Called last: if a run ends earlier, the next run starts
   * from the previous value.
   */
  finish(syncedUntil: string): Awaitable<void>;
}

/** The numbers of items stored and removed in one step. */
export interface Applied {
  put: number;
  removed: number;
}

export interface Synchronizer {
  /**
   * Brings a copy of a list up to date, page by page, with `for await`. It reads the changes since the last run. In the
   * first run, or if the last run was too long ago, it reads the whole list. Without `for await` nothing happens. If a
   * run is left incomplete, the next call completes the copy.
   */
  synchronize<Id extends SyncedListId>(
    operationId: Id,
    store: ListStore<Id>,
    ...given: Parameters<Operations[Id]>
  ): AsyncGenerator<Applied, void>;
}

/** Margin for clocks that differ, in milliseconds: changes are read from an hour before the list was read. */
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

  /** Applies changes, and removals after them, as the contract requires. */
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
