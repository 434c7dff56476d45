const DEFAULT_WAIT_MS = 10_000;
const MAX_WAIT_MS = 3_600_000;

/**
 * Parses `Retry-After`, a number of seconds or a date. Returns 10 seconds if the header is missing, and at most an
 * hour.
 */
export function parseRetryAfterMs(headers: Headers): number {
  const text = headers.get('retry-after')?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? DEFAULT_WAIT_MS : Math.min(Math.max(ms, 0), MAX_WAIT_MS);
}
