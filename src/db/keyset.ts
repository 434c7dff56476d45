// Keyset pages: a page begins after the last row of the page before it, even if the list has changed since.
//
// A keyset is the values that a row has in the columns of its list's order. The order is unique and typed (`Order`). A
// page consists of the first `limit` rows that come after the keyset. The reader asks for one row more than `limit`; if
// that extra row exists, the keyset of the last row within the limit becomes the cursor (transaction-tenant.ts).
//
// The condition depends on the order:
// - All columns in one direction, none nullable: Postgres compares the whole row, which is one range of an index. The
//   first column is also compared separately, which prunes partitions.
// - Mixed directions or nullable columns: one condition per column, nested.
//
// Postgres does not see the values when it plans (`hideFromPlanner`). If it knew how little of a list is left, it would
// read and sort the whole rest. A list that joins a table by its first column passes the bound on with `fromKeyset`.
//
// Guarantees: the cost of a page does not grow with its depth (tests/db/page-plans.test.ts). Rows that are added or
// removed between two pages neither repeat nor skip other rows. A row whose order columns change between two pages can
// appear twice or not at all.
//
// The cursor that clients see is the keyset with a checksum over operation, company, filters and order
// (src/rest/list-cursor.ts). The checksum is not a secret: a client that makes up a cursor reads only its own list,
// from that position. `isKeyset` rejects values that Postgres would not accept.
//
// Not for: page numbers and totals. `toPageStatement` and `toCountStatement` in statement.ts read by offset and count.
import { isId } from './ids.ts';
import { type Parameter, type Sql, sql } from './sql.ts';

type Kind = 'uuid' | 'text' | 'integer' | 'date' | 'timestamptz';
type Key = Kind | `${Kind} desc` | `${Kind} ${'asc' | 'desc'} nulls last`;

/**
 * The columns that order a list, each with its type and direction. Together they must be unique. Times must be stored
 * with milliseconds, as responses show them, because a keyset cannot express finer times.
 */
export type Order<R = Record<string, unknown>> = { readonly [Column in keyof R & string]?: Key };

/** Order by id, which means oldest first. */
export const BY_ID = { id: 'uuid' } as const;

/** The values of a row in the columns of its list's order. */
export type Keyset = readonly unknown[];

export function orderBy(order: Order): string {
  return parseOrder(order)
    .map(({ column, ...key }) => `${column}${key.isDescending ? ' desc' : ''}${key.mayBeNull ? ' nulls last' : ''}`)
    .join(', ');
}

export function toKeyset(order: Order, row: unknown): Keyset {
  return Object.keys(order).map((column) => (row as Record<string, unknown>)[column]);
}

/** Reports whether values are a keyset of the order, so that Postgres accepts each as its column's type. */
export function isKeyset(order: Order, values: unknown): values is Keyset {
  const keys = parseOrder(order);
  if (!Array.isArray(values) || values.length !== keys.length) return false;
  return keys.every(({ kind, mayBeNull }, index) => (mayBeNull && values[index] === null) || IS[kind](values[index]));
}

/**
 * Builds the condition that a row comes after a keyset.
 * @param first the number of the parameter that holds the first value of the keyset
 */
export function afterKeyset(order: Order, first: number): string {
  const keys = parseOrder(order).map((key, index) => ({
    ...key,
    value: hideFromPlanner(`$${first + index}`, key.kind),
  }));
  const isUniform = keys.every(({ isDescending, mayBeNull }) => !mayBeNull && isDescending === keys[0]!.isDescending);
  return isUniform ? afterRow(keys) : afterEachKey(keys);
}

/**
 * Builds the condition that a column is not before the first value of a keyset. The column must equal the first column
 * of the order.
 */
export function fromKeyset(order: Order, column: Sql, first: Parameter): Sql {
  const texts = hideFromPlanner('?', parseOrder(order)[0]!.kind).split('?');
  return sql(['', ` >= ${texts[0]}`, texts[1]] as unknown as TemplateStringsArray, column, first);
}

/**
 * Hides a value from the planner. If Postgres knows how little of a list is left, and assumes that the list's
 * conditions are independent, it estimates less than a page. It then reads and sorts the whole rest of the list.
 */
function hideFromPlanner(parameter: string, kind: Kind): string {
  return `(select ${parameter}::${kind})`;
}

interface OrderKey {
  /** The name of the column, quoted. */
  column: string;
  kind: Kind;
  isDescending: boolean;
  mayBeNull: boolean;
}
type Compared = OrderKey & { value: string };

function parseOrder(order: Order): OrderKey[] {
  return Object.entries(order).map(([column, key]) => {
    const [kind, direction, nulls] = key!.split(' ') as [Kind, string?, string?];
    return { column: `"${column}"`, kind, isDescending: direction === 'desc', mayBeNull: nulls !== undefined };
  });
}

/**
 * Compares whole rows, which is one range of an index. Also compares the first column separately, to prune partitions.
 */
function afterRow(keys: Compared[]): string {
  const [{ column, isDescending, value }] = keys as [Compared];
  const sign = isDescending ? '<' : '>';
  if (keys.length === 1) return `${column} ${sign} ${value}`;
  const row = keys.map((key) => key.column).join(', ');
  const keyset = keys.map((key) => key.value).join(', ');
  return `${column} ${sign}= ${value} and (${row}) ${sign} (${keyset})`;
}

function afterEachKey([key, ...others]: Compared[]): string {
  const { column, isDescending, mayBeNull, value } = key!;
  const further = `${column} ${isDescending ? '<' : '>'} ${value}`;
  const isFurther = mayBeNull ? `(${further} or (${column} is null and ${value} is not null))` : further;
  if (others.length === 0) return isFurther;
  return `(${isFurther} or (${column} is not distinct from ${value} and ${afterEachKey(others)}))`;
}

const MAX_INTEGER = 2 ** 31 - 1;

const IS: Record<Kind, (value: unknown) => boolean> = {
  uuid: (value) => typeof value === 'string' && isId(value),
  text: (value) => typeof value === 'string' && !value.includes('\0') && value.isWellFormed(),
  integer: (value) => Number.isInteger(value) && Math.abs(value as number) <= MAX_INTEGER,
  date: (value) => typeof value === 'string' && isMoment(`${value}T00:00:00.000Z`),
  timestamptz: (value) => typeof value === 'string' && isMoment(value),
};

/** Rejects 30 February, which Date parses as 2 March, and the year 0. Postgres accepts neither. */
function isMoment(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) || text.startsWith('0000')) return false;
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}
