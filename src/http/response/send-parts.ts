import type { Response } from 'express';
import type { RowCursor, Rows } from '../../db/rows.ts';
import { ResponseAborted } from './response-aborted.ts';
import { clientGone } from '../connection/client-gone.ts';
import { streamAnswer } from './stream-response.ts';

export type Part = { bytes: Buffer };

export interface SentParts {
  parts: Rows<Part>;
  /** Whose share of the places for slow clients it takes. */
  companyId: string;
  /** Sets the status and the headers, `Content-Length` among them. */
  begin: () => void;
  /** What is made of the parts before they are sent; they are sent as they are unless given. */
  through?: (parts: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}

/**
 * Answers what is stored in parts, as they are read.
 * @throws what reading the first part throws; after that a failure breaks the connection
 */
export async function sendParts(res: Response, { parts, companyId, begin, through }: SentParts): Promise<void> {
  const gone = clientGone(res);
  const cursor = await parts.open(gone);
  gone.addEventListener('abort', () => cursor.close());
  try {
    const first = await cursor.next();
    begin();
    if (res.req.method === 'HEAD') return void res.end();
    const stored = piecesOf(cursor, first);
    const pieces = through ? through(stored) : stored;
    await streamAnswer(res, { pieces, companyId, gone, isWanted: () => cursor.isWanted() });
  } catch (error) {
    if (!res.headersSent) throw error;
    throw new ResponseAborted('The answer broke off', { cause: error });
  } finally {
    cursor.close();
  }
}

type Parts = RowCursor<Part>;

async function* piecesOf(cursor: Parts, first: Awaited<ReturnType<Parts['next']>>): AsyncGenerator<Buffer, void> {
  for (let batch = first; ; batch = await cursor.next()) {
    for (const { bytes } of batch.rows) yield bytes;
    if (batch.last) return;
  }
}
