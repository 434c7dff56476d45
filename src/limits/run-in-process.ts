// Reading strangers' files in separate processes.
//
// A crafted file can keep a parser busy for minutes, or make it allocate faster than anything can stop it. A thread is
// no shelter: when the heap of a worker runs out between two checks, V8 ends the whole process. So the parsers of
// uploaded files and received emails run in processes with limits on the processor's time, the elapsed time and memory.
//
// The program reads its input from standard input (`readInput`), and writes its result as lines of JSON, ended by an
// empty line (`writeLines`). Lines keep a long result from blocking the event loop: the service parses one line per
// turn of the event loop.
//
// Starting a process takes 60 to 130 ms of processor time, most of it for loading the parser (2026-11-30). That is
// little compared to an upload, so the service keeps no idle process for the next file. Callers limit the number of
// processes with a bulkhead.
//
// If the service is killed, nothing watches the limits any more. So the kernel also limits the processor's time: a
// shell sets the limit and becomes the program. A program that is waiting for input exits by itself, because its input
// ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../contract/errors.ts';
import { giveWay } from './give-way.ts';

/** Folder of Node's compile cache, if the deployment has one. */
const CACHE = process.env.NODE_COMPILE_CACHE;
const LOOK_EVERY_MS = 20;
/** Maximum length of a result. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface ProcessLimits {
  maxCpuMs: number;
  /** Maximum resident memory, including that of Node, about 50 MiB. */
  maxMemoryMib: number;
  maxHeapMib: number;
  /** Maximum elapsed time. A program that exceeds it says nothing about the file: the machine is too busy. */
  maxMs: number;
}

/** The reason why a program has no result. */
export class ProcessFault extends Error {
  readonly reason: 'time' | 'memory' | 'failed';

  constructor(reason: ProcessFault['reason']) {
    super(`the process returned no result: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Runs a program on a file, and returns the lines of its result.
 * @param signal aborts the program
 * @throws {ProcessFault} if the program exceeds a limit or fails
 * @throws {ApiError} `service_timeout` or `service_unavailable` if the machine is too busy
 * @throws the signal's reason
 */
export async function runInProcess<Line>(
  program: URL,
  input: Uint8Array,
  { limits, signal }: { limits: ProcessLimits; signal?: AbortSignal | undefined },
): Promise<Line[]> {
  const reader = tryStart(program, limits);
  const closed = once(reader, 'close').catch(() => undefined);
  try {
    // Without an id, the process did not start: the machine has no resources for another process.
    if (reader.pid === undefined) throw noRoom();
    return await Promise.race([readLines<Line>(reader, input), watchLimits(reader, limits, signal)]);
  } finally {
    reader.kill('SIGKILL');
    await closed;
  }
}

/** Starts a process. Node throws some of the system's errors, such as lack of memory, and emits others. */
function tryStart(program: URL, limits: ProcessLimits): ChildProcess {
  try {
    return start(program, limits);
  } catch (error) {
    throw noRoom(error);
  }
}

function noRoom(cause?: unknown): ApiError {
  return new ApiError('service_unavailable', 'The service is temporarily unavailable; try again later.', { cause });
}

/** Sets the kernel's limit in seconds, and becomes the program. */
const WITH_CPU_LIMIT = 'ulimit -t "$0"; exec "$@"';

function start(program: URL, { maxCpuMs, maxHeapMib }: ProcessLimits): ChildProcess {
  const options = [`--max-old-space-size=${maxHeapMib}`, '--disable-warning=ExperimentalWarning'];
  // Five seconds more, so that this process sees that the limit is exceeded, even on a busy machine.
  const maxCpuSeconds = Math.ceil(maxCpuMs / 1000) + 5;
  const command = [String(maxCpuSeconds), process.execPath, ...options, fileURLToPath(program)];
  return spawn('/bin/sh', ['-c', WITH_CPU_LIMIT, ...command], {
    env: CACHE === undefined ? {} : { NODE_COMPILE_CACHE: CACHE },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

async function readLines<Line>(reader: ChildProcess, input: Uint8Array): Promise<Line[]> {
  // A program that has read enough, or has died, accepts no more input.
  reader.stdin!.on('error', () => undefined).end(input);
  const lines: Line[] = [];
  let rest: Buffer[] = [];
  let length = 0;
  for await (const piece of reader.stdout! as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MAX_OUTPUT_BYTES) throw new ProcessFault('memory');
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; start = end + 1, end = piece.indexOf('\n', start)) {
      const text = Buffer.concat([...rest, piece.subarray(start, end)]).toString();
      rest = [];
      // Does not wait for the process to end: occasionally, Node fails to end it.
      if (text === '') return lines;
      lines.push(JSON.parse(text) as Line);
      await giveWay();
    }
    rest.push(piece.subarray(start));
  }
  throw new ProcessFault('failed');
}

/** Rejects once the program exceeds a limit, or the signal is aborted. Never resolves. */
function watchLimits(reader: ChildProcess, limits: ProcessLimits, signal: AbortSignal | undefined): Promise<never> {
  const startedAt = performance.now();
  return new Promise((_resolve, reject) => {
    const watch = setInterval(() => {
      const elapsedMs = performance.now() - startedAt;
      // If the system does not report the processor's time, the elapsed time replaces it.
      const { cpuMs = elapsedMs, memoryMib = 0 } = readProcessUsage(reader.pid!) ?? {};
      if (signal?.aborted) reject(signal.reason as Error);
      else if (cpuMs > limits.maxCpuMs) reject(new ProcessFault('time'));
      else if (memoryMib > limits.maxMemoryMib) reject(new ProcessFault('memory'));
      else if (elapsedMs > limits.maxMs) reject(tookTooLong());
    }, LOOK_EVERY_MS);
    // After the exit, the system reports nothing, although the result might still be on its way.
    reader.once('exit', () => clearInterval(watch));
  });
}

function tookTooLong(): ApiError {
  const message = 'The service took too long to respond; try again later, or request less.';
  return new ApiError('service_timeout', message);
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
