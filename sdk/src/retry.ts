import { ApiError, ConnectionError, TimeoutError } from './errors.ts';

const OUTAGES = [502, 503, 504];
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8000;

/**
 * Reports whether a request can be retried: always after a 429, because the service has done nothing; after an outage,
 * only if repeating the request is harmless.
 */
export function mayRepeat(failure: unknown, isHarmless: boolean): boolean {
  if (failure instanceof ApiError && failure.status === 429) return true;
  if (!isHarmless) return false;
  if (failure instanceof ApiError) return OUTAGES.includes(failure.status);
  return failure instanceof ConnectionError || failure instanceof TimeoutError;
}

/**
 * Returns the wait before a retry, in milliseconds: `Retry-After` and a little more or, without that header, twice as
 * long each time up to a limit. Both are partly random, so that clients that failed together do not return together.
 * @param repeated the number of retries so far
 * @param retryAfter the seconds of `Retry-After`; null if the response does not have that header
 */
export function waitMsBefore(repeated: number, retryAfter: number | null): number {
  if (retryAfter !== null) return retryAfter * 1000 + Math.random() * FIRST_WAIT_MS;
  return Math.min(FIRST_WAIT_MS * 2 ** repeated, MAX_WAIT_MS) * (0.5 + Math.random() / 2);
}

/** Waits. Rejects with the signal's reason if the signal is aborted first. */
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
