import type { Request, Response } from 'express';
import { type RowCursor, Rows } from '../db/rows.ts';
import { BrokenAnswer } from './broken-answer.ts';
import { clientGone } from './client-gone.ts';
import { csvLine } from './csv.ts';
import { contextOf } from './request-context.ts';
import { streamAnswer } from './stream-answer.ts';

/** What the contract says of a list. */
export interface ListAnswer {
  /** The field of the data that holds it; empty when the data is the list. */
  rows: string;
  /** The columns of its CSV: the names of fields, with dots on the way into objects. */
  columns: readonly string[];
}

/** How a list is written. */
interface Shape {
  headers: Record<string, string>;
  /** What stands before the first row, and the line of a row. */
  linesOf: (columns: readonly string[]) => { head: string; line: (row: unknown) => string };
}

function csvOf(columns: readonly string[]): ReturnType<Shape['linesOf']> {
  const ways = columns.map((column) => column.split('.'));
  return { head: csvLine(columns), line: (row) => csvLine(ways.map((way) => valueAt(row, way))) };
}

/** Undefined inside an object that is null. */
function valueAt(row: unknown, way: readonly string[]): unknown {
  let value = row;
  for (const name of way) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}

const jsonLines = () => ({ head: '', line: (row: unknown) => `${JSON.stringify(row)}\n` });

const SHAPES = {
  'text/csv': {
    headers: { 'Content-Type': 'text/csv; charset=utf-8; header=present', 'Content-Disposition': 'attachment' },
    linesOf: csvOf,
  },
  'application/jsonl': { headers: { 'Content-Type': 'application/jsonl; charset=utf-8' }, linesOf: jsonLines },
  // The older name. NOTE: not in the contract: orval makes of it a stream in place of the list.
  'application/x-ndjson': { headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8' }, linesOf: jsonLines },
} as const satisfies Record<string, Shape>;

export type ListType = keyof typeof SHAPES;
/** With the charset too: a client that names it takes nothing else. */
const ACCEPTABLE = ['application/json', ...Object.keys(SHAPES)].flatMap((type) => [type, `${type};charset=utf-8`]);

/** The type of a list that a client asks for; undefined for JSON, which who asks for none of ours gets too. */
export function listTypeFor(req: Request): ListType | undefined {
  const accepted = req.accepts(ACCEPTABLE);
  const [type = ''] = accepted === false ? [] : accepted.split(';');
  return type in SHAPES ? (type as ListType) : undefined;
}

/**
 * Answers the list in the data alone, line by line as it is read.
 * @throws what reading its first rows throws; after that a failure breaks the connection
 */
export async function sendList(res: Response, data: unknown, type: ListType, list: ListAnswer): Promise<void> {
  const gone = clientGone(res);
  const cursor = await rowsIn(data, list).open(gone);
  gone.addEventListener('abort', () => cursor.close());
  try {
    const first = await cursor.next();
    res.statusCode = 200;
    res.setHeaders(new Map(Object.entries(SHAPES[type].headers)));
    if (res.req.method === 'HEAD') return void res.end();
    const { companyId } = contextOf(res).caller!;
    const pieces = piecesOf(cursor, first, SHAPES[type].linesOf(list.columns));
    await streamAnswer(res, { pieces, companyId, gone, isWanted: () => cursor.isWanted() });
  } catch (error) {
    if (!res.headersSent) throw error;
    throw new BrokenAnswer('The answer broke off', { cause: error });
  } finally {
    cursor.close();
  }
}

function rowsIn(data: unknown, { rows }: ListAnswer): Rows<unknown> {
  const found = rows === '' ? data : (data as Record<string, unknown>)[rows];
  return found instanceof Rows ? (found as Rows<unknown>) : Rows.of(() => (found as unknown[]).values());
}

type Cursor = RowCursor<unknown>;

async function* piecesOf(
  cursor: Cursor,
  first: Awaited<ReturnType<Cursor['next']>>,
  { head, line }: ReturnType<Shape['linesOf']>,
): AsyncGenerator<string, void> {
  yield head;
  for (let batch = first; ; batch = await cursor.next()) {
    if (batch.rows.length > 0) yield batch.rows.map(line).join('');
    if (batch.last) return;
  }
}
