/** Converts a time to UTC, because Postgres rejects offsets of 16 hours and more. */
export function toUtc(time: string | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
