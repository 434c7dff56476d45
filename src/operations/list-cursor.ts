import { createHash } from 'node:crypto';
import { isKeyset, type Order, type Keyset } from '../db/keyset.ts';

/** The list that a cursor belongs to. */
export interface ListIdentity {
  operationId: string;
  companyId: string;
  /** Parameters of the list, except its paging parameters. */
  filter: Readonly<Record<string, unknown>>;
  order: Order;
}

const VERSION = 1;
const CHECK_BYTES = 8;

/** Writes the cursor that clients send back. The cursor contains only values that its page contains. */
export function writeCursor(list: ListIdentity, keyset: Keyset): string {
  const content = Buffer.from(JSON.stringify(keyset));
  return Buffer.concat([buildCheck(list, content), content]).toString('base64url');
}

/** Reads a cursor; undefined if it was not written for this list. */
export function readCursor(list: ListIdentity, text: string): Keyset | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const content = bytes.subarray(CHECK_BYTES);
  if (bytes.toString('base64url') !== text || !buildCheck(list, content).equals(bytes.subarray(0, CHECK_BYTES)))
    return undefined;
  const values = parsed(content);
  return isKeyset(list.order, values) ? values : undefined;
}

/** Binds a cursor to its list. The check is not secret: with a forged cursor, a client reads only its own list. */
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
