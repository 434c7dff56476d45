import knex, { type Knex } from 'knex';

/** A Knex without a connection, which only builds SQL. */
export const builder = knex({ client: 'pg' });

declare const kind: unique symbol;

/** SQL text with its parameters. Only `sql`, `literal` and functions that use them can create it. */
export interface Sql {
  readonly [kind]: 'sql';
}

/** A placeholder for a value that the caller passes when the statement runs. */
export class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Builds SQL from a template. Parameters become bound values; other SQL is inserted with its parameters. The
 * placeholders `${…}` accept no other type. A `?` in the text is an operator of Postgres, as for jsonb.
 */
export function sql(texts: TemplateStringsArray, ...values: (Parameter | Sql)[]): Sql {
  const text = texts.map((part) => part.replaceAll('?', '\\?')).join('?');
  return builder.raw(text, values as unknown as Knex.RawBinding[]) as unknown as Sql;
}

/** Quotes a constant as SQL. @throws if it contains a backslash */
export function literal(value: string | number): Sql {
  if (typeof value === 'number') return sql([String(value)] as unknown as TemplateStringsArray);
  if (value.includes('\\')) throw new Error('A literal must not contain a backslash');
  return sql([`'${value.replaceAll("'", "''")}'`] as unknown as TemplateStringsArray);
}

/** Inserts the name of a table or column. @throws if it needs quotes */
export function identifier(name: string): Sql {
  if (!/^[a-z][a-z_]*$/.test(name)) throw new Error(`${name} needs quotes`);
  return sql([name] as unknown as TemplateStringsArray);
}

/** Formats a time inside JSON as responses show times. Postgres would use a different format inside JSON. */
export function asText(time: Sql): Sql {
  return sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Joins SQL fragments with commas. */
export function list(texts: readonly Sql[]): Sql {
  const places = ['', ...texts.map((_, index) => (index < texts.length - 1 ? ', ' : ''))];
  return sql(places as unknown as TemplateStringsArray, ...texts);
}
