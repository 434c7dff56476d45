import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { MailTraces } from './mail-traces.ts';

const THREAD = new URL('./trace-thread.ts', import.meta.url);
const MAX_MS = 5000;
const MAX_MEMORY_MIB = 256;

/**
 * Reads a mail of a stranger in a thread of its own, with bounds on its time and memory: a mail can be built so that its
 * reader is busy for minutes. Undefined for one that cannot be read within them.
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
