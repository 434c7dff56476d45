import { Bulkhead } from '../../../../limits/bulkhead.ts';
import { ProcessFault, runInProcess } from '../../../../limits/run-in-process.ts';
import type { TableHead, TableReading } from './table-limits.ts';

const PROGRAM = new URL('table-program.ts', import.meta.url);
/** A workbook of 10,000 people with 13 columns takes 2 s and 300 MiB on a busy machine. */
const LIMITS = { maxCpuMs: 15_000, maxMemoryMib: 640, maxHeapMib: 512, maxMs: 45_000 };

const slots = new Bulkhead({ max: 2, maxPerCompany: 1, timeoutMs: LIMITS.maxMs });

/**
 * Reads a CSV file, an Excel workbook or pasted text, in a separate process. A table that takes too long, or too much
 * memory, is unreadable.
 * @param companyId company that owns the table; the service reads one table of a company at a time
 * @throws {ApiError} if the machine is too busy
 */
export function readTable(bytes: Uint8Array, companyId: string): Promise<TableReading> {
  return slots.run(companyId, undefined, () => read(bytes));
}

async function read(bytes: Uint8Array): Promise<TableReading> {
  try {
    const [head, ...pieces] = (await runInProcess(PROGRAM, bytes, { limits: LIMITS })) as [TableHead, ...string[][][]];
    return 'fault' in head ? head : { table: { columns: head.columns, rows: pieces.flat() } };
  } catch (error) {
    if (error instanceof ProcessFault) return { fault: 'unreadable' };
    throw error;
  }
}
