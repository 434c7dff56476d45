import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../contract/errors.ts';
import { Bulkhead } from '../limits/bulkhead.ts';
import { readFileSync } from 'node:fs';

/** What was found: a readable PDF with so many pages, or what is wrong with the file, to follow its name. */
export type Inspection = { pageCount: number; fault?: undefined } | { fault: string };

const PROGRAM = fileURLToPath(new URL('./inspection.ts', import.meta.url));
/** Where Node keeps compiled code, for a deployment that has such a place. */
const CACHE = process.env.NODE_COMPILE_CACHE;
const MAX_CPU_MS = 4000;
const MAX_MEMORY_MIB = 200;
/** A machine that is so busy has not judged the file. */
const MAX_MS = 20_000;
const LOOK_EVERY_MS = 20;

/** Longer than all that may wait before it. */
const TIMEOUT_MS = 60_000;

const slots = new Bulkhead({ max: 2, maxPerCompany: 1, timeoutMs: TIMEOUT_MS });

/**
 * Reads a file as a PDF, in a process of its own with bounds on its time and memory: whatever a stranger's file does to
 * its reader ends with that.
 * @param companyId whose file it is; one of a company is read at a time
 * @param signal ends the reading, or the wait for a turn
 * @throws {ApiError} `service_timeout` or `service_unavailable` when the machine is too busy to tell, and what waiting for
 * a turn throws; the signal's reason
 */
export function inspectPdf(bytes: Uint8Array, companyId: string, signal?: AbortSignal): Promise<Inspection> {
  return slots.run(companyId, signal, () => inspect(bytes, signal));
}

async function inspect(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<Inspection> {
  const reader = spawn(
    process.execPath,
    ['--max-old-space-size=128', '--disable-warning=ExperimentalWarning', PROGRAM],
    {
      env: CACHE === undefined ? {} : { NODE_COMPILE_CACHE: CACHE },
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  const closed = once(reader, 'close').catch(() => undefined);
  try {
    // A machine without room for another process.
    if (reader.pid === undefined) throw new ApiError('service_unavailable', 'The service is temporarily unavailable.');
    return await Promise.race([readInspection(reader, bytes), watchBounds(reader, signal)]);
  } finally {
    reader.kill('SIGKILL');
    await closed;
  }
}

async function readInspection(reader: ChildProcess, bytes: Uint8Array): Promise<Inspection> {
  // A reader that has seen enough, or died, takes no more.
  reader.stdin!.on('error', () => undefined).end(bytes);
  let text = '';
  for await (const piece of reader.stdout!) {
    text += String(piece);
    // Not waited for to end: now and then Node does not get done with that.
    if (text.endsWith('\n')) break;
  }
  try {
    return JSON.parse(text) as Inspection;
  } catch {
    return { fault: 'cannot be read' };
  }
}

/** Resolves with the bound that the reader passes; never, when it keeps to them. Rejects when it is wanted no more. */
function watchBounds(reader: ChildProcess, signal: AbortSignal | undefined): Promise<Inspection> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const watch = setInterval(() => {
      const elapsedMs = performance.now() - startedAt;
      // Where the system does not tell, the clock must do for the processor's time.
      const { cpuMs = elapsedMs, memoryMib = 0 } = readProcessUsage(reader.pid!) ?? {};
      if (signal?.aborted) reject(signal.reason as Error);
      else if (cpuMs > MAX_CPU_MS) resolve({ fault: 'takes too long to read' });
      else if (memoryMib > MAX_MEMORY_MIB) resolve({ fault: 'needs too much memory to be read' });
      else if (elapsedMs > MAX_MS) reject(new ApiError('service_timeout', 'The service took too long to answer.'));
    }, LOOK_EVERY_MS);
    // From then on the system tells nothing, though the answer may still be on its way.
    reader.once('exit', () => clearInterval(watch));
  });
}

/** Of a clock tick of Linux, the same on every machine. */
const TICK_MS = 10;

/** What a process has used so far, where the system has a `/proc` to ask; undefined elsewhere or when it is gone. */
export function readProcessUsage(pid: number): { cpuMs: number; memoryMib: number } | undefined {
  try {
    // The name of the program may hold spaces and brackets; what follows the last one is counted from the third field.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, memoryMib: Number(resident ?? 0) / 1024 };
  } catch {
    return undefined;
  }
}
