import type { Request } from 'express';
import type { Caller } from '../auth/caller.ts';
import { type KeyedOperationId, operations } from '../contract/contract.ts';
import { ResultWithMeta, type Rows, RowsWithMeta } from '../db/rows.ts';
import { invalidField } from '../contract/errors.ts';
import { type ListIdentity, readCursor, writeCursor } from './list-cursor.ts';

/** Maximum number of items on a page; also the default for a cursor without `limit`. */
const MAX_LIMIT = 1000;

/** A call that can request a page. */
export interface PageCall {
  operationId: KeyedOperationId;
  req: Request;
  caller: Caller;
}

/** The data of a response, with a page in place of its list if one was requested. */
export interface PagedResult {
  data: unknown;
  meta: object;
  /** The `Link` header, if another page follows. */
  link?: string | undefined;
}

/** Reports whether a request asks for a page of a list. */
export function asksForPage({ operationId, req }: PageCall): boolean {
  const { limit, cursor } = req.query;
  return operations[operationId].pages !== null && (limit !== undefined || cursor !== undefined);
}

/**
 * Reads the requested page in place of the list in a result.
 * @throws {ApiError} `invalid_request` for a cursor that was not written for this list
 */
export async function readPage(call: PageCall, answer: unknown): Promise<PagedResult> {
  const field = operations[call.operationId].pages!;
  const { data, meta } = splitResult(answer);
  const rows = (field === '' ? data : (data as Record<string, unknown>)[field]) as Rows<unknown> | null;
  const { limit = MAX_LIMIT, cursor } = call.req.query as { limit?: number; cursor?: string };
  const list = { ...buildListIdentity(call), order: rows?.order ?? {} };
  const keyset = cursor === undefined ? null : readCursor(list, cursor);
  if (keyset === undefined)
    throw invalidField('query/cursor', 'is invalid or belongs to another list; start again without it');
  // A list that is shown only on request is null otherwise.
  if (rows === null) return { data, meta: { ...meta, page: { nextCursor: null } }, link: undefined };
  const { page, next } = await rows.behind(keyset, limit);
  const nextCursor = next && writeCursor(list, next);
  const link = nextCursor === null ? undefined : linkTo(call.req, nextCursor);
  // Only the first page has metadata: its `syncedUntil` is earlier than any change that happens between two pages.
  const first = cursor === undefined ? meta : {};
  return { data: replaced(data, field, page, nextCursor), meta: { ...first, page: { nextCursor } }, link };
}

/** Splits a result into its data and its metadata. */
export function splitResult(answer: unknown): { data: unknown; meta: object } {
  if (!(answer instanceof ResultWithMeta)) return { data: answer, meta: {} };
  return { data: answer.data as unknown, meta: answer.meta as object };
}

/** Identifies a list. The company is the same whether the request names it or not. */
function buildListIdentity({ operationId, req, caller }: PageCall): Omit<ListIdentity, 'order'> {
  const { companyId = caller.companyId, ...query } = req.query;
  const filter = { ...req.params, ...query, limit: undefined, cursor: undefined };
  return { operationId, companyId: companyId as string, filter };
}

function replaced(data: unknown, field: string, page: Rows<unknown>, nextCursor: string | null): unknown {
  if (field === '')
    return data instanceof RowsWithMeta ? page.withMeta((data as RowsWithMeta<unknown, object>).meta) : page;
  // The audit log also has the cursor within `data`.
  const inside = 'nextCursor' in (data as object) ? { nextCursor } : {};
  return { ...(data as object), [field]: page, ...inside };
}

/** Links to the next page with a relative path. NOTE: `originalUrl` would not do, since it can name any host. */
function linkTo({ baseUrl, path, query }: Request, cursor: string): string {
  const parameters = Object.entries({ ...query, cursor }).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return `<${baseUrl}${path}?${new URLSearchParams(parameters).toString()}>; rel="next"`;
}
