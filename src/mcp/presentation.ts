import { holdsRows, Rows, RowsWithMeta } from '../db/rows.ts';

/** Length in characters of the longest text that clients pass to the model without truncation. */
export const MAX_TEXT_LENGTH = 40_000;
/** Maximum number of items shown from each list other than the requested list. */
const MAX_OTHER_ITEMS = 50;
/** Maximum length in characters of all these lists together, which leaves room for the requested list. */
const MAX_OTHER_TEXT_LENGTH = MAX_TEXT_LENGTH / 2;

/** The requested part of a list. */
export interface Part {
  offset: number;
  limit: number;
}

interface List {
  total: number;
  items: unknown[];
}

/**
 * Renders a result as text that fits. Shows its list page by page, preceded by the total and the next cursor.
 * @param rows the field that holds the list; empty if the result itself is the list, null if it has none
 */
export async function present(answer: unknown, rows: string | null, part: Part): Promise<string> {
  // A list that is returned only on request is null if the caller did not request it.
  if (rows === null || (rows !== '' && (answer as Record<string, unknown>)[rows] === null))
    return presentWithoutList(answer);
  const list = await readList(rows === '' ? answer : (answer as Record<string, unknown>)[rows], part);
  const meta = shortened(
    rows === '' ? buildListMeta(answer) : await readMeta(answer as Record<string, unknown>, rows),
    MAX_OTHER_TEXT_LENGTH,
  );
  const name = rows === '' ? 'items' : rows;
  for (let count = list.items.length; ;) {
    const items = list.items.slice(0, count);
    const text = JSON.stringify({ ...meta, ...buildProgress(part.offset, count, list.total), [name]: items });
    if (text.length <= MAX_TEXT_LENGTH) return text;
    if (count <= 1) return shortenedText({ ...buildProgress(part.offset, count, list.total), ...meta, [name]: items });
    // Estimates how many items fit from their average size; halving the list would cost the model more calls.
    count = Math.max(1, Math.min(count - 1, Math.floor((count * MAX_TEXT_LENGTH) / text.length)));
  }
}

/** Renders a single object with all its lists, which are rarely long. */
async function presentWithoutList(answer: unknown): Promise<string> {
  const whole = isObject(answer) && holdsRows(answer, 1) ? await readMeta(answer, null, Infinity) : answer;
  const text = JSON.stringify(whole);
  return text.length <= MAX_TEXT_LENGTH ? text : shortenedText(whole);
}

function buildProgress(offset: number, count: number, total: number): object {
  const next = offset + count;
  const shown = count === 0 ? 'none' : `${offset + 1} to ${next}`;
  if (next >= total || count === 0) return { total, shown };
  return { total, shown, nextCursor: String(next), more: `Call again with cursor "${next}" for more.` };
}

async function readList(list: unknown, { offset, limit }: Part): Promise<List> {
  if (list instanceof Rows) return list.page(offset, limit);
  const items = list as unknown[];
  return { items: items.slice(offset, offset + limit), total: items.length };
}

function buildListMeta(list: unknown): object {
  return list instanceof RowsWithMeta ? (list as RowsWithMeta<unknown, object>).meta : {};
}

async function readMeta(
  answer: Record<string, unknown>,
  rows: string | null,
  max = MAX_OTHER_ITEMS,
): Promise<Record<string, unknown>> {
  const meta: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(answer)) {
    if (name === rows) continue;
    if (!(value instanceof Rows)) meta[name] = value;
    else {
      const { items, total } = await value.page(0, Math.min(max, 1000));
      meta[name] = items;
      if (total > items.length) meta[`${name}LeftOut`] = total - items.length;
    }
  }
  return meta;
}

function shortenedText(value: unknown): string {
  const text = JSON.stringify(shortened(value, MAX_TEXT_LENGTH));
  if (text.length <= MAX_TEXT_LENGTH) return text;
  // Only a single long string remains. The fields that state how to continue are kept.
  const short = Object.entries(value as object).filter(([, field]) => JSON.stringify(field).length < 200);
  return JSON.stringify({ ...Object.fromEntries(short), note: 'Too long for a tool; read it with the REST API.' });
}

/** Shortens the lists within a value step by step until its text fits, and counts the omitted items. */
function shortened<T>(value: T, maxLength: number): T {
  let shorter = value;
  for (let max = 200; JSON.stringify(shorter).length > maxLength && max > 0; max = Math.floor(max / 2)) {
    shorter = cut(value, max) as T;
  }
  return shorter;
}

function cut(value: unknown, max: number): unknown {
  if (Array.isArray(value)) return value.slice(0, max).map((item) => cut(item, max));
  if (!isObject(value)) return value;
  const shorter: Record<string, unknown> = {};
  const leftOut: Record<string, number> = {};
  for (const [name, field] of Object.entries(value)) {
    shorter[name] = cut(field, max);
    if (!Array.isArray(field) || field.length <= max) continue;
    // The list might have been shortened before.
    const before = value[`${name}LeftOut`];
    leftOut[`${name}LeftOut`] = field.length - max + (typeof before === 'number' ? before : 0);
  }
  return { ...shorter, ...leftOut };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
