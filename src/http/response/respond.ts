import type { Response } from 'express';
import { holdsRows, Rows, RowsWithMeta } from '../../db/rows.ts';
import { getRequestContext } from '../request-context.ts';
import { endCompressible, endText, Reading, streamResponse } from './stream-response.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Ends the response with a JSON string, which is sent uncompressed. */
export function sendJson(res: Response, status: number, text: string, type = JSON_TYPE): void {
  res.statusCode = status;
  res.setHeader('content-type', type);
  endText(res, text);
}

/** Ends the response with a JSON string, compressed if the route permits it. */
export async function sendCompressibleJson(
  res: Response,
  text: string,
  { status = 200, type = JSON_TYPE }: JsonOptions = {},
): Promise<void> {
  res.statusCode = status;
  res.setHeader('content-type', type);
  await endCompressible(res, text);
}

interface JsonOptions {
  status?: number;
  type?: string;
}

/**
 * Sends `{"data": …}`, with the fields of `meta` and of the list itself next to `data`. `data` and these fields
 * can be rows.
 * @throws the errors of `sendResponse`
 */
export function sendData(res: Response, data: unknown, meta: object = {}): Promise<void> {
  return sendResponse(res, { data, ...(data instanceof RowsWithMeta ? (data.meta as object) : {}), ...meta });
}

/**
 * Sends an object as JSON. Rows in its fields, or one level deeper, are sent as they are read.
 * @throws the read error if nothing has been sent; otherwise `ResponseAborted`, which breaks the connection so that no
 * client takes half a response for a whole one
 */
export async function sendResponse(
  res: Response,
  answer: object,
  { status = 200, type = JSON_TYPE }: JsonOptions = {},
): Promise<void> {
  if (!holdsRows(answer, ROWS_DEPTH)) return sendCompressibleJson(res, JSON.stringify(answer), { status, type });
  const begin = () => {
    res.statusCode = status;
    res.setHeader('content-type', type);
  };
  const write = (reading: Reading) => serializeInPieces(answer, ROWS_DEPTH, reading);
  await streamResponse(res, { write, begin, companyId: getRequestContext(res).caller!.companyId });
}

/** Maximum depth of rows: they are `data`, one of its fields, or a field next to `data`. */
const ROWS_DEPTH = 2;

/** Serializes `{"data": …}` in one piece, to store it. Must be called while the transaction of its rows is open. */
export async function serializeResponse(data: unknown): Promise<string> {
  let text = '';
  const reading = new Reading(new AbortController().signal);
  for await (const piece of serializeInPieces({ data }, ROWS_DEPTH, reading)) text += piece;
  return text;
}

async function* serializeInPieces(value: unknown, depth: number, reading: Reading): AsyncGenerator<string, void> {
  if (value instanceof Rows) return yield* serializeRows(value as Rows<unknown>, reading);
  if (holdsRows(value, depth)) {
    let opening = '{';
    for (const [name, field] of Object.entries(value)) {
      yield `${opening}${JSON.stringify(name)}:`;
      yield* serializeInPieces(field, depth - 1, reading);
      opening = ',';
    }
    yield '}';
  } else yield JSON.stringify(value);
}

async function* serializeRows(rows: Rows<unknown>, reading: Reading): AsyncGenerator<string, void> {
  let opening = '[';
  for await (const batch of reading.batches(rows)) {
    yield opening + rows.json(batch);
    opening = ',';
  }
  yield opening === '[' ? '[]' : ']';
}
