/** Clocks differ; that much ahead is the same moment. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;
const TEN_YEARS_MS = 10 * 365.25 * 86_400_000;

/** Whether something can have happened then: not ahead, and not more than ten years back. */
export function isPlausiblePast(at: Date, now: Date): boolean {
  return isWithin(at, now, CLOCK_DIFFERENCE_MS);
}

/** The same without that difference, for what must come before what happens here next. */
export function isPast(at: Date, now: Date): boolean {
  return isWithin(at, now, 0);
}

/** Whether something can be planned for then, or have been: not more than ten years away. */
export function isPlausiblePlan(at: Date, now: Date): boolean {
  return isWithin(at, now, TEN_YEARS_MS);
}

function isWithin(at: Date, now: Date, aheadMs: number): boolean {
  const age = now.getTime() - at.getTime();
  return age >= -aheadMs && age <= TEN_YEARS_MS;
}
