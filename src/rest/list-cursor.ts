import { createHash } from 'node:crypto';
import { isKeyset, type Order, type Keyset } from '../db/keyset.ts';

/** Which list a place is in. */
export interface ListIdentity {
  operationId: string;
  companyId: string;
  /** What the list was asked for, but for its pages. */
  filter: Readonly<Record<string, unknown>>;
  order: Order;
}

const VERSION = 1;
const CHECK_BYTES = 8;

/** The text that clients give back. It says nothing that its page does not say. */
export function writeCursor(list: ListIdentity, keyset: Keyset): string {
  const content = Buffer.from(JSON.stringify(keyset));
  return Buffer.concat([buildCheck(list, content), content]).toString('base64url');
}

/** The place that a text names; undefined when it was not written for this list. */
export function readCursor(list: ListIdentity, text: string): Keyset | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const content = bytes.subarray(CHECK_BYTES);
  if (bytes.toString('base64url') !== text || !buildCheck(list, content).equals(bytes.subarray(0, CHECK_BYTES)))
    return undefined;
  const values = parsed(content);
  return isKeyset(list.order, values) ? values : undefined;
}

/** Binds a place to its list. It is no secret: who makes up a place of the own list reads the own list from there. */
function buildCheck({ operationId, companyId, filter, order }: ListIdentity, content: Buffer): Buffer {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const sortedFilter = given.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const identity = JSON.stringify([VERSION, operationId, companyId, sortedFilter, Object.entries(order)]);
  return createHash('sha256').update(identity).update('\n').update(content).digest().subarray(0, CHECK_BYTES);
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    return undefined;
  }
}
