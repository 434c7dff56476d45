import type { Response } from 'express';
import type { CallAsPerson } from '../../shared/page-context.ts';

/**
 * Maximum size of a report in bytes: six for each stored character, the length of a JSON escape, and the JSON around
 * them.
 */
export const MAX_STATE_BYTES = 2 * 1024 * 1024;

/** Stores the state that a window reports, and records the result if the package has ended. */
export async function storeReport(
  call: CallAsPerson,
  window: { courseId: string; tokenHash: Buffer },
  sentState: unknown,
  res: Response,
): Promise<void> {
  const outcome = await call('keepPackageState', { ...window, sentState });
  if (outcome === 'stale') return void res.status(409).end();
  if (outcome === 'ended') await call('finishPackage', window);
  res.json({ isFinished: outcome === 'ended' });
}
