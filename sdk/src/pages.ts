import { readPage } from './answer.ts';
import type { Envelopes, OperationId, Operations, operations } from './generated/operations.ts';
import type { CallOptions, Route } from './options.ts';
import { type Input, buildRequest } from './request.ts';
import type { Settings } from './settings.ts';
import { send } from './transport.ts';

type Routes = typeof operations;

/** Ids of operations whose response has pages. */
export type ListId = { [Id in OperationId]: Routes[Id] extends { pages: string } ? Id : never }[OperationId];

/** A page of an operation's list: `data` and the fields next to it, such as `removed` and `syncedUntil`. */
export type PageOf<Id extends ListId> = Envelopes[Id & keyof Envelopes];

type DataOf<Id extends ListId> = Awaited<ReturnType<Operations[Id]>>;

/** An item of an operation's list. */
export type ItemOf<Id extends ListId> =
  DataOf<Id> extends readonly (infer Item)[] ? Item : ItemsIn<DataOf<Id>, Routes[Id]['pages']>;
type ItemsIn<Data, Field> = Field extends keyof Data
  ? NonNullable<Data[Field]> extends readonly (infer Item)[]
    ? Item
    : never
  : never;

/** Ids of lists that can return only the changes since a given time. */
export type SyncedListId = {
  [Id in ListId]: PageOf<Id> extends { syncedUntil?: unknown; removed?: unknown } ? Id : never;
}[ListId];

/** The changes of a list. */
export interface ChangesOf<Id extends SyncedListId> {
  /** The current state of the changed items. */
  items: ItemOf<Id>[];
  /** The removed items. Apply them after `items`. */
  removed: NonNullable<PageOf<Id>['removed' & keyof PageOf<Id>]>;
  /** The `updatedSince` of the next call. Store it once `items` and `removed` are stored. */
  syncedUntil: string;
}

export interface PageIterators {
  /**
   * Reads a list page by page, with `for await`. A page has `limit` items (default 1,000) and is requested when the
   * previous page has been used. The list begins at the input's `cursor`. With `updatedSince`, the first page has
   * `removed` and `syncedUntil`.
   */
  pages<Id extends ListId>(operationId: Id, ...given: Parameters<Operations[Id]>): AsyncGenerator<PageOf<Id>, void>;
  /**
   * Reads the items of a list, page after page, with `for await`.
   * @throws {TypeError} with `updatedSince`, because items cannot show what was removed
   */
  items<Id extends ListId>(operationId: Id, ...given: Parameters<Operations[Id]>): AsyncGenerator<ItemOf<Id>, void>;
  /**
   * Reads all changes since the input's `updatedSince`, page by page, and returns them together.
   * @throws {TypeError} without `updatedSince`
   */
  changes<Id extends SyncedListId>(operationId: Id, ...given: Parameters<Operations[Id]>): Promise<ChangesOf<Id>>;
}

/** The maximum number of items in a page. */
const MAX_PAGE = 1000;

type Envelope = Record<string, unknown>;

/** Reads the pages of any list. */
export interface PageReader {
  pages: (operationId: OperationId, input?: Input, options?: CallOptions) => AsyncGenerator<Envelope>;
  itemsIn: (operationId: OperationId, page: Envelope) => Iterable<unknown>;
}

export function pageReader(settings: Settings, routes: Record<OperationId, Route>): PageReader {
  async function* pages(operationId: OperationId, input: Input = {}, options?: CallOptions): AsyncGenerator<Envelope> {
    const route = routes[operationId];
    if (route.pages === undefined) throw new TypeError(`${operationId} has no pages`);
    for (let cursor = input.cursor; cursor !== null;) {
      const request = buildRequest(operationId, route, { limit: MAX_PAGE, ...input, cursor });
      const { envelope, nextCursor } = await send(settings, request, readPage, options);
      yield envelope;
      cursor = nextCursor;
    }
  }

  function itemsIn(operationId: OperationId, { data }: Envelope): Iterable<unknown> {
    const field = routes[operationId].pages;
    const list = field ? (data as Record<string, unknown>)[field] : data;
    // A list that is returned only on request is null otherwise.
    return (list ?? []) as Iterable<unknown>;
  }

  return { pages, itemsIn };
}

export function pageIterators({ pages, itemsIn }: PageReader): PageIterators {
  async function* items(operationId: OperationId, input?: Input, options?: CallOptions): AsyncGenerator<unknown> {
    if (input?.updatedSince !== undefined)
      throw new TypeError('items cannot report removed items; use changes or pages');
    for await (const page of pages(operationId, input, options)) yield* itemsIn(operationId, page);
  }

  async function changes(operationId: OperationId, input?: Input, options?: CallOptions): Promise<object> {
    if (input?.updatedSince === undefined) throw new TypeError('changes needs updatedSince');
    const changed: unknown[] = [];
    let first: Envelope | undefined;
    for await (const page of pages(operationId, input, options)) {
      first ??= page;
      for (const item of itemsIn(operationId, page)) changed.push(item);
    }
    return { items: changed, removed: first!.removed, syncedUntil: first!.syncedUntil };
  }

  return { pages, items, changes } as PageIterators;
}
