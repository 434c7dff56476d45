import { frameInputs } from '../../limits/input-frames.ts';
import { ProcessFault, runInProcess } from '../../limits/run-in-process.ts';

const MAX_CPU_MS = 5000;
/** Limits that suffice for an email of 25 MiB with its attachments decoded. */
const LIMITS = { maxMemoryMib: 384, maxHeapMib: 256, maxMs: 20_000 };

/**
 * Reads a stranger's email in a separate process with limits on time and memory, because a crafted email can keep a
 * parser busy for minutes. Returns undefined if the email cannot be read within these limits.
 * @param program reads the source of the email as its input, and writes the result as its only line
 * @throws {ApiError} if the machine is too busy
 */
export async function readMail<Result>(
  program: URL,
  source: Uint8Array,
  maxCpuMs = MAX_CPU_MS,
): Promise<Result | undefined> {
  try {
    const [result] = await runInProcess<Result>(program, source, { limits: { ...LIMITS, maxCpuMs } });
    return result;
  } catch (error) {
    if (error instanceof ProcessFault) return undefined;
    throw error;
  }
}

/**
 * Reads several emails in one process, or each email in its own process if together they exceed the limits.
 * @param program reads the framed sources as its input (`readFrames`), and writes one line for each: the result, or
 * null
 * @returns the results in the order of the emails; undefined for an email that cannot be read
 * @throws {ApiError} if the machine is too busy
 */
export async function readMails<Result>(program: URL, sources: readonly Uint8Array[]): Promise<(Result | undefined)[]> {
  const limits = { ...LIMITS, maxCpuMs: MAX_CPU_MS };
  try {
    const results = await runInProcess<Result | null>(program, frameInputs(sources), { limits });
    return sources.map((_, index) => results[index] ?? undefined);
  } catch (error) {
    if (!(error instanceof ProcessFault)) throw error;
    if (sources.length === 1) return [undefined];
    const results: (Result | undefined)[] = [];
    for (const source of sources) results.push(...(await readMails<Result>(program, [source])));
    return results;
  }
}
