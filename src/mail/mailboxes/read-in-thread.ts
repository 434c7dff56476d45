import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const MAX_MS = 5000;
const MAX_MEMORY_MIB = 256;

/**
 * Reads a stranger's mail in a separate thread with limits on time and memory, because a crafted mail can keep a parser
 * busy for minutes. Returns undefined if the mail cannot be read within these limits.
 * @param file the file of the thread, which gets the source and posts the result
 */
export async function readInThread<Result>(file: URL, source: Uint8Array, maxMs = MAX_MS): Promise<Result | undefined> {
  const limits = { maxOldGenerationSizeMb: MAX_MEMORY_MIB };
  const thread = new Worker(file, { workerData: source, resourceLimits: limits, env: {}, stderr: true });
  // A thread can fail while it is being terminated, when nothing awaits it.
  thread.on('error', () => undefined);
  try {
    const [result] = (await once(thread, 'message', { signal: AbortSignal.timeout(maxMs) })) as [Result];
    return result;
  } catch {
    return undefined;
  } finally {
    await thread.terminate();
  }
}
