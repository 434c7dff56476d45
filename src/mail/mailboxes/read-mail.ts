import { frameInputs } from '../../limits/input-frames.ts';
import { ProcessFault, runInProcess } from '../../limits/run-in-process.ts';

const MAX_CPU_MS = 5000;
/** An email of 25 MiB with its attachments decoded. */
const LIMITS = { maxMemoryMib: 384, maxHeapMib: 256, maxMs: 20_000 };

/**
 * Reads a stranger's mail in a separate process with limits on time and memory, because a crafted mail can keep a
 * parser busy for minutes. Returns undefined if the email cannot be read within these limits.
 * @param program gets the source as its input, and writes the result as its only line
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
 * Reads several emails in one process, or each in its own if they exceed the limits together.
 * @param program gets the framed sources as its input (`readFrames`), and writes the result of each as a line, or null
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
