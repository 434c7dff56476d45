import type { Knex } from 'knex';
import { Parameter as Place } from './sql.ts';
import { change as changeOf, type Change, statement as statementOf, type Statement } from './statement.ts';

export type Parameter<P> = (name: (keyof P & string) | 'companyId') => Knex.Value;
type Build<P> = (sql: Knex, param: Parameter<P>) => Knex.QueryBuilder | Knex.Raw;

const param = (name: string) => new Place(name) as unknown as Knex.Value;

export function statement<P, R>(name: string, build: Build<P>): Statement<P, R> {
  return statementOf(name, (_, knex) => build(knex, param) as Knex.QueryBuilder);
}

export function change<P, R>(name: string, build: Build<P>): Change<P, R> {
  return changeOf(name, (_, knex) => build(knex, param) as Knex.QueryBuilder);
}
