import type { Request, Response } from 'express';
import { Rows, RowsWithMeta } from '../../db/rows.ts';
import { invalidField } from '../../contract/errors.ts';
import { BYTE_ORDER_MARK, csvLine } from './csv.ts';
import { contextOf } from '../request-context.ts';
import { type Reading, streamResponse } from './stream-response.ts';

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

type MediaType = keyof typeof SHAPES;

/** The shape that a client asks for. */
export interface ListType {
  type: MediaType;
  /** CSV that begins with a byte order mark. */
  hasMark: boolean;
}

/** What an `Accept` may say of each type: a client that names a parameter takes nothing without it. */
const ACCEPTABLE = [
  ...['application/json', ...Object.keys(SHAPES)].flatMap((type) => [type, `${type};charset=utf-8`]),
  ...['', ';charset=utf-8'].flatMap((charset) =>
    ['', ';header=present'].flatMap((header) =>
      ['', ';bom=no', ';bom=yes'].map((bom) => `text/csv${charset}${header}${bom}`),
    ),
  ),
];

/** The shape of a list that a client asks for; undefined for JSON, which who asks for none of ours gets too. */
export function listTypeFor(req: Request): ListType | undefined {
  const accepted = req.accepts(ACCEPTABLE) || '';
  const [type = '', ...parameters] = accepted.split(';');
  return type in SHAPES ? { type: type as MediaType, hasMark: parameters.includes('bom=yes') } : undefined;
}

/**
 * Refuses another shape than JSON where it would leave out what makes sense of the list: a copy that never learns what was
 * removed is wrong.
 * @throws {ApiError} `invalid_request`
 */
export function requireWholeAnswer({ query }: Request): void {
  if (query.updatedSince === undefined) return;
  throw invalidField(
    'query/updatedSince',
    'is answered as JSON only, since CSV and lines of JSON have no place for removed and syncedUntil: leave Accept out',
  );
}

/** A client reads at most 16 KB of headers, by default. */
const MAX_HEADER_LENGTH = 8192;

/**
 * The fields beside a list as headers, such as `Coverage`, each with the JSON of the field in ASCII.
 * @throws {ApiError} `invalid_request` when one is too long for a header
 */
export function metaHeaders(data: unknown): [name: string, value: string][] {
  const meta = data instanceof RowsWithMeta ? (data.meta as object) : {};
  return Object.entries(meta).map(([field, value]): [string, string] => {
    const json = JSON.stringify(value).replace(
      /[^ -~]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    if (json.length > MAX_HEADER_LENGTH)
      throw invalidField('header/accept', `has no place for ${field}, which is too long for a header: ask for JSON`);
    return [field.replace(/^./, (first) => first.toUpperCase()), json];
  });
}

/**
 * Answers the list in the data, line by line as it is read. What is beside it goes into headers.
 * @throws invalid_request when that is too long for them; what reading its first rows throws; after that a failure breaks the connection
 */
export async function sendList(
  res: Response,
  data: unknown,
  { type, hasMark }: ListType,
  list: ListAnswer,
): Promise<void> {
  const headers = [...Object.entries(SHAPES[type].headers), ...metaHeaders(data)];
  const { head, line } = SHAPES[type].linesOf(list.columns);
  const { companyId } = contextOf(res).caller!;
  const begin = () => {
    res.statusCode = 200;
    res.setHeaders(new Map(headers));
  };
  async function* write(reading: Reading): AsyncGenerator<string, void> {
    yield `${hasMark ? BYTE_ORDER_MARK : ''}${head}`;
    for await (const batch of reading.batches(rowsIn(data, list))) yield batch.map(line).join('');
  }
  await streamResponse(res, { write, begin, companyId });
}

function rowsIn(data: unknown, { rows }: ListAnswer): Rows<unknown> {
  const found = rows === '' ? data : (data as Record<string, unknown>)[rows];
  return found instanceof Rows ? (found as Rows<unknown>) : Rows.of(() => (found as unknown[]).values());
}
