import knex, { type Knex } from 'knex';

/** Only builds SQL. It has no connection. */
export const builder = knex({ client: 'pg' });

declare const kind: unique symbol;

/** SQL text with its parameters. Only `sql`, `literal` and functions of them make it. */
export interface Sql {
  readonly [kind]: 'sql';
}

/** A placeholder for a value that is given when the statement runs. */
export class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Makes SQL of a template. Parameters become bound values; other SQL is inserted with its parameters. Nothing else
 * type-checks between the braces. A `?` in the text is an operator of Postgres, as for jsonb.
 */
export function sql(texts: TemplateStringsArray, ...values: (Parameter | Sql)[]): Sql {
  const text = texts.map((part) => part.replaceAll('?', '\\?')).join('?');
  return builder.raw(text, values as unknown as Knex.RawBinding[]) as unknown as Sql;
}

/** A constant as quoted SQL. */
export function literal(value: string | number): Sql {
  if (typeof value === 'number') return sql([String(value)] as unknown as TemplateStringsArray);
  if (value.includes('\\')) throw new Error('A literal may not hold a backslash');
  return sql([`'${value.replaceAll("'", "''")}'`] as unknown as TemplateStringsArray);
}

/** A time for use inside JSON, in the form of our answers: Postgres would print another form there. */
export function asText(time: Sql): Sql {
  return sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Joins SQL texts with commas. */
export function list(texts: readonly Sql[]): Sql {
  const places = ['', ...texts.map((_, index) => (index < texts.length - 1 ? ', ' : ''))];
  return sql(places as unknown as TemplateStringsArray, ...texts);
}
