import { type KeyedOperationId, operations } from '../contract/contract.ts';
import { ResultWithMeta, type Rows, RowsWithMeta } from '../db/rows.ts';
import { invalidField } from '../contract/errors.ts';
import { type ListIdentity, readCursor, writeCursor } from './list-cursor.ts';

/** A list of an operation, and the page of it that a transport requests. */
export interface ListPageRequest extends Omit<ListIdentity, 'order' | 'operationId'> {
  operationId: KeyedOperationId;
  /** The cursor of the page; undefined for the first page. */
  cursor?: string | undefined;
  limit: number;
}

/** The data of a result, with a page in place of its list. */
export interface ListPage {
  data: unknown;
  meta: object;
  /** The rows of the page; null for a list that was not requested. */
  page: Rows<unknown> | null;
  /** The cursor of the next page; null on the last one. */
  nextCursor: string | null;
}

/**
 * Reads the requested page in place of the list in a result.
 * @throws {ApiError} `invalid_request` for a cursor that was not written for this list
 */
export async function readListPage({ cursor, limit, ...list }: ListPageRequest, answer: unknown): Promise<ListPage> {
  const field = operations[list.operationId].pages!;
  const { data, meta } = splitResult(answer);
  const rows = (field === '' ? data : (data as Record<string, unknown>)[field]) as Rows<unknown> | null;
  const identity = { ...list, order: rows?.order ?? {} };
  const keyset = cursor === undefined ? null : readCursor(identity, cursor);
  if (keyset === undefined)
    throw invalidField('query/cursor', 'is invalid or belongs to another list; start again without it');
  // A list that is shown only on request is null if it was not requested.
  if (rows === null) return { data, meta, page: null, nextCursor: null };
  const { page, next } = await rows.behind(keyset, limit);
  const nextCursor = next && writeCursor(identity, next);
  return { data: replaced(data, field, page, nextCursor), meta, page, nextCursor };
}

/** Splits a result into its data and its metadata. */
export function splitResult(answer: unknown): { data: unknown; meta: object } {
  if (!(answer instanceof ResultWithMeta)) return { data: answer, meta: {} };
  return { data: answer.data as unknown, meta: answer.meta as object };
}

function replaced(data: unknown, field: string, page: Rows<unknown>, nextCursor: string | null): unknown {
  if (field === '')
    return data instanceof RowsWithMeta ? page.withMeta((data as RowsWithMeta<unknown, object>).meta) : page;
  // The audit log also has the cursor within `data`.
  const inside = 'nextCursor' in (data as object) ? { nextCursor } : {};
  return { ...(data as object), [field]: page, ...inside };
}
