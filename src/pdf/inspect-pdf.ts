import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../contract/errors.ts';
import { Bulkhead } from '../limits/bulkhead.ts';
import { readFileSync } from 'node:fs';

/** Result of an inspection: the page count of a readable PDF, or the fault of the file, as the rest of a sentence. */
export type Inspection = { pageCount: number; fault?: undefined } | { fault: string };

const PROGRAM = fileURLToPath(new URL('./inspection.ts', import.meta.url));
/** Folder of Node's compile cache, if the deployment has one. */
const CACHE = process.env.NODE_COMPILE_CACHE;
const MAX_CPU_MS = 4000;
const MAX_MEMORY_MIB = 200;
/** Limit of the elapsed time. An inspection that takes longer says nothing about the file: the machine is too busy. */
const MAX_MS = 20_000;
const LOOK_EVERY_MS = 20;

/** Time to wait for a slot; longer than all inspections that can come before. */
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
    // Without an id, the process did not start: the machine has no room for another one.
    if (reader.pid === undefined)
      throw new ApiError('service_unavailable', 'The service is temporarily unavailable; try again later.');
    return await Promise.race([readInspection(reader, bytes), watchBounds(reader, signal)]);
  } finally {
    reader.kill('SIGKILL');
    await closed;
  }
}

async function readInspection(reader: ChildProcess, bytes: Uint8Array): Promise<Inspection> {
  // A reader that has seen enough, or has died, accepts no more input.
  reader.stdin!.on('error', () => undefined).end(bytes);
  let text = '';
  for await (const piece of reader.stdout!) {
    text += String(piece);
    // Does not wait for the process to end: occasionally, Node fails to end it.
    if (text.endsWith('\n')) break;
  }
  try {
    return JSON.parse(text) as Inspection;
  } catch {
    return { fault: 'cannot be read' };
  }
}

/**
 * Resolves with the fault once the reader exceeds a limit, and rejects once the signal is aborted or the machine is too
 * slow. Otherwise, never settles.
 */
function watchBounds(reader: ChildProcess, signal: AbortSignal | undefined): Promise<Inspection> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const watch = setInterval(() => {
      const elapsedMs = performance.now() - startedAt;
      // If the system does not report the processor's time, the elapsed time replaces it.
      const { cpuMs = elapsedMs, memoryMib = 0 } = readProcessUsage(reader.pid!) ?? {};
      if (signal?.aborted) reject(signal.reason as Error);
      else if (cpuMs > MAX_CPU_MS) resolve({ fault: 'takes too long to read' });
      else if (memoryMib > MAX_MEMORY_MIB) resolve({ fault: 'needs too much memory to read' });
      else if (elapsedMs > MAX_MS)
        reject(
          new ApiError('service_timeout', 'The service took too long to respond; try again later, or ask for less.'),
        );
    }, LOOK_EVERY_MS);
    // After the exit, the system reports nothing, although the result might still be on its way.
    reader.once('exit', () => clearInterval(watch));
  });
}

/** Length of a clock tick of Linux in milliseconds, the same on every machine. */
const TICK_MS = 10;

/** Returns the resources that a process has used; undefined without `/proc`, or if the process no longer exists. */
export function readProcessUsage(pid: number): { cpuMs: number; memoryMib: number } | undefined {
  try {
    // The program's name can contain spaces and brackets. The text after the last bracket starts with the third field.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, memoryMib: Number(resident ?? 0) / 1024 };
  } catch {
    return undefined;
  }
}
