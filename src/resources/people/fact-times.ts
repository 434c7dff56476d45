/** Clocks differ; that much ahead is the same moment. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;
const TEN_YEARS_MS = 10 * 365.25 * 86_400_000;

/** Whether something can have happened then: not ahead, and not more than ten years back. */
export function isPlausiblePast(at: Date, now: Date): boolean {
  const age = now.getTime() - at.getTime();
  return age >= -CLOCK_DIFFERENCE_MS && age <= TEN_YEARS_MS;
}
