import { readInThread } from '../../../../mail/mailboxes/read-in-thread.ts';
import type { MailTraces } from './mail-traces.ts';

const THREAD = new URL('./trace-thread.ts', import.meta.url);

/** Reads a forwarded mail in a thread (read-in-thread.ts). Returns undefined if it cannot be read within the limits. */
export function findTraces(source: Uint8Array, maxMs?: number): Promise<MailTraces | undefined> {
  return readInThread(THREAD, source, maxMs);
}
