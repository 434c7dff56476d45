import type { Request } from 'express';
import type { Caller } from '../auth/caller.ts';
import { type KeyedOperationId, operations } from '../contract/contract.ts';
import { readListPage } from '../operations/list-page.ts';

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
 * Replaces the list in an operation's result by its requested page.
 * @throws {ApiError} `invalid_request` for a cursor that was not written for this list
 */
export async function readPage({ operationId, req, caller }: PageCall, answer: unknown): Promise<PagedResult> {
  // Left out, because the company is the same whether the request names it or not.
  const { companyId = caller.companyId, limit = MAX_LIMIT, cursor, ...query } = req.query as PageQuery;
  const list = { operationId, companyId, filter: { ...req.params, ...query }, cursor, limit };
  const { data, meta, nextCursor } = await readListPage(list, answer);
  const link = nextCursor === null ? undefined : linkTo(req, nextCursor);
  // Only the first page has metadata: its `syncedUntil` is earlier than any change that happens between two pages.
  const first = cursor === undefined ? meta : {};
  return { data, meta: { ...first, page: { nextCursor } }, link };
}

interface PageQuery {
  companyId?: string;
  limit?: number;
  cursor?: string;
}

/** Links to the next page with a relative path. NOTE: `originalUrl` is unsuitable, because it can name any host. */
function linkTo({ baseUrl, path, query }: Request, cursor: string): string {
  const parameters = Object.entries({ ...query, cursor }).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return `<${baseUrl}${path}?${new URLSearchParams(parameters).toString()}>; rel="next"`;
}
