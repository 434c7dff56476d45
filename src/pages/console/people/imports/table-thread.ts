// Reads a table in a thread, because a file of 10 MiB takes longer than the event loop can wait.
import { parentPort, workerData } from 'node:worker_threads';
import { TableFault, type TableReading, toTable } from './table-limits.ts';
import { decodeTableText, parseTableText } from './table-text.ts';
import { readWorkbook } from './table-workbook.ts';

const ZIP = [0x50, 0x4b];
/** First bytes of the old format `.xls`, and of workbooks with a password. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

async function read(bytes: Uint8Array): Promise<TableReading> {
  const begins = (start: readonly number[]) => start.every((byte, index) => bytes[index] === byte);
  try {
    if (begins(COMPOUND_FILE)) throw new TableFault('protected');
    const lines = begins(ZIP) ? await readWorkbook(bytes) : parseTableText(decodeTableText(bytes));
    return { table: toTable(lines) };
  } catch (error) {
    if (!(error instanceof TableFault)) throw error;
    return { fault: error.fault, ...(error.row !== undefined && { row: error.row }) };
  }
}

parentPort!.postMessage(await read(workerData as Uint8Array));
