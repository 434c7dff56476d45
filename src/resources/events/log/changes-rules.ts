import { readSyncToken, type SyncedLog } from './sync-token.ts';

export const CHANGES_KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
/**
 * Maximum time in milliseconds between the timestamp of a change and its commit. A time is not a position in the commit
 * order.
 */
const MAX_CHANGE_MS = 3_600_000;
/** Tolerance in milliseconds for a clock that is ahead, either on a client or on a database server that took over. */
const CLOCK_MS = 300_000;

const RFC3339 =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** State of a company's log when it is read. */
export interface LogState {
  /** First transaction that might still be open. */
  transactionId: string;
  readAt: number;
}

/**
 * Parses the parameter `updatedSince`: a time, or the `syncedUntil` of a response.
 * @returns a string if the parameter is rejected: `expired`, or the fault
 */
export function changesSince(text: string, of: SyncedLog, { transactionId, readAt }: LogState) {
  const oldest = readAt - CHANGES_KEPT_DAYS * DAY_MS;
  const time = parseTime(text);
  if (time !== undefined) {
    if (time > readAt + CLOCK_MS) return 'must not be in the future';
    if (time < oldest) return 'expired';
    const sinceTime = new Date(time - MAX_CHANGE_MS).toISOString();
    return { sinceTransactionId: '0', sinceTime, coursesSince: sinceTime };
  }
  const position = readSyncToken(of, text);
  if (!position) return 'must be a time such as 2026-03-02T08:30:00Z or the `syncedUntil` of a response';
  if (position === 'expired' || position.readAt < oldest) return 'expired';
  if (BigInt(position.transactionId) > BigInt(transactionId) || position.readAt > readAt + CLOCK_MS)
    return 'must not be in the future';
  const coursesSince = new Date(position.readAt - MAX_CHANGE_MS).toISOString();
  return { sinceTransactionId: position.transactionId, sinceTime: new Date(0).toISOString(), coursesSince };
}

/** Parses an RFC 3339 time with its zone. Rejects 30 February, which Date would read as a day in March. */
function parseTime(text: string): number | undefined {
  const day = RFC3339.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(day))) return undefined;
  return new Date(day).toISOString().startsWith(day) ? Date.parse(text) : undefined;
}
