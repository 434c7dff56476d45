import type { Response } from 'express';
import type { SentPdf } from '../contract.ts';
import type { RowCursor } from '../db/rows.ts';
import { BrokenAnswer } from './broken-answer.ts';
import { clientGone } from './client-gone.ts';
import { streamAnswer } from './stream-answer.ts';

type Parts = RowCursor<{ bytes: Buffer }>;

/**
 * Answers a file, to be saved and not to be shown.
 * @param companyId whose share of the places for slow clients it takes
 * @throws what reading its first part throws; after that a failure breaks the connection
 */
export async function sendPdf(
  res: Response,
  { parts, sizeBytes, fileName }: SentPdf,
  companyId: string,
): Promise<void> {
  const gone = clientGone(res);
  const cursor = await parts.open(gone);
  gone.addEventListener('abort', () => cursor.close());
  try {
    const first = await cursor.next();
    res.statusCode = 200;
    res.setHeader('Content-Type', 'application/pdf');
    res.setHeader('Content-Length', sizeBytes);
    res.setHeader('Content-Disposition', attachment(fileName ?? 'policy.pdf'));
    if (res.req.method === 'HEAD') return void res.end();
    await streamAnswer(res, { pieces: piecesOf(cursor, first), companyId, gone, isWanted: () => cursor.isWanted() });
  } catch (error) {
    if (!res.headersSent) throw error;
    throw new BrokenAnswer('The answer broke off', { cause: error });
  } finally {
    cursor.close();
  }
}

async function* piecesOf(cursor: Parts, first: Awaited<ReturnType<Parts['next']>>): AsyncGenerator<Buffer, void> {
  for (let batch = first; ; batch = await cursor.next()) {
    for (const { bytes } of batch.rows) yield bytes;
    if (batch.last) return;
  }
}

/** The name twice: for clients that know RFC 6266, and without what is not ASCII for those that do not. */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
