import { MAX_ROWS, TableFault } from './table-limits.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;

/**
 * Decodes a text file. Without a byte order mark, the text is UTF-16 if many of its first bytes are zero, otherwise
 * UTF-8. If it is not valid UTF-8, it is Windows-1252, in which Excel saves CSV files in Western Europe.
 */
export function decodeTableText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decode('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decode('utf-16be', bytes);
  const start = bytes.subarray(0, 200);
  const zeros = (offset: 0 | 1) => start.filter((byte, index) => index % 2 === offset && byte === 0).length;
  if (zeros(1) > start.length / 4) return decode('utf-16le', bytes);
  if (zeros(0) > start.length / 4) return decode('utf-16be', bytes);
  if (start.includes(0)) throw new TableFault('unreadable');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decode('windows-1252', bytes);
  }
}

function decode(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding).decode(bytes);
}

/**
 * Reads delimited text: RFC 4180 with any of four delimiters, and any line break. Quotation marks within an unquoted
 * cell are ordinary characters. A line `sep=;` at the start, which Excel understands, names the delimiter.
 */
export function parseTableText(text: string): string[][] {
  const named = /^sep=(.)\r?\n/i.exec(text);
  const body = named ? text.slice(named[0].length) : text;
  return parse(body, named?.[1] ?? findDelimiter(body));
}

/** Number of characters at the start that determine the delimiter. */
const SAMPLE_LENGTH = 20_000;

/** Returns the delimiter that splits the first lines into the most cells, with the same number in most lines. */
function findDelimiter(text: string): string {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const scored = DELIMITERS.map((delimiter) => {
    const lines = parse(sample, delimiter).filter((line) => line.some((cell) => cell !== ''));
    const width = lines[0]?.length ?? 1;
    const same = lines.filter((line) => line.length === width).length;
    return { delimiter, score: width === 1 ? 0 : (same / lines.length) * 1000 + width };
  });
  return scored.reduce((best, one) => (one.score > best.score ? one : best)).delimiter;
}

function parse(text: string, delimiter: string): string[][] {
  const rows = new RowList();
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? readQuoted(text, at, delimiter) : readPlain(text, at, delimiter);
    row.push(cell);
    if (row.length > MAX_CELLS) throw new TableFault('tooManyColumns');
    if (text[end] === delimiter) {
      at = end + 1;
      // A delimiter at the end of the text is followed by an empty cell.
      if (at === text.length) row.push('');
      continue;
    }
    rows.add(row);
    row = [];
    at = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
  }
  if (row.length > 0) rows.add(row);
  return rows.rows;
}

/** Maximum number of cells in a row: Excel's own limit, because Excel can end each row with thousands of delimiters. */
const MAX_CELLS = 16_384;

/**
 * Rows without the empty ones at the end. Counts empty rows until another row follows: millions of them would exhaust
 * the memory of the thread, which can end the whole process.
 */
class RowList {
  readonly rows: string[][] = [];
  #empty = 0;

  /** @throws {TableFault} */
  add(row: string[]): void {
    if (row.every((cell) => cell.trim() === '')) return void (this.#empty += 1);
    if (this.rows.length + this.#empty > MAX_ROWS) throw new TableFault('tooManyRows');
    for (; this.#empty > 0; this.#empty -= 1) this.rows.push([]);
    this.rows.push(row);
  }
}

function isEnd(character: string | undefined, delimiter: string): boolean {
  return character === undefined || character === delimiter || character === '\n' || character === '\r';
}

function readPlain(text: string, start: number, delimiter: string): [cell: string, end: number] {
  let end = start;
  while (!isEnd(text[end], delimiter)) end += 1;
  return [text.slice(start, end), end];
}

/** Reads a cell in quotation marks. Text between the closing quote and the delimiter belongs to the cell. */
function readQuoted(text: string, start: number, delimiter: string): [cell: string, end: number] {
  const parts: string[] = [];
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return [parts.join('') + text.slice(at), text.length];
    parts.push(text.slice(at, quote));
    if (text[quote + 1] !== '"') {
      const [rest, end] = readPlain(text, quote + 1, delimiter);
      return [parts.join('') + rest, end];
    }
    parts.push('"');
    at = quote + 2;
  }
}
