import knex, { type Knex } from 'knex';

/** Builds SQL only; it has no connection. */
export const builder = knex({ client: 'pg' });

declare const kind: unique symbol;

/** SQL text with its parameters, made by `sql` or `literal` alone. */
export interface Sql {
  readonly [kind]: 'sql';
}

/** The place of a value that is given when the statement runs. */
export class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * SQL as it is written. Parameters are bound where they stand, other texts are spliced in with theirs; nothing else
 * type-checks between the braces. A `?` is an operator of Postgres, as for jsonb.
 */
export function sql(texts: TemplateStringsArray, ...values: (Parameter | Sql)[]): Sql {
  const text = texts.map((part) => part.replaceAll('?', '\\?')).join('?');
  return builder.raw(text, values as unknown as Knex.RawBinding[]) as unknown as Sql;
}

/** A constant that TypeScript and SQL share, quoted. */
export function literal(value: string | number): Sql {
  if (typeof value === 'number') return sql([String(value)] as unknown as TemplateStringsArray);
  if (value.includes('\\')) throw new Error('A literal may not hold a backslash');
  return sql([`'${value.replaceAll("'", "''")}'`] as unknown as TemplateStringsArray);
}

/** A time inside JSON, where Postgres would print it in another form than answers have it. */
export function asText(time: Sql): Sql {
  return sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Texts one after the other, with commas between them. */
export function list(texts: readonly Sql[]): Sql {
  const places = ['', ...texts.map((_, index) => (index < texts.length - 1 ? ', ' : ''))];
  return sql(places as unknown as TemplateStringsArray, ...texts);
}
