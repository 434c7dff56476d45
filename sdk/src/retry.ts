import { ApiError, ConnectionError, TimeoutError } from './errors.ts';

const OUTAGES = [502, 503, 504];
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8000;

/** Whether the same request may be sent again: after a 429 always, since nothing was done; else when it does no harm. */
export function mayRepeat(failure: unknown, isHarmless: boolean): boolean {
  if (failure instanceof ApiError && failure.status === 429) return true;
  if (!isHarmless) return false;
  if (failure instanceof ApiError) return OUTAGES.includes(failure.status);
  return failure instanceof ConnectionError || failure instanceof TimeoutError;
}

/**
 * How long to wait before another attempt: what the service asks for and a little more, else twice as long each time.
 * Both are random in part, so that clients which failed together do not come back together.
 * @param repeated how often the call has been repeated so far
 */
export function waitMsBefore(repeated: number, retryAfter: number | null): number {
  if (retryAfter !== null) return retryAfter * 1000 + Math.random() * FIRST_WAIT_MS;
  return Math.min(FIRST_WAIT_MS * 2 ** repeated, MAX_WAIT_MS) * (0.5 + Math.random() / 2);
}

/** Rejects with the signal's reason when that comes first. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
