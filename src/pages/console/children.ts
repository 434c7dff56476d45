import type { Schemas } from '../../contract/contract.ts';
import type { Rows } from '../../db/rows.ts';
import { readOutcome, type Outcome, type ReportReader, run } from './overview/figures.ts';

/** Number of companies on a page; low, because the figures of each company take a call. */
export const CHILDREN_TO_A_PAGE = 20;

export interface Child {
  company: Schemas['ChildCompany'];
  figures: Outcome<Schemas['GroupReportCompany']>;
}

export interface Children {
  /** Number of companies on all pages. */
  total: number;
  /** Number of companies on earlier pages. */
  before: number;
  children: Child[];
}

/**
 * Reads a page of the companies that the caller manages, each with its current figures.
 * @param number the number of the page, from 1; beyond the last page, the last page is read
 * @throws {ApiError} `forbidden` for a caller who manages no companies
 */
export async function readChildren(reader: ReportReader, number: number): Promise<Children> {
  const list = (await run(reader, 'listCompanies', {})) as Rows<Schemas['ChildCompany']>;
  const before = (number - 1) * CHILDREN_TO_A_PAGE;
  const { items, total } = await list.page(before, CHILDREN_TO_A_PAGE);
  const last = Math.ceil(total / CHILDREN_TO_A_PAGE);
  if (number > last && last > 0) return readChildren(reader, last);
  const companies = items as Schemas['ChildCompany'][];
  const children = await Promise.all(
    companies.map(async (company): Promise<Child> => ({
      company,
      figures: await readOutcome(reader, getFigures(company.id)),
    })),
  );
  return { total, before, children };

  async function getFigures(companyId: string): Promise<Schemas['GroupReportCompany']> {
    return (await run(reader, 'getGroupReport', { companyId })).company;
  }
}
