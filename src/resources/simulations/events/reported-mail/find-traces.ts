import { readMail } from '../../../../mail/mailboxes/read-mail.ts';
import type { MailTraces } from './mail-traces.ts';

const PROGRAM = new URL('trace-program.ts', import.meta.url);

/**
 * Reads a forwarded email in a separate process (read-mail.ts). Returns undefined if it cannot be read within the
 * limits.
 */
export function findTraces(source: Uint8Array, maxCpuMs?: number): Promise<MailTraces | undefined> {
  return readMail(PROGRAM, source, maxCpuMs);
}
