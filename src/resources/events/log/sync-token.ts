import { createHash } from 'node:crypto';

/** Up to where a client has read the changes of a company. */
export interface SyncPosition {
  /** The first transaction that it may not have seen, in digits. */
  transactionId: string;
  /** When it read, in milliseconds since 1970. */
  readAt: number;
}

/** Whose changes, and in which database: transactions are counted anew in another one. */
export interface SyncedLog {
  companyId: string;
  log: string;
}

const VERSION = 1;
const LOG_BYTES = 4;
const CHECK_BYTES = 4;
/** Version, company, transaction, time and log. */
const BYTES = 1 + 16 + 8 + 6 + LOG_BYTES;

/** The text that clients give back. It says nothing that its company may not know. */
export function writeSyncToken({ companyId, log }: SyncedLog, { transactionId, readAt }: SyncPosition): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.write(companyId.replaceAll('-', ''), 1, 'hex');
  bytes.writeBigUInt64BE(BigInt(transactionId), 17);
  bytes.writeUIntBE(readAt, 25, 6);
  hashPrefix(log, LOG_BYTES).copy(bytes, 31);
  return Buffer.concat([bytes, hashPrefix(bytes, CHECK_BYTES)]).toString('base64url');
}

/**
 * The position that a text names.
 * @returns undefined when it was not written for the company, expired when it was written in another log
 */
export function readSyncToken(of: SyncedLog, text: string): SyncPosition | 'expired' | undefined {
  const all = Buffer.from(text, 'base64url');
  if (all.length !== BYTES + CHECK_BYTES) return undefined;
  const position = { transactionId: String(all.readBigUInt64BE(17)), readAt: all.readUIntBE(25, 6) };
  const here = Buffer.from(writeSyncToken(of, position), 'base64url');
  if (here.equals(all)) return position;
  const bytes = all.subarray(0, BYTES);
  const isWhole = hashPrefix(bytes, CHECK_BYTES).equals(all.subarray(BYTES));
  const isOfCompany = bytes.subarray(0, 17).equals(here.subarray(0, 17));
  return isWhole && isOfCompany ? 'expired' : undefined;
}

function hashPrefix(content: Buffer | string, length: number): Buffer {
  return createHash('sha256').update(content).digest().subarray(0, length);
}
