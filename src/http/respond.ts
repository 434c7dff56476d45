import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { type RowCursor, Rows } from '../db/rows.ts';
import type { Batch } from '../db/tenant-query.ts';

/** A client that reads ever so slowly holds a connection of the pool no longer than this. */
const LONGEST_ANSWER_MS = 300_000;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Ends the answer with a JSON text. */
export function sendJson(res: Response, status: number, text: string): void {
  res.statusCode = status;
  res.setHeader('Content-Type', JSON_TYPE);
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}

/**
 * Answers `{"data": …}`.
 * @throws what reading the rows throws, as long as nothing has been sent; after that a failure breaks the connection,
 * so that no client takes half a list for a whole one.
 */
export async function sendData(res: Response, data: unknown, stalledClientMs: number): Promise<void> {
  if (data instanceof Rows) return sendRows(res, data, stalledClientMs);
  sendJson(res, 200, JSON.stringify({ data }));
}

/** Sends a list as it is read, never further ahead of the client than one batch. A small one goes out in one piece. */
async function sendRows(res: Response, rows: Rows<unknown>, stalledClientMs: number): Promise<void> {
  const cursor = await rows.open();
  const first = await cursor.next();
  if (first.last) return sendJson(res, 200, `{"data":${JSON.stringify(first.rows)}}`);

  res.statusCode = 200;
  res.setHeader('Content-Type', JSON_TYPE);
  res.setTimeout(stalledClientMs, () => res.destroy());
  const deadline = setTimeout(() => res.destroy(), LONGEST_ANSWER_MS);
  try {
    // Node drops the body of an answer to HEAD, so there is no use in reading it.
    if (res.req.method === 'HEAD') res.end();
    else await pipeline(chunks(cursor, first), res);
  } catch (error) {
    throw new BrokenAnswer('The answer broke off', { cause: error });
  } finally {
    clearTimeout(deadline);
    cursor.close();
  }
}

/** The connection is gone or was broken on purpose: there is nobody to answer. */
export class BrokenAnswer extends Error {}

async function* chunks(cursor: RowCursor<unknown>, first: Batch<unknown>): AsyncGenerator<string> {
  yield `{"data":[${items(first.rows)}`;
  for (let batch = first; !batch.last;) {
    batch = await cursor.next();
    if (batch.rows.length > 0) yield `,${items(batch.rows)}`;
  }
  yield ']}';
}

function items(rows: unknown[]): string {
  return JSON.stringify(rows).slice(1, -1);
}
