import knex, { type Knex } from 'knex';

/** Builds SQL only; it has no connection. Statements are compiled by it once and run by a tenant handle. */
const builder = knex({ client: 'pg' });

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A compiled, named statement: `P` are its parameters beside the company, `R` is the row that it returns. */
export interface Statement<P, R> {
  readonly name: string;
  readonly text: string;
  /** How many there are of `$1, $2, …`. */
  readonly parameterCount: number;
  /** Parameter values in the order of `$1, $2, …`. */
  values(this: void, companyId: string, params: P): unknown[];
  /** Only for inference. */
  readonly row?: R;
}

/** Marks where a parameter goes. `companyId` is the tenant handle's own and is always there. */
export type Parameter<P> = (name: (keyof P & string) | 'companyId') => Knex.Value;

/** Postgres cuts names at 63 characters. */
const LONGEST_NAME = 63 - '/count'.length;

const registered = new Map<string, Statement<never, unknown>>();

/**
 * Compiles a Knex query into a named prepared statement, so that a hot read pays for building its SQL once.
 * @param name unique, short enough to be told from others by Postgres, also when it is paged.
 * @param build the query, with `param('…')` wherever a value goes.
 * @throws when the name is taken or too long.
 */
export function statement<P, R>(
  name: string,
  build: (sql: Knex, param: Parameter<P>) => Knex.QueryBuilder | Knex.Raw,
): Statement<P, R> {
  if (registered.has(name) || name.length > LONGEST_NAME)
    throw new Error(`Statement name ${name} is taken or too long`);
  const param: Parameter<P> = (parameter) => new Placeholder(parameter) as unknown as Knex.Value;
  const { sql, bindings } = build(builder, param).toSQL().toNative();
  const order = bindings.map((binding: unknown) => {
    return binding instanceof Placeholder ? { parameter: binding.name } : { constant: binding, parameter: undefined };
  });
  const compiled: Statement<P, R> = {
    name,
    text: sql,
    parameterCount: order.length,
    values(companyId, params) {
      const given: Record<string, unknown> = { ...params, companyId };
      return order.map((slot) => (slot.parameter === undefined ? slot.constant : given[slot.parameter]));
    },
  };
  registered.set(name, compiled);
  return compiled;
}

/** The same list from an offset on, and no more than a limit of it. */
export function pageOf<P, R>({ name, text, parameterCount, values }: Statement<P, R>): Statement<Part<P>, R> {
  return {
    name: `${name}/page`,
    text: `select * from (${text}) as list offset $${parameterCount + 1}::integer limit $${parameterCount + 2}::integer`,
    parameterCount: parameterCount + 2,
    values: (companyId, { params, offset, limit }) => [...values(companyId, params), offset, limit],
  };
}

interface Part<P> {
  params: P;
  offset: number;
  limit: number;
}

/** How long a list is. */
export function countOf<P>({
  name,
  text,
  parameterCount,
  values,
}: Statement<P, unknown>): Statement<P, { count: number }> {
  return {
    name: `${name}/count`,
    text: `select count(*)::integer as count from (${text}) as list`,
    parameterCount,
    values,
  };
}

/** Every statement of the modules loaded so far: what the row-level security test walks. */
export function registeredStatements(): Statement<never, unknown>[] {
  return [...registered.values()];
}
