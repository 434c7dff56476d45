import { isId } from '../../db/ids.ts';
import { invalidField } from '../../errors.ts';

/** The last entry of a page: the next one begins behind it. */
export interface Place {
  occurredAt: string;
  id: string;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function cursorAt({ occurredAt, id }: Place): string {
  return Buffer.from(`${occurredAt} ${id}`).toString('base64url');
}

/** @throws {ApiError} `invalid_request` for what is no cursor */
export function placeOf(cursor: string): Place {
  const [occurredAt = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (rest.length > 0 || !isId(id) || !isMoment(occurredAt))
    throw invalidField('query/cursor', 'is no nextCursor of this list');
  return { occurredAt, id };
}

/** Date takes 30 February for 2 March, and has a year 0: neither is a moment to Postgres. */
function isMoment(text: string): boolean {
  if (!TIME.test(text) || text.startsWith('0000')) return false;
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}
