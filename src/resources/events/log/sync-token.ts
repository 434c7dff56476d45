import { createHash } from 'node:crypto';

/** Position up to which a client has read the changes in a company. */
export interface SyncPosition {
  /** First transaction that the client might not have seen, in decimal digits. */
  transactionId: string;
  /** Time of the read, in milliseconds since 1970. */
  readAt: number;
}

/** Company whose changes are read, and the log of its database, which changes when transaction ids start again. */
export interface SyncedLog {
  companyId: string;
  log: string;
}

const VERSION = 1;
const LOG_BYTES = 4;
const CHECK_BYTES = 4;
/** Version, company, transaction, time and log. */
const BYTES = 1 + 16 + 8 + 6 + LOG_BYTES;

/** Encodes a position for clients. The token reveals nothing that the company must not know. */
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
 * Decodes a position.
 * @returns undefined if the token was not written for the company; `expired` if it was written in another log
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
