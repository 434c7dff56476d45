import type { Request } from 'express';
import type { Input, Schemas } from '../../../contract/contract.ts';
import { isId } from '../../../db/ids.ts';
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

/** Maximum number of companies whose figures can be compared; as many as a page of the list has. */
const MAX_CHOSEN = 50;

/**
 * Reads the companies that a URL selects: several values if the form with the check boxes was submitted, or one
 * comma-separated value in links of the pages. Ignores malformed ids.
 */
function readChosen({ query }: Pick<Request, 'query'>): string[] {
  const values = [query.company].flat().filter((value) => typeof value === 'string');
  const ids = values.flatMap((value) => value.toLowerCase().split(','));
  return [...new Set(ids.filter(isId))].slice(0, MAX_CHOSEN);
}

/** Reads the search and the order of the companies from a URL. Ignores an order that does not exist. */
export function readChildrenQuery(req: Pick<Request, 'query'>, sorts: readonly CompaniesSort[]): ChildrenQuery {
  const { values, cursor } = readListQuery(req, ['q', 'sort']);
  const q = (values.q ?? '').slice(0, MAX_LENGTH);
  const sort = sorts.find((name) => name === values.sort) ?? sorts[0]!;
  const chosen = sort === sorts[0] ? '' : sort;
  const ids = readChosen(req);
  return {
    ...{ cursor, sort },
    values: { q, sort: chosen, company: ids.join(',') },
    input: { sort, ...(q !== '' && { name: q }), ...(ids.length > 0 && { companyIds: ids }) },
  };
}
