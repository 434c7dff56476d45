import type { Request, Response } from 'express';
import { Rows, RowsWithMeta } from '../../db/rows.ts';
import { invalidField } from '../../contract/errors.ts';
import { getRequestContext } from '../request-context.ts';
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
  createLines: (columns: readonly string[]) => { head: string; line: (row: unknown) => string };
}

function createCsvLines(columns: readonly string[]): ReturnType<Shape['createLines']> {
  const ways = columns.map((column) => column.split('.'));
  return { head: csvLine(columns), line: (row) => csvLine(ways.map((way) => valueAt(row, way))) };
}

/** Undefined inside an object that is null. */
function valueAt(row: unknown, way: readonly string[]): unknown {
  let value = row;
  for (const name of way) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}

const createJsonLines = () => ({ head: '', line: (row: unknown) => `${JSON.stringify(row)}\n` });

const SHAPES = {
  'text/csv': {
    headers: { 'Content-Type': 'text/csv; charset=utf-8; header=present', 'Content-Disposition': 'attachment' },
    createLines: createCsvLines,
  },
  'application/jsonl': {
    headers: { 'Content-Type': 'application/jsonl; charset=utf-8' },
    createLines: createJsonLines,
  },
  // The older name. NOTE: not in the contract: orval makes of it a stream in place of the list.
  'application/x-ndjson': {
    headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8' },
    createLines: createJsonLines,
  },
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
  const { head, line } = SHAPES[type].createLines(list.columns);
  const { companyId } = getRequestContext(res).caller!;
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
  const list = rows === '' ? data : (data as Record<string, unknown>)[rows];
  return list instanceof Rows ? (list as Rows<unknown>) : Rows.of(() => (list as unknown[]).values());
}

/** Marks a file as UTF-8 for Excel, which otherwise reads names in the code page of its machine. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A sign with which spreadsheets begin a formula, at the beginning of a text or behind what an import can take for the end
 * of a cell: Excel in German, French and other languages separates cells by semicolons, and looks for none between quotes
 * that do not surround such a cell. White space, invisible characters and quotes before the sign are skipped, as imports
 * skip them. The signs beside the four of ASCII are their full-width and small forms.
 */
const FORMULA = /(^|[;\t\r\n\v\f\u0085\u2028\u2029])([\s"\u200B-\u200F\u2060]*)([=+\-@＝＋－＠﹦﹢﹣﹫])/g;
/** The same in JSON, where a text begins behind its quote. */
const FORMULA_INSIDE = /([;\t\r\n\v\f\u0085\u2028\u2029])([\s"\u200B-\u200F\u2060]*)([=+\-@＝＋－＠﹦﹢﹣﹫])/g;
const NUMBER = /^-?\d+(\.\d+)?$/;
/** What programs take for the end of a cell or of a line, and white space that they may strip. */
const NEEDS_QUOTES = /[",;|\t\r\n\v\f\u0085\u2028\u2029]|^\s|\s$/;

/**
 * Formats a line of RFC 4180. Null is empty, and what is no text is JSON. No text becomes a formula in a spreadsheet: a sign
 * that would begin one has a `'` before it. A text that is a number, such as `-5`, stays one.
 */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(formatCell).join(',')}\r\n`;
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text =
    typeof value === 'string' ? withoutFormulas(value) : JSON.stringify(value).replace(FORMULA_INSIDE, "$1$2'$3");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function withoutFormulas(text: string): string {
  if (NUMBER.test(text)) return text;
  // Programs that strip control characters before a cell must not bring a formula to light.
  return text.replace(FORMULA, "$1$2'$3").replace(/^[\t\r\n]/, "'$&");
}
