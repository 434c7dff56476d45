// Reads the table on standard input. Runs as a separate process, because its input comes from strangers.
import { readInput, writeLines } from '../../../../limits/process-output.ts';
import { TableFault, type TableReading, toTable } from './table-limits.ts';
import { decodeTableText, parseTableText } from './table-text.ts';

const ZIP = [0x50, 0x4b];
/** First bytes of the old format `.xls`, and of workbooks with a password. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

async function read(bytes: Uint8Array): Promise<TableReading> {
  const begins = (start: readonly number[]) => start.every((byte, index) => bytes[index] === byte);
  try {
    if (begins(COMPOUND_FILE)) throw new TableFault('protected');
    const lines = begins(ZIP) ? await readSheet(bytes) : parseTableText(decodeTableText(bytes));
    return { table: toTable(lines) };
  } catch (error) {
    if (!(error instanceof TableFault)) throw error;
    return { fault: error.fault, ...(error.row !== undefined && { row: error.row }) };
  }
}

/** Loads the library only for workbooks, because loading takes most of the time for a text file. */
async function readSheet(bytes: Uint8Array): Promise<string[][]> {
  const { readWorkbook } = await import('./table-workbook.ts');
  return readWorkbook(bytes);
}

/** Number of rows in a line of the result. The service parses 100 long rows in a few milliseconds. */
const ROWS_TO_A_LINE = 100;

function* toLines(reading: TableReading): Generator<unknown> {
  if ('fault' in reading) return void (yield reading);
  const { columns, rows } = reading.table;
  yield { columns };
  for (let start = 0; start < rows.length; start += ROWS_TO_A_LINE) yield rows.slice(start, start + ROWS_TO_A_LINE);
}

await writeLines(toLines(await read(await readInput())));
