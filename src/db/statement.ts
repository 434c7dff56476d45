// Statements: SQL that is compiled once, has a name, and is proved by tests.
//
// A repository declares each statement as a constant. The kind of the declaration says what the statement is allowed to
// do and how Postgres plans it:
//
// - `query` reads.
// - `aggregate` counts or adds up the rows of a company. Postgres plans it without nested loops, as it plans whole
//   lists.
// - `pagedQuery` is a list with an order, which is read whole (cursor.ts) or in keyset pages (keyset.ts).
// - `pointQuery` finds a few rows by their keys. Its `queryOne` runs on shared connections (driver/read-pipeline.ts).
// - `mutation` changes or locks rows. Only a TenantWriter accepts it.
//
// Placeholders have names. The value of `companyId` always comes from the tenant handle. Only lists and point queries
// are prepared; see driver/statement-plan.ts and transaction-tenant.ts for the reasons.
//
// Loading a module registers its statements. A duplicate or overlong name fails at startup. Tests find every registered
// statement and derive its values from the names of its parameters (tests/db/samples.ts). The tests prove that:
//
// - no statement reaches a row of another company, even without its company condition (row-level-security.test.ts);
// - row-level security keeps no statement from using its indexes (plans.test.ts);
// - a point query reads few rows, each by an index (lookups.test.ts);
// - the pages of a list together equal the list, and a page deep in it reads few rows (paged-statements.test.ts,
//   page-plans.test.ts);
// - the columns match the declared row type (row-types.test.ts);
// - no statement compares all rows of two tables while statistics are missing (young-database.test.ts);
// - the statement follows the rules of Citus (citus-rules.test.ts).
//
// Not for: SQL that is assembled per call. Such SQL has no name, so no test covers it.
import type { Knex } from 'knex';
import { afterKeyset, fromKeyset, type Order, orderBy, type Keyset } from './keyset.ts';
import { builder, Parameter, type Sql, sql } from './sql.ts';

/** A compiled, named statement. `P` are its parameters besides the company; `R` is the type of its rows. */
export interface Compiled<P, R> {
  readonly name: string;
  readonly text: string;
  /** The SQL for long array parameters. It hides the company, so that Postgres plans it for an average company. */
  readonly textForLongList?: string;
  /** Whether the statement counts or adds up the rows of a company. */
  readonly isAggregate?: boolean;
  /** Whether later pages of a list reuse the rows (page-figures.ts). */
  readonly areFigures?: boolean;
  /** The number of parameters `$1, $2, …`. */
  readonly parameterCount: number;
  /** Values for tests, for parameters that accept only some values. */
  readonly samples: Partial<P>;
  /** Returns the values in the order of `$1, $2, …`. */
  values(this: void, companyId: string, params: P): unknown[];
  /** Never set. Exists only for type inference. */
  readonly row?: R;
}

/** A statement that neither changes nor locks rows. */
export interface Statement<P, R> extends Compiled<P, R> {
  readonly isMutation: false;
  /** Whether the statement finds a few rows by their keys, however large the company is. */
  readonly isPointQuery: boolean;
  /**
   * The order of a paged query, and its statements without an ORDER BY: for the whole list, and for the rows after a
   * keyset.
   */
  readonly ordered?: {
    readonly order: Order;
    readonly whole: Compiled<P, R>;
    readonly continued: Compiled<P & From, R>;
  };
}

/** A statement that changes or locks rows. Only a writer accepts it. */
export interface Mutation<P, R> extends Compiled<P, R> {
  readonly isMutation: true;
}

/** Placeholders by name. `companyId` is always present: its value comes from the tenant handle. */
export type Parameters<P> = { readonly [Name in (keyof P & string) | 'companyId']-?: Parameter };

/** A function that returns either a Knex query builder, if it needs no raw SQL, or a single SQL fragment. */
type Build<P> = (p: Parameters<P>, knex: Knex) => Knex.QueryBuilder | Sql;

/** Maximum length of a name. Postgres truncates names at 63 characters, and suffixes such as `/count` must fit too. */
const MAX_NAME_LENGTH = 63 - '/own/count'.length;

type Registered = Statement<never, unknown> | Mutation<never, unknown>;

const registered = new Map<string, Registered>();

/**
 * Compiles and registers a query, so that its SQL is built once. The query runs in a read-only transaction, in which
 * Postgres rejects changes.
 * @param name unique, and short enough that Postgres does not truncate it, even with the suffix of a page
 * @param samples values for tests, for parameters that accept only some values
 * @throws if the name is taken or too long
 */
export function query<P, R>(name: string, build: Build<P>, samples: Partial<P> = {}): Statement<P, R> {
  return register<Statement<P, R>>({ ...compile<P, R>(name, build, samples), isMutation: false, isPointQuery: false });
}

/** Compiles and registers a query that counts or adds up the rows of a company, as `query` does. */
export function aggregate<P, R>(name: string, build: Build<P>, samples: Partial<P> = {}): Statement<P, R> {
  const compiled = compile<P, R>(name, build, samples);
  return register<Statement<P, R>>({ ...compiled, isMutation: false, isPointQuery: false, isAggregate: true });
}

/**
 * Compiles and registers an aggregate that a response shows next to a list. Later pages of the list reuse its rows, so
 * they must not decide what the list shows.
 */
export function figures<P, R>(name: string, build: Build<P>, samples: Partial<P> = {}): Statement<P, R> {
  const compiled = compile<P, R>(name, build, samples);
  const kind = { isMutation: false, isPointQuery: false, isAggregate: true, areFigures: true } as const;
  return register<Statement<P, R>>({ ...compiled, ...kind });
}

/** The parameter with the first value of the keyset at which a page begins. */
const FROM = 'from the place';
type From = { readonly [FROM]: unknown };

type BuildList<P> = (p: Parameters<P>, continued: (column: Sql) => Sql) => Sql;

/**
 * Compiles and registers a list, as `query` does. The list is read whole or in keyset pages.
 * @param order the columns that order the rows; the query itself has no order
 * @param build receives `continued`, which builds the condition that a column of a joined table is not before the page.
 *   The column must equal the first column of the order. Without the condition, Postgres might merge that table from
 *   its first row for each page.
 */
export function pagedQuery<P, R>(
  name: string,
  order: Order<R>,
  build: BuildList<P>,
  samples: Partial<P> = {},
): Statement<P, R> {
  const whole = compile<P, R>(name, (p) => build(p, () => sql`true`), samples);
  const isContinued = (column: Sql) => fromKeyset(order, column, new Parameter(FROM));
  const continued = compile<P & From, R>(name, (p) => build(p, isContinued), {});
  const text = `${whole.text} order by ${orderBy(order)}`;
  const ordered = { order, whole, continued };
  return register<Statement<P, R>>({ ...whole, text, ordered, isMutation: false, isPointQuery: false });
}

/**
 * Compiles and registers a query that finds a few rows by their keys, as `query` does. The query must read few rows to
 * find them (`tests/db/lookups.test.ts`), because its `queryOne` shares a connection with other lookups.
 */
export function pointQuery<P, R>(name: string, build: Build<P>, samples: Partial<P> = {}): Statement<P, R> {
  return register<Statement<P, R>>({ ...compile<P, R>(name, build, samples), isMutation: false, isPointQuery: true });
}

/** Compiles and registers a statement that changes or locks rows, as `query` does. */
export function mutation<P, R = object>(name: string, build: Build<P>, samples: Partial<P> = {}): Mutation<P, R> {
  return register<Mutation<P, R>>({ ...compile<P, R>(name, build, samples), isMutation: true });
}

function register<S extends { name: string }>(made: S): S {
  const { name } = made;
  if (registered.has(name) || name.length > MAX_NAME_LENGTH)
    throw new Error(`Statement name ${name} is already registered or too long`);
  registered.set(name, made as unknown as Registered);
  return made;
}

function compile<P, R>(name: string, build: Build<P>, samples: Partial<P>): Compiled<P, R> {
  const parameters = new Proxy({} as Parameters<P>, { get: (_, parameter) => new Parameter(parameter as string) });
  const { sql, bindings } = (build(parameters, builder) as Knex.QueryBuilder).toSQL().toNative();
  const { text, slots, company } = shareCompany(sql, bindings as unknown[]);
  return {
    name,
    text,
    textForLongList: company === undefined ? text : text.replace(new RegExp(`\\$${company}\\b`, 'g'), hidden),
    parameterCount: slots.length,
    samples,
    values(companyId, params) {
      const given = ({ name }: Parameter) => (name === 'companyId' ? companyId : params[name as keyof P]);
      return slots.map((slot) => (slot instanceof Parameter ? given(slot) : slot));
    },
  };
}

/**
 * Hides a value from the planner of Postgres. For a company that is missing from the statistics, Postgres estimates one
 * row. Every index that begins with the company then costs the same, and Postgres might choose an index in which it
 * reads the whole company for each of ten thousand ids.
 */
const hidden = (parameter: string): string => `(select ${parameter}::uuid)`;

/**
 * Gives the company a single parameter number, however often a statement refers to it. Postgres then knows that all
 * these values are equal, as it knows of columns that are compared with each other.
 */
function shareCompany(
  sql: string,
  bindings: unknown[],
): { text: string; slots: unknown[]; company: number | undefined } {
  const isCompany = (slot: unknown) => slot instanceof Parameter && slot.name === 'companyId';
  const slots: unknown[] = [];
  let company: number | undefined;
  const numbers = bindings.map((slot) => (isCompany(slot) ? (company ??= slots.push(slot)) : slots.push(slot)));
  return { text: sql.replace(/\$(\d+)/g, (_, number: string) => `$${numbers[Number(number) - 1]}`), slots, company };
}

/** Derives the statement for a part of a list: at most `limit` rows, starting at an offset. */
export function toPageStatement<P, R>(list: Statement<P, R>): Statement<Part<P>, R> {
  const { name, text, parameterCount, values } = list;
  return {
    name: `${name}/page`,
    text: `select * from (${text}) as list offset $${parameterCount + 1}::integer limit $${parameterCount + 2}::integer`,
    parameterCount: parameterCount + 2,
    samples: {},
    isMutation: false,
    isPointQuery: false,
    values: (companyId, { params, offset, limit }) => [...values(companyId, params), offset, limit],
  };
}

interface Part<P> {
  params: P;
  offset: number;
  limit: number;
}

/** Derives the statement for a page of a list: at most `limit` rows, the first ones or those after a keyset. */
export function pageAfter<P, R>(list: Statement<P, R>, isFirst: boolean): Statement<PageAfter<P>, R> {
  const { name, ordered } = list;
  if (!ordered) throw new Error(`${name} is not a paged query`);
  const { order } = ordered;
  const { text, parameterCount, values } = isFirst ? (ordered.whole as typeof ordered.continued) : ordered.continued;
  const condition = isFirst ? '' : ` where ${afterKeyset(order, parameterCount + 2)}`;
  return {
    name: `${name}/${isFirst ? 'first' : 'after'}`,
    text: `select * from (${text}) as list${condition} order by ${orderBy(order)} limit $${parameterCount + 1}::integer`,
    parameterCount: parameterCount + 1 + (isFirst ? 0 : Object.keys(order).length),
    samples: {},
    isMutation: false,
    isPointQuery: false,
    values: (companyId, { params, keyset, limit }) => {
      return [...values(companyId, { ...params, [FROM]: keyset?.[0] }), limit, ...(keyset ?? [])];
    },
  };
}

interface PageAfter<P> {
  params: P;
  keyset: Keyset | null;
  limit: number;
}

/** Derives the statement that counts the rows of a list. */
export function toCountStatement<P>(list: Statement<P, unknown>): Statement<P, { count: number }> {
  const { name, text, parameterCount, samples, values } = list;
  return {
    name: `${name}/count`,
    text: `select count(*)::integer as count from (${text}) as list`,
    parameterCount,
    samples,
    isMutation: false,
    isPointQuery: false,
    values,
  };
}

/** Returns the statements of all modules loaded so far, for tests. */
export function registeredStatements(): Registered[] {
  return [...registered.values()];
}
