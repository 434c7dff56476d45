import { runInThread } from '../../../../limits/run-in-thread.ts';
import type { TableReading } from './table-limits.ts';

const PROGRAM = new URL('table-thread.ts', import.meta.url);

/** Reads a CSV file, an Excel workbook or a pasted text, in a thread. */
export function readTable(bytes: Uint8Array): Promise<TableReading> {
  return runInThread<TableReading>(PROGRAM, bytes);
}
