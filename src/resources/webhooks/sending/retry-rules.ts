const MINUTE_S = 60;
const HOUR_S = 3600;

/** Seconds to wait after each attempt, as Standard Webhooks recommends: three days in total. */
const WAITS_S = [
  ...[5, 5 * MINUTE_S, 30 * MINUTE_S],
  ...[2 * HOUR_S, 5 * HOUR_S, 10 * HOUR_S, 14 * HOUR_S, 20 * HOUR_S, 24 * HOUR_S],
];
const JITTER = 0.2;
const DAY_S = 24 * HOUR_S;

/**
 * Returns the seconds to wait after a number of failed attempts, with 20% jitter; undefined after the last attempt.
 * @param random from 0 to 1
 */
export function waitAfter(attempts: number, random = Math.random()): number | undefined {
  const wait = WAITS_S[attempts - 1];
  return wait && wait * (1 + JITTER * (2 * random - 1));
}

/** Consequences of a response for its endpoint. */
export interface Verdict {
  accepted: boolean;
  /** Whether the receiver wants no further events. */
  isGone: boolean;
  /** Pause that the receiver asks for, in seconds. */
  pauseS: number | undefined;
}

/** Judges a response. Only a 2xx response acknowledges an event; 429 and 503 can ask for a pause. */
export function judgeResponse(
  { status, retryAfter }: { status: number | null; retryAfter: string | undefined },
  now = Date.now(),
): Verdict {
  const accepted = status !== null && status >= 200 && status < 300;
  const pauseS = status === 429 || status === 503 ? parseRetryAfter(retryAfter, now) : undefined;
  return { accepted, isGone: status === 410, pauseS };
}

/**
 * Parses Retry-After, a number of seconds or a date. Returns the seconds to wait: at least one second, at most a day.
 */
function parseRetryAfter(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), DAY_S);
}
