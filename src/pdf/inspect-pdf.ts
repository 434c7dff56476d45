import { Bulkhead } from '../limits/bulkhead.ts';
import { ProcessFault, runInProcess } from '../limits/run-in-process.ts';

/** Result of an inspection: the page count of a readable PDF, or the fault of the file, as the rest of a sentence. */
export type Inspection = { pageCount: number; fault?: undefined } | { fault: string };

const PROGRAM = new URL('inspection.ts', import.meta.url);
const LIMITS = { maxCpuMs: 4000, maxMemoryMib: 200, maxHeapMib: 128, maxMs: 20_000 };
const FAULTS = {
  time: 'takes too long to read',
  memory: 'needs too much memory to read',
  failed: 'cannot be read',
};

/** Time to wait for a slot; longer than all inspections that can run before this one. */
const TIMEOUT_MS = 60_000;

const slots = new Bulkhead({ max: 2, maxPerCompany: 1, timeoutMs: TIMEOUT_MS });

/**
 * Inspects a file as a PDF, in a separate process with limits on time and memory. A hostile file can therefore crash or
 * exhaust only that process.
 * @param companyId company that owns the file; the service inspects its files one at a time
 * @param signal aborts the inspection, or the wait for a slot
 * @throws {ApiError} `service_timeout` or `service_unavailable` if the machine is too busy
 * @throws the errors of the bulkhead, or the signal's reason
 */
export function inspectPdf(bytes: Uint8Array, companyId: string, signal?: AbortSignal): Promise<Inspection> {
  return slots.run(companyId, signal, () => inspect(bytes, signal));
}

async function inspect(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<Inspection> {
  try {
    const [inspection] = await runInProcess<Inspection>(PROGRAM, bytes, { limits: LIMITS, signal });
    return inspection!;
  } catch (error) {
    if (error instanceof ProcessFault) return { fault: FAULTS[error.reason] };
    throw error;
  }
}
