import { createHash } from 'node:crypto';

/** Position in a list of events, directly after an event of a transaction. */
export interface EventPosition {
  /** Transaction id in decimal digits. */
  transactionId: string;
  eventId: string;
  /** Day on which the position was reached, in UTC, such as `2026-03-31`. */
  day: string;
}

/** The list that a position belongs to. */
export interface EventStream {
  companyId: string;
  /** Whether the list contains the events of all companies below, instead of the company's own events. */
  ofChildren: boolean;
  /** Log of the database, which changes when transaction ids start again. */
  log: string;
}

const VERSION = 1;
const DAY_MS = 86_400_000;
/** Last valid day, in days since 1970 (2243). A forged cursor could have a day that Date cannot represent. */
const MAX_DAY = 100_000;
const LOG_BYTES = 4;
const CHECK_BYTES = 4;
/** Version, kind, company, transaction, event, day and log. */
const BYTES = 1 + 1 + 16 + 8 + 16 + 4 + LOG_BYTES;

/** Id that sorts before all events. */
export const BEFORE_ALL_EVENTS = '00000000-0000-0000-0000-000000000000';
/** Id that sorts after all events of a transaction. */
export const AFTER_ALL_EVENTS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Encodes a position for clients. The cursor reveals nothing that the company must not know. */
export function writeCursor(stream: EventStream, { transactionId, eventId, day }: EventPosition): string {
  const { companyId, ofChildren, log } = stream;
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeUInt8(ofChildren ? 1 : 0, 1);
  bytes.write(companyId.replaceAll('-', ''), 2, 'hex');
  bytes.writeBigUInt64BE(BigInt(transactionId), 18);
  bytes.write(eventId.replaceAll('-', ''), 26, 'hex');
  bytes.writeUInt32BE(Date.parse(day) / DAY_MS, 42);
  hashPrefix(log, LOG_BYTES).copy(bytes, 46);
  return Buffer.concat([bytes, hashPrefix(bytes, CHECK_BYTES)]).toString('base64url');
}

/**
 * Decodes a position.
 * @returns undefined if the cursor was not written for this list; `expired` if it was written for this list in another
 *   log
 */
export function readCursor(stream: EventStream, text: string): EventPosition | 'expired' | undefined {
  const all = Buffer.from(text, 'base64url');
  const bytes = all.subarray(0, BYTES);
  if (all.length !== BYTES + CHECK_BYTES || !hashPrefix(bytes, CHECK_BYTES).equals(all.subarray(BYTES)))
    return undefined;
  if (bytes.readUInt32BE(42) > MAX_DAY) return undefined;
  const position = {
    transactionId: String(bytes.readBigUInt64BE(18)),
    eventId: formatUuid(bytes.subarray(26, 42)),
    day: new Date(bytes.readUInt32BE(42) * DAY_MS).toISOString().slice(0, 10),
  };
  const here = Buffer.from(writeCursor(stream, position), 'base64url');
  if (!here.subarray(0, BYTES - LOG_BYTES).equals(bytes.subarray(0, BYTES - LOG_BYTES))) return undefined;
  return here.equals(all) ? position : 'expired';
}

function hashPrefix(content: Buffer | string, length: number): Buffer {
  return createHash('sha256').update(content).digest().subarray(0, length);
}

function formatUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
