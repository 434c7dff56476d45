/** Tolerance in milliseconds for other systems' clocks that are ahead. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;
const TEN_YEARS_MS = 10 * 365.25 * 86_400_000;

/**
 * Reports whether something can have happened at a time: at most 5 minutes in the future, and at most ten years ago.
 */
export function isPlausiblePast(at: Date, now: Date): boolean {
  return isWithin(at, now, CLOCK_DIFFERENCE_MS);
}

/**
 * Reports whether a time is in the past, at most ten years ago. Used for facts that must precede later events in the
 * service.
 */
export function isPast(at: Date, now: Date): boolean {
  return isWithin(at, now, 0);
}

/** Reports whether something can be planned for a time: at most ten years in the past or future. */
export function isPlausiblePlan(at: Date, now: Date): boolean {
  return isWithin(at, now, TEN_YEARS_MS);
}

function isWithin(at: Date, now: Date, aheadMs: number): boolean {
  const age = now.getTime() - at.getTime();
  return age >= -aheadMs && age <= TEN_YEARS_MS;
}
