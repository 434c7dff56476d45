import type { Caller } from '../../auth/caller.ts';
import { type Data, type Input, type KeyedOperationId, operations } from '../../contract/contract.ts';
import { Rows } from '../../db/rows.ts';
import { ApiError, invalidField } from '../../contract/errors.ts';
import { type StoredResponse } from '../../operations/idempotency.ts';
import { IdempotencyKey } from '../../operations/idempotency-key.ts';
import type { Invoke } from '../../operations/invoke.ts';
import { readListPage } from '../../operations/list-page.ts';
import type { KeyBudget } from '../../http/rate-limits/rate-limits.ts';
import { isReadOfChild } from './admin.ts';
import { requireValidBody } from '../shared/contract-body.ts';

/** Runs operations of the contract for pages of the console, with the permissions of the admin's role. */
export interface ConsoleRuns {
  /**
   * Runs an operation that does not return a list.
   * @param formName one-time id of a form; the same form submitted again gets the first response without running again
   * @throws {ApiError} as the operation does, and `invalid_request` for a body that the contract rejects
   */
  run<Op extends KeyedOperationId>(
    operationId: Op,
    caller: Caller,
    input: Input<Op>,
    formName?: string,
  ): Promise<Data<Op>>;
  /** Reads a list item by item. */
  items<Op extends KeyedOperationId>(operationId: Op, caller: Caller, input?: Input<Op>): AsyncGenerator<ItemOf<Op>>;
  /**
   * Reads a page of a list.
   * @param cursor the page's cursor from the URL; undefined for the first page
   * @throws {ApiError} as the operation does, and `invalid_request` for a cursor of another list
   */
  page<Op extends KeyedOperationId>(
    operationId: Op,
    caller: Caller,
    input: Input<Op>,
    cursor?: string,
  ): Promise<PageOf<Op>>;
  /** Reads the first items of a list, up to `MAX_ITEMS`. */
  first<Op extends KeyedOperationId>(operationId: Op, caller: Caller): Promise<Listed<ItemOf<Op>>>;
}

/** The part of a list that a page shows. */
export interface Listed<T> {
  items: T[];
  /** Whether there are more items than the page shows. */
  isCut: boolean;
}

/** A page of a list, with the other fields of the response. */
export interface PageOf<Op extends KeyedOperationId> {
  items: ListItem<Op>[];
  data: Data<Op>;
  meta: Readonly<Record<string, unknown>>;
  /** The cursor of the next page; null on the last one. */
  nextCursor: string | null;
}

/** Number of items of a list on one page. */
export const PAGE_SIZE = 50;

/** Maximum number of items of a list that a page shows. */
export const MAX_ITEMS = 200;

/** Item type of an operation's list: its result, or the only field of its result that is a list. */
type ListItem<Op extends KeyedOperationId> = Data<Op> extends readonly (infer Item)[] ? Item : FieldItem<Data<Op>>;
type FieldItem<D> = {
  [Field in keyof D]: D[Field] extends readonly (infer Item extends object)[] ? Item : never;
}[keyof D];
type ItemOf<Op extends KeyedOperationId> = Data<Op> extends readonly (infer Item)[] ? Item : never;

export interface ConsoleRunsOptions {
  invoke: Invoke;
  budget: KeyBudget;
  secretsKeys: readonly Buffer[];
}

/** Maximum number of items; more than any list in the result of a form has. */
const MAX_BOUNDED_ITEMS = 1_000_000;

/** Reads the lists in a result that have not been read yet, such as those of a bulk operation. They must be bounded. */
export async function readLists<T>(data: T): Promise<T> {
  if (data instanceof Rows) return (await data.page(0, MAX_BOUNDED_ITEMS)).items as T;
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return data;
  const fields = Object.entries(data).map(async ([name, value]): Promise<[string, unknown]> => {
    return [name, value instanceof Rows ? await readLists(value as unknown) : value];
  });
  return Object.fromEntries(await Promise.all(fields)) as T;
}

/**
 * Adds the managed company that the admin is viewing to the input of an operation.
 * @throws {ApiError} `forbidden` for an operation that does not read a managed company
 */
function toInputOfChild(
  operationId: KeyedOperationId,
  { childId }: Caller,
  input: Record<string, unknown>,
): Record<string, unknown> {
  if (childId === undefined) return input;
  if (!isReadOfChild(operationId)) throw new ApiError('forbidden', 'The pages of a managed company are read-only.');
  return { ...input, companyId: childId };
}

const FORM_NAME = /^[\w-]{20,64}$/;

export function createConsoleRuns({ invoke, budget, secretsKeys }: ConsoleRunsOptions): ConsoleRuns {
  async function call(
    operationId: KeyedOperationId,
    caller: Caller,
    input: object,
    formName?: string,
  ): Promise<unknown> {
    budget.take(caller.keyId);
    const given = toInputOfChild(operationId, caller, input as Record<string, unknown>);
    if (operations[operationId].body !== null && !('file' in given)) requireValidBody(operationId, given.body);
    if (formName === undefined) return invoke(operationId, caller, given);
    if (!FORM_NAME.test(formName)) throw invalidField('body/once', 'must be the id of a form');
    const key = new IdempotencyKey(`console ${caller.keyId} ${formName}`, secretsKeys);
    const response = await invoke(operationId, caller, given, {
      key,
      serialize: async (data) => JSON.stringify(await readLists(data)),
    });
    return JSON.parse((response as StoredResponse).text) as unknown;
  }
  async function* items(operationId: KeyedOperationId, caller: Caller, input: unknown = {}): AsyncGenerator<never> {
    const rows = (await call(operationId, caller, input as object)) as Rows<never>;
    const cursor = await rows.open();
    try {
      for (let last = false; !last;) {
        const batch = await cursor.next();
        yield* batch.rows;
        last = batch.last;
      }
    } finally {
      cursor.close();
    }
  }
  return {
    run: (operationId, caller, input, formName) => call(operationId, caller, input as object, formName) as never,
    items,
    async page(operationId, caller, input, cursor) {
      const answer = await call(operationId, caller, input as object);
      const { companyId = caller.childId ?? caller.companyId, ...filter } = input as { companyId?: string };
      const list = { operationId, companyId, filter, limit: PAGE_SIZE };
      const { data, meta, page, nextCursor } = await readListPage({ ...list, cursor }, answer);
      const items = (page ? (await page.page(0, PAGE_SIZE)).items : []) as never[];
      return { items, data: data as never, meta: meta as PageOf<never>['meta'], nextCursor };
    },
    async first(operationId, caller) {
      const shown: never[] = [];
      for await (const item of items(operationId, caller)) {
        if (shown.length === MAX_ITEMS) return { items: shown, isCut: true };
        shown.push(item);
      }
      return { items: shown, isCut: false };
    },
  };
}
