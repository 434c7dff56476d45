import { readSyncToken, type SyncedLog } from './sync-token.ts';

/** How long changes are kept. */
export const CHANGES_KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
/** A time is no place in the order of commits: a change may be committed this long after it was stamped. */
const MAX_CHANGE_MS = 3_600_000;
/** How far the clock of a client, or of a database that took over, may be ahead. */
const CLOCK_MS = 300_000;

const RFC3339 =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** What is known of the log of a company when it is read. */
export interface LogState {
  /** The first transaction that may not have ended. */
  transactionId: string;
  readAt: number;
}

/**
 * What the parameter `updatedSince` asks for: a time, or the `syncedUntil` of an answer.
 * @returns a text when it is refused: expired, or what is wrong
 */
export function changesSince(text: string, of: SyncedLog, { transactionId, readAt }: LogState) {
  const oldest = readAt - CHANGES_KEPT_DAYS * DAY_MS;
  const time = parseTime(text);
  if (time !== undefined) {
    if (time > readAt + CLOCK_MS) return 'is in the future';
    if (time < oldest) return 'expired';
    const sinceTime = new Date(time - MAX_CHANGE_MS).toISOString();
    return { sinceTransactionId: '0', sinceTime, coursesSince: sinceTime };
  }
  const position = readSyncToken(of, text);
  if (!position) return 'must be a time, such as 2026-03-02T08:30:00Z, or the syncedUntil of an answer';
  if (position === 'expired' || position.readAt < oldest) return 'expired';
  if (BigInt(position.transactionId) > BigInt(transactionId) || position.readAt > readAt + CLOCK_MS)
    return 'is in the future';
  const coursesSince = new Date(position.readAt - MAX_CHANGE_MS).toISOString();
  return { sinceTransactionId: position.transactionId, sinceTime: new Date(0).toISOString(), coursesSince };
}

/** Of an RFC 3339 time with its zone. Date would take the 30th of February for a day of March. */
function parseTime(text: string): number | undefined {
  const day = RFC3339.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(day))) return undefined;
  return new Date(day).toISOString().startsWith(day) ? Date.parse(text) : undefined;
}
