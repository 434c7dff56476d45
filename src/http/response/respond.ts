import type { Response } from 'express';
import { holdsRows, type RowCursor, Rows, RowsWithMeta } from '../../db/rows.ts';
import { ResponseAborted } from './response-aborted.ts';
import { clientGone } from '../connection/client-gone.ts';
import { contextOf } from '../request-context.ts';
import { streamAnswer } from './stream-response.ts';

/** An answer up to this length goes out in one piece. */
const SMALL_LENGTH = 64 * 1024;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Ends the answer with a JSON text. */
export function sendJson(res: Response, status: number, text: string, type = JSON_TYPE): void {
  res.statusCode = status;
  res.setHeader('content-type', type);
  const bytes = Buffer.byteLength(text);
  // Said to those too who ask for the head alone.
  res.setHeader('content-length', bytes);
  // ASCII is the same in both, and Node writes it faster.
  res.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

/**
 * Answers `{"data": …}`, with what a list has beside it, which may be rows too.
 * @throws what `sendAnswer` throws
 */
export function sendData(res: Response, data: unknown, meta: object = {}): Promise<void> {
  return sendAnswer(res, { data, ...(data instanceof RowsWithMeta ? (data.meta as object) : {}), ...meta });
}

/**
 * Answers an object. Rows in a field of it, or in a field of that one, are sent as they are read.
 * @throws what reading the rows throws, as long as nothing has been sent; after that a failure breaks the connection,
 * so that no client takes half an answer for a whole one.
 */
export async function sendAnswer(
  res: Response,
  answer: object,
  { status = 200, type = JSON_TYPE }: { status?: number; type?: string } = {},
): Promise<void> {
  if (!holdsRows(answer, ROWS_DEPTH)) return sendJson(res, status, JSON.stringify(answer), type);
  const reading: Reading = { cursor: undefined, gone: clientGone(res) };
  // Not left to the generator, which may be waiting for a batch that takes long.
  reading.gone.addEventListener('abort', () => reading.cursor?.close());
  const pieces = piecesOf(answer, ROWS_DEPTH, reading);
  let head = '';
  while (head.length <= SMALL_LENGTH) {
    const piece = await pieces.next();
    if (piece.done) return sendJson(res, status, head, type);
    head += piece.value;
  }
  res.statusCode = status;
  res.setHeader('Content-Type', type);
  await stream(res, head, pieces, reading);
}

/** Rows are `data`, a field of it or a field beside it. */
const ROWS_DEPTH = 2;

/** The text of such an answer in one piece: for one that is kept, as long as its transaction can still be read in. */
export async function textOf(data: unknown): Promise<string> {
  let text = '';
  const reading = { cursor: undefined, gone: new AbortController().signal };
  for await (const piece of piecesOf({ data }, ROWS_DEPTH, reading)) text += piece;
  return text;
}

interface Reading {
  /** The list that is being read. */
  cursor: RowCursor<unknown> | undefined;
  /** Aborted when the client leaves. */
  gone: AbortSignal;
}

async function stream(
  res: Response,
  head: string,
  pieces: AsyncGenerator<string, void>,
  reading: Reading,
): Promise<void> {
  try {
    // Node drops the body of an answer to HEAD, so there is no use in reading it.
    if (res.req.method === 'HEAD') res.end();
    else {
      const { companyId } = contextOf(res).caller!;
      const isWanted = () => reading.cursor?.isWanted() ?? false;
      await streamAnswer(res, { pieces: withHead(head, pieces), companyId, gone: reading.gone, isWanted });
    }
  } catch (error) {
    throw new ResponseAborted('The answer broke off', { cause: error });
  } finally {
    reading.cursor?.close();
    void pieces.return();
  }
}

async function* withHead(head: string, pieces: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  yield head;
  yield* pieces;
}

async function* piecesOf(value: unknown, depth: number, reading: Reading): AsyncGenerator<string, void> {
  if (value instanceof Rows) return yield* piecesOfRows(value as Rows<unknown>, reading);
  if (holdsRows(value, depth)) {
    let opening = '{';
    for (const [name, field] of Object.entries(value)) {
      yield `${opening}${JSON.stringify(name)}:`;
      yield* piecesOf(field, depth - 1, reading);
      opening = ',';
    }
    yield '}';
  } else yield JSON.stringify(value);
}

async function* piecesOfRows(rows: Rows<unknown>, reading: Reading): AsyncGenerator<string, void> {
  const cursor = await rows.open(reading.gone);
  reading.cursor = cursor;
  try {
    reading.gone.throwIfAborted();
    let opening = '[';
    for (let last = false; !last;) {
      const batch = await cursor.next();
      last = batch.last;
      if (batch.rows.length === 0) continue;
      yield opening + rows.json(batch.rows);
      opening = ',';
    }
    yield opening === '[' ? '[]' : ']';
  } finally {
    cursor.close();
  }
}
