const MINUTE_S = 60;
const HOUR_S = 3600;

/** What Standard Webhooks waits after the first try, the second, …: three days in all. */
const WAITS_S = [
  ...[5, 5 * MINUTE_S, 30 * MINUTE_S],
  ...[2 * HOUR_S, 5 * HOUR_S, 10 * HOUR_S, 14 * HOUR_S, 20 * HOUR_S, 24 * HOUR_S],
];
const JITTER = 0.2;
const DAY_S = 24 * HOUR_S;

/**
 * How long to wait after so many failed tries, in seconds, up to a fifth more or less; undefined when none is left.
 * @param random from 0 to 1
 */
export function waitAfter(attempts: number, random = Math.random()): number | undefined {
  const wait = WAITS_S[attempts - 1];
  return wait && wait * (1 + JITTER * (2 * random - 1));
}

/** How an endpoint goes on after an answer. */
export interface Verdict {
  accepted: boolean;
  /** The receiver wants nothing more. */
  isGone: boolean;
  /** How long the receiver asks for a pause, in seconds. */
  pauseS: number | undefined;
}

/** Only a 2xx takes an event. 429 and 503 may ask for a pause. */
export function judgeAnswer(
  { status, retryAfter }: { status: number | null; retryAfter: string | undefined },
  now = Date.now(),
): Verdict {
  const accepted = status !== null && status >= 200 && status < 300;
  const pauseS = status === 429 || status === 503 ? parseRetryAfter(retryAfter, now) : undefined;
  return { accepted, isGone: status === 410, pauseS };
}

/** Retry-After is a number of seconds or a date. At least a second, and a day at most. */
function parseRetryAfter(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), DAY_S);
}
