import type { Request, Response } from 'express';
import type { RowCursor, Rows } from '../db/rows.ts';
import { BrokenAnswer } from './broken-answer.ts';
import { clientGone } from './client-gone.ts';
import { csvLine } from './csv.ts';
import { contextOf } from './request-context.ts';
import { streamAnswer } from './stream-answer.ts';

/** Whether a client asks for CSV, and would not rather have JSON. */
export function wantsCsv(req: Request): boolean {
  return req.accepts(['application/json', 'text/csv']) === 'text/csv';
}

/**
 * Answers a list as a CSV file, which is sent as the list is read.
 * @throws what reading its first rows throws; after that a failure breaks the connection
 */
export async function sendCsv(res: Response, rows: Rows<unknown>, columns: readonly string[]): Promise<void> {
  const gone = clientGone(res);
  const cursor = await rows.open(gone);
  gone.addEventListener('abort', () => cursor.close());
  try {
    const first = await cursor.next();
    res.statusCode = 200;
    res.setHeader('Content-Type', 'text/csv; charset=utf-8; header=present');
    res.setHeader('Content-Disposition', 'attachment');
    if (res.req.method === 'HEAD') return void res.end();
    const { companyId } = contextOf(res).caller!;
    const pieces = piecesOf(cursor, first, columns);
    await streamAnswer(res, { pieces, companyId, gone, isWanted: () => cursor.isWanted() });
  } catch (error) {
    if (!res.headersSent) throw error;
    throw new BrokenAnswer('The answer broke off', { cause: error });
  } finally {
    cursor.close();
  }
}

type Cursor = RowCursor<unknown>;

async function* piecesOf(
  cursor: Cursor,
  first: Awaited<ReturnType<Cursor['next']>>,
  columns: readonly string[],
): AsyncGenerator<string, void> {
  yield csvLine(columns);
  for (let batch = first; ; batch = await cursor.next()) {
    const rows = batch.rows as Record<string, unknown>[];
    if (rows.length > 0) yield rows.map((row) => csvLine(columns.map((column) => row[column]))).join('');
    if (batch.last) return;
  }
}
