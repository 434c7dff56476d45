/** Limits of the operation that stores a table. */
export const MAX_ROWS = 10_000;
export const MAX_COLUMNS = 100;
export const MAX_CELL_LENGTH = 2000;
/** Maximum length of all cells, as in a text file. A workbook can store a string once and use it in a million cells. */
const MAX_TABLE_LENGTH = 10 * 1024 * 1024;

/** Reason why a file or text is not a table of people. */
export type FaultName =
  'empty' | 'unreadable' | 'protected' | 'tooManyRows' | 'tooManyColumns' | 'cellTooLong' | 'tooLarge' | 'noFile';

export interface Table {
  columns: string[];
  rows: string[][];
}

/** A table, or the reason why the input is not a table, with the number of the faulty row if there is one. */
export type TableReading = { table: Table } | TableFaultAt;

export interface TableFaultAt {
  fault: FaultName;
  row?: number;
}

/** The first line of the program's result; the rows follow. */
export type TableHead = Pick<Table, 'columns'> | TableFaultAt;

export class TableFault extends Error {
  readonly fault: FaultName;
  readonly row: number | undefined;

  constructor(fault: FaultName, row?: number) {
    super(fault);
    this.fault = fault;
    this.row = row;
  }
}

/** Converts the lines of a file to a table: the first line that is not empty names the columns. @throws {TableFault} */
export function toTable(lines: readonly (readonly string[])[]): Table {
  const head = lines.findIndex(hasText);
  if (head < 0) throw new TableFault('empty');
  const length = lines.reduce((sum, line) => line.reduce((total, cell) => total + cell.length, sum), 0);
  if (length > MAX_TABLE_LENGTH) throw new TableFault('tooLarge');
  const all = lines.slice(head).map((line) => withoutEmptyEnd(line.map(cleanCell)));
  const last = all.findLastIndex(hasText);
  const [columns = [], ...rows] = all.slice(0, last + 1);
  if (rows.length === 0) throw new TableFault('empty');
  if (rows.length > MAX_ROWS) throw new TableFault('tooManyRows');
  const width = rows.reduce((most, row) => Math.max(most, row.length), columns.length);
  if (width > MAX_COLUMNS) throw new TableFault('tooManyColumns');
  for (const [index, row] of all.entries())
    if (row.some((cell) => cell.length > MAX_CELL_LENGTH)) throw new TableFault('cellTooLong', head + index + 1);
  return { columns: Array.from({ length: width }, (_, column) => cleanName(columns[column] ?? '')), rows };
}

function hasText(cells: readonly string[]): boolean {
  return cells.some((cell) => cell.trim() !== '');
}

/** Removes characters that the API does not accept in strings: null characters and unpaired surrogates. */
function cleanCell(cell: string): string {
  return cell.replaceAll('\0', '').toWellFormed().trim();
}

/** Converts the name of a column to one line of visible characters. */
function cleanName(name: string): string {
  const line = name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\u00a0]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /[\p{L}\p{N}\p{S}\p{P}]/u.test(line) ? line : '';
}

function withoutEmptyEnd(cells: string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
}
