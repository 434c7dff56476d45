import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { MailTraces } from './mail-traces.ts';

const THREAD = new URL('./trace-thread.ts', import.meta.url);
const MAX_MS = 5000;
const MAX_MEMORY_MIB = 256;

/**
 * Reads a stranger's mail in a separate thread with limits on time and memory, because a crafted mail can keep a parser
 * busy for minutes. Returns undefined if the mail cannot be read within these limits.
 */
export async function findTraces(source: Uint8Array, maxMs = MAX_MS): Promise<MailTraces | undefined> {
  const limits = { maxOldGenerationSizeMb: MAX_MEMORY_MIB };
  const thread = new Worker(THREAD, { workerData: source, resourceLimits: limits, env: {}, stderr: true });
  try {
    const [traces] = (await once(thread, 'message', { signal: AbortSignal.timeout(maxMs) })) as [MailTraces];
    return traces;
  } catch {
    return undefined;
  } finally {
    await thread.terminate();
  }
}
