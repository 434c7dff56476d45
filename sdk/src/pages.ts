import { pageOf } from './answer.ts';
import type { OperationId, Operations, operations } from './generated/operations.ts';
import type { CallOptions, Route } from './options.ts';
import { type Input, requestOf } from './request.ts';
import type { Settings } from './settings.ts';
import { send } from './transport.ts';

type Routes = typeof operations;

/** The operations whose answer has pages. */
export type ListId = { [Id in OperationId]: Routes[Id] extends { pages: string } ? Id : never }[OperationId];

/** What an operation has in `data`, with one page of its list. */
export type PageOf<Id extends ListId> = Awaited<ReturnType<Operations[Id]>>;

/** An item of the list of an operation. */
export type ItemOf<Id extends ListId> =
  PageOf<Id> extends readonly (infer Item)[] ? Item : ItemsIn<PageOf<Id>, Routes[Id]['pages']>;
type ItemsIn<Data, Field> = Field extends keyof Data
  ? NonNullable<Data[Field]> extends readonly (infer Item)[]
    ? Item
    : never
  : never;

export interface PageIterators {
  /**
   * Reads a list page by page, with `for await`. A page has `limit` items of the input, 1,000 unless given, and is asked for
   * when the one before has been used. `cursor` of the input begins there.
   */
  pages<Id extends ListId>(operationId: Id, ...given: Parameters<Operations[Id]>): AsyncGenerator<PageOf<Id>, void>;
  /** Reads the items of a list, with `for await`: those of its pages, one after the other. */
  items<Id extends ListId>(operationId: Id, ...given: Parameters<Operations[Id]>): AsyncGenerator<ItemOf<Id>, void>;
}

/** The most items that a page may have. */
const MOST = 1000;

export function pageIterators(settings: Settings, routes: Record<OperationId, Route>): PageIterators {
  async function* pages(operationId: OperationId, input: Input = {}, options?: CallOptions): AsyncGenerator<unknown> {
    const route = routes[operationId];
    if (route.pages === undefined) throw new TypeError(`${operationId} has no pages`);
    for (let cursor = input.cursor; cursor !== null;) {
      const request = requestOf(operationId, route, { limit: MOST, ...input, cursor });
      const { data, nextCursor } = await send(settings, request, pageOf, options);
      yield data;
      cursor = nextCursor;
    }
  }

  async function* items(operationId: OperationId, input?: Input, options?: CallOptions): AsyncGenerator<unknown> {
    const field = routes[operationId].pages;
    for await (const page of pages(operationId, input, options)) {
      const list = field ? (page as Record<string, unknown>)[field] : page;
      // A list that is shown on request alone is null without it.
      yield* (list ?? []) as Iterable<unknown>;
    }
  }

  return { pages, items } as PageIterators;
}
