import type { Request } from 'express';
import type { Input, Schemas } from '../../../contract/contract.ts';
import { readListQuery, type ListQuery } from '../../shared/list-query.ts';

export type CompaniesSort = NonNullable<Input<'getCompaniesReport'>['sort']>;
export type ChildFigures = Schemas['CompaniesReportRow'];

/** The orders of the report. Each is also a column of the table. */
export const SORTS = [
  ...(['companyName', 'learnerCount', 'overdueRate', 'clickRate', 'reportRate'] as const),
  ...(['breachedAccounts', 'averageRiskScore', 'lastActivityAt'] as const),
] as const satisfies readonly CompaniesSort[];

/** The figures that the comparison draws as bars. */
export const MEASURES = [
  ...(['overdueRate', 'clickRate', 'reportRate', 'averageRiskScore', 'breachedAccounts'] as const),
] as const satisfies readonly CompaniesSort[];
export type Measure = (typeof MEASURES)[number];

/** Maximum length of a name that the filter of the contract accepts. */
const MAX_LENGTH = 200;

export interface ChildrenQuery extends ListQuery {
  sort: CompaniesSort;
  input: Input<'getCompaniesReport'>;
}

/** Reads the search and the order of the companies from an address. Ignores an order that does not exist. */
export function readChildrenQuery(req: Pick<Request, 'query'>, sorts: readonly CompaniesSort[]): ChildrenQuery {
  const { values, cursor } = readListQuery(req, ['q', 'sort']);
  const q = (values.q ?? '').slice(0, MAX_LENGTH);
  const sort = sorts.find((name) => name === values.sort) ?? sorts[0]!;
  const chosen = sort === sorts[0] ? '' : sort;
  return { values: { q, sort: chosen }, cursor, sort, input: { sort, ...(q !== '' && { name: q }) } };
}
