import type { Request, Response } from 'express';
import { Rows, RowsWithMeta } from '../../db/rows.ts';
import { invalidField } from '../../contract/errors.ts';
import { getRequestContext } from '../request-context.ts';
import { type Reading, streamResponse } from './stream-response.ts';

/** Description of a list, from the contract. */
export interface ListResponse {
  /** The field of the data that holds the list; empty if the data is the list. */
  rows: string;
  /** The columns of the CSV: names of fields, with dots between the levels of nested objects. */
  columns: readonly string[];
}

/** A text format of lists. */
interface Shape {
  headers: Record<string, string>;
  /**
   * Creates the text before the first row, and the function that formats a row. A row that is a string is JSON that
   * Postgres has created.
   */
  createLines: (columns: readonly string[]) => { head: string; line: (row: unknown) => string };
}

function createCsvLines(columns: readonly string[]): ReturnType<Shape['createLines']> {
  const ways = columns.map((column) => column.split('.'));
  return { head: csvLine(columns), line };

  function line(item: unknown): string {
    const row = typeof item === 'string' ? (JSON.parse(item) as unknown) : item;
    return csvLine(ways.map((way) => valueAt(row, way)));
  }
}

/** Reads a nested field. Returns undefined if an object on the way to the field is null. */
function valueAt(row: unknown, way: readonly string[]): unknown {
  let value = row;
  for (const name of way) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}

const createJsonLines = () => ({
  head: '',
  line: (row: unknown) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`,
});

const SHAPES = {
  'text/csv': {
    headers: { 'Content-Type': 'text/csv; charset=utf-8; header=present', 'Content-Disposition': 'attachment' },
    createLines: createCsvLines,
  },
  'application/jsonl': {
    headers: { 'Content-Type': 'application/jsonl; charset=utf-8' },
    createLines: createJsonLines,
  },
  // Older media type of JSON Lines. NOTE: not in the contract, because orval would generate a stream instead of the
  // list.
  'application/x-ndjson': {
    headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8' },
    createLines: createJsonLines,
  },
} as const satisfies Record<string, Shape>;

type MediaType = keyof typeof SHAPES;

/** The format that a client requests. */
export interface ListType {
  type: MediaType;
  /** Whether the CSV begins with a byte order mark. */
  hasMark: boolean;
  /** The name under which a browser saves the file; undefined to leave it to the client. Plain ASCII without quotes. */
  fileName?: string;
}

/** The media types with all combinations of parameters: an `Accept` with a parameter matches only types with it. */
const ACCEPTABLE = [
  ...['application/json', ...Object.keys(SHAPES)].flatMap((type) => [type, `${type};charset=utf-8`]),
  ...['', ';charset=utf-8'].flatMap((charset) =>
    ['', ';header=present'].flatMap((header) =>
      ['', ';bom=no', ';bom=yes'].map((bom) => `text/csv${charset}${header}${bom}`),
    ),
  ),
];

/** Returns the list format that a request accepts; undefined for JSON, and if it accepts none of our formats. */
export function listTypeFor(req: Request): ListType | undefined {
  const accepted = req.accepts(ACCEPTABLE) || '';
  const [type = '', ...parameters] = accepted.split(';');
  return type in SHAPES ? { type: type as MediaType, hasMark: parameters.includes('bom=yes') } : undefined;
}

/**
 * Rejects `updatedSince` in formats other than JSON, which have no place for removed items. A copy that misses removals
 * becomes wrong.
 * @throws {ApiError} `invalid_request`
 */
export function refuseUpdatedSince({ query }: Request): void {
  if (query.updatedSince === undefined) return;
  throw invalidField(
    'query/updatedSince',
    'is available in JSON only, because CSV and JSON Lines have no room for `removed` and `syncedUntil`; omit Accept',
  );
}

/** Maximum length of a header in bytes. Clients such as Node's read at most 16 KB of headers in all by default. */
const MAX_HEADER_LENGTH = 8192;

/**
 * Returns the fields next to a list as headers, such as `Coverage`. Each value is the JSON of the field in ASCII.
 * @throws {ApiError} `invalid_request` if a field is too long for a header
 */
export function metaHeaders(data: unknown): [name: string, value: string][] {
  const meta = data instanceof RowsWithMeta ? (data.meta as object) : {};
  return Object.entries(meta).map(([field, value]): [string, string] => {
    const json = JSON.stringify(value).replace(
      /[^ -~]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    if (json.length > MAX_HEADER_LENGTH)
      throw invalidField('header/accept', `must allow JSON, because ${field} is too long for a header`);
    return [field.replace(/^./, (first) => first.toUpperCase()), json];
  });
}

/**
 * Sends the list in the data, line by line as it is read. The fields next to the list become headers.
 * @throws {ApiError} `invalid_request` if the response has no list, or a field is too long for a header
 * @throws the read error if nothing has been sent; otherwise `ResponseAborted`
 */
export async function sendList(
  res: Response,
  data: unknown,
  { type, hasMark, fileName }: ListType,
  list: ListResponse,
): Promise<void> {
  const headers = [...Object.entries(SHAPES[type].headers), ...metaHeaders(data)];
  const { head, line } = SHAPES[type].createLines(list.columns);
  const { companyId } = getRequestContext(res).caller!;
  const rows = rowsIn(data, list);
  const begin = () => {
    res.statusCode = 200;
    res.setHeaders(new Map(headers));
    if (fileName !== undefined) res.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
  };
  async function* write(reading: Reading): AsyncGenerator<string, void> {
    yield `${hasMark ? BYTE_ORDER_MARK : ''}${head}`;
    for await (const batch of reading.batches(rows)) yield batch.map(line).join('');
  }
  await streamResponse(res, { write, begin, companyId });
}

function rowsIn(data: unknown, { rows }: ListResponse): Rows<unknown> {
  const list = rows === '' ? data : (data as Record<string, unknown>)[rows];
  if (list === null)
    throw invalidField('header/accept', `must allow JSON, because ${rows} is null; send the parameter that adds it`);
  return list instanceof Rows ? (list as Rows<unknown>) : Rows.of(() => (list as unknown[]).values());
}

/** Byte order mark for Excel, which would otherwise read the file in the code page of its machine. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A character that begins a formula in spreadsheets, at the beginning of a string or after a character that an import
 * can take for the end of a cell. Excel in German, French and other languages separates cells by semicolons, and
 * ignores quotes that do not surround such a cell. Imports skip white space, invisible characters and quotes before
 * the character, so the pattern skips them. Matches the four ASCII characters and their full-width and small forms.
 */
const FORMULA = /(^|[;\t\r\n\v\f\u0085\u2028\u2029])([\s"\u200B-\u200F\u2060]*)([=+\-@＝＋－＠﹦﹢﹣﹫])/g;
/** A formula sign inside JSON, where each string begins after its quote. */
const FORMULA_INSIDE = /([;\t\r\n\v\f\u0085\u2028\u2029])([\s"\u200B-\u200F\u2060]*)([=+\-@＝＋－＠﹦﹢﹣﹫])/g;
const NUMBER = /^-?\d+(\.\d+)?$/;
/** Characters that programs treat as the end of a cell or a line, and outer white space that they might strip. */
const NEEDS_QUOTES = /[",;|\t\r\n\v\f\u0085\u2028\u2029]|^\s|\s$/;

/**
 * Formats a line of CSV (RFC 4180). Null becomes an empty cell, and other values that are not strings become JSON. To
 * prevent formula injection, inserts `'` before a character that would begin a formula. A string that is a number, such
 * as `-5`, is left unchanged.
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
  // Some programs strip a cell's leading control characters, which must not expose a formula.
  return text.replace(FORMULA, "$1$2'$3").replace(/^[\t\r\n]/, "'$&");
}
