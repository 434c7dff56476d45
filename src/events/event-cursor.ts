import { createHash } from 'node:crypto';

/** A place in a list of events: behind the event of a transaction. */
export interface EventPosition {
  /** The number of the transaction, in digits. */
  xact: string;
  eventId: string;
  /** The day on which the place was reached, in UTC: `2026-03-31`. */
  day: string;
}

/** Which list a place is in. */
export interface EventStream {
  companyId: string;
  /** The events of all companies below, in place of its own. */
  ofChildren: boolean;
}

const VERSION = 1;
const DAY_MS = 86_400_000;
/** A day long past our time, which a made-up cursor may name. */
const MAX_DAY = 100_000;
const CHECK_BYTES = 4;
/** Version, kind, company, transaction, event and day. */
const BYTES = 1 + 1 + 16 + 8 + 16 + 4;

/** Before all events, of the oldest day. */
export const BEFORE_ALL_EVENTS = '00000000-0000-0000-0000-000000000000';
/** Behind all events of a transaction. */
export const AFTER_ALL_EVENTS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The text that clients give back. It says nothing that its company may not know. */
export function writeCursor({ companyId, ofChildren }: EventStream, { xact, eventId, day }: EventPosition): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeUInt8(ofChildren ? 1 : 0, 1);
  bytes.write(companyId.replaceAll('-', ''), 2, 'hex');
  bytes.writeBigUInt64BE(BigInt(xact), 18);
  bytes.write(eventId.replaceAll('-', ''), 26, 'hex');
  bytes.writeUInt32BE(Date.parse(day) / DAY_MS, 42);
  return Buffer.concat([bytes, checkOf(bytes)]).toString('base64url');
}

/** The place that a text names; undefined when it was not written for this list. */
export function readCursor(stream: EventStream, text: string): EventPosition | undefined {
  const all = Buffer.from(text, 'base64url');
  const bytes = all.subarray(0, BYTES);
  if (all.length !== BYTES + CHECK_BYTES || !checkOf(bytes).equals(all.subarray(BYTES))) return undefined;
  if (bytes.readUInt32BE(42) > MAX_DAY) return undefined;
  const position = {
    xact: String(bytes.readBigUInt64BE(18)),
    eventId: uuidOf(bytes.subarray(26, 42)),
    day: new Date(bytes.readUInt32BE(42) * DAY_MS).toISOString().slice(0, 10),
  };
  return writeCursor(stream, position) === text ? position : undefined;
}

function checkOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest().subarray(0, CHECK_BYTES);
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
