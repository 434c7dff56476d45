import type { Knex } from 'knex';
import { builder, Parameter, type Sql } from './sql.ts';

/** A compiled, named statement: `P` are its parameters beside the company, `R` is the row that it returns. */
export interface Compiled<P, R> {
  readonly name: string;
  readonly text: string;
  /** How many there are of `$1, $2, …`. */
  readonly parameterCount: number;
  /** Values that tests give to parameters whose type does not tell what is sensible. */
  readonly samples: Partial<P>;
  /** Parameter values in the order of `$1, $2, …`. */
  values(this: void, companyId: string, params: P): unknown[];
  /** Only for inference. */
  readonly row?: R;
}

/** Reads, and neither changes nor locks a row. */
export interface Statement<P, R> extends Compiled<P, R> {
  readonly isChange: false;
}

/** Changes rows, or locks them: only a writer runs it. */
export interface Change<P, R> extends Compiled<P, R> {
  readonly isChange: true;
}

/** Where the parameters go. `companyId` is the tenant handle's own and is always there. */
export type Parameters<P> = { readonly [Name in (keyof P & string) | 'companyId']-?: Parameter };

/** Either wholly Knex's builder, when that needs no text of SQL, or wholly one text. */
type Build<P> = (p: Parameters<P>, knex: Knex) => Knex.QueryBuilder | Sql;

/** Postgres cuts names at 63 characters. */
const MAX_NAME_LENGTH = 63 - '/count'.length;

type Registered = Statement<never, unknown> | Change<never, unknown>;

const registered = new Map<string, Registered>();

/**
 * Compiles a query into a named prepared statement, so that a hot read pays for building its SQL once. What it runs in is
 * read only: Postgres refuses a change.
 * @param name unique, short enough to be told from others by Postgres, also when it is paged.
 * @param samples values for tests, for parameters that take but a few
 * @throws when the name is taken or too long.
 */
export function statement<P, R>(name: string, build: Build<P>, samples: Partial<P> = {}): Statement<P, R> {
  return register<Statement<P, R>>({ ...compile<P, R>(name, build, samples), isChange: false });
}

/** The same for what changes rows or locks them. */
export function change<P, R = object>(name: string, build: Build<P>, samples: Partial<P> = {}): Change<P, R> {
  return register<Change<P, R>>({ ...compile<P, R>(name, build, samples), isChange: true });
}

function register<S extends { name: string }>(made: S): S {
  const { name } = made;
  if (registered.has(name) || name.length > MAX_NAME_LENGTH)
    throw new Error(`Statement name ${name} is taken or too long`);
  registered.set(name, made as unknown as Registered);
  return made;
}

function compile<P, R>(name: string, build: Build<P>, samples: Partial<P>): Compiled<P, R> {
  const parameters = new Proxy({} as Parameters<P>, { get: (_, parameter) => new Parameter(parameter as string) });
  const { sql, bindings } = (build(parameters, builder) as Knex.QueryBuilder).toSQL().toNative();
  const slots = bindings as unknown[];
  return {
    name,
    text: sql,
    parameterCount: slots.length,
    samples,
    values(companyId, params) {
      const given = ({ name }: Parameter) => (name === 'companyId' ? companyId : params[name as keyof P]);
      return slots.map((slot) => (slot instanceof Parameter ? given(slot) : slot));
    },
  };
}

/** The same list from an offset on, and no more than a limit of it. */
export function pageOf<P, R>(list: Statement<P, R>): Statement<Part<P>, R> {
  const { name, text, parameterCount, values } = list;
  return {
    name: `${name}/page`,
    text: `select * from (${text}) as list offset $${parameterCount + 1}::integer limit $${parameterCount + 2}::integer`,
    parameterCount: parameterCount + 2,
    samples: {},
    isChange: false,
    values: (companyId, { params, offset, limit }) => [...values(companyId, params), offset, limit],
  };
}

interface Part<P> {
  params: P;
  offset: number;
  limit: number;
}

/** How long a list is. */
export function countOf<P>(list: Statement<P, unknown>): Statement<P, { count: number }> {
  const { name, text, parameterCount, samples, values } = list;
  return {
    name: `${name}/count`,
    text: `select count(*)::integer as count from (${text}) as list`,
    parameterCount,
    samples,
    isChange: false,
    values,
  };
}

/** Every statement of the modules loaded so far: what tests walk. */
export function registeredStatements(): Registered[] {
  return [...registered.values()];
}
