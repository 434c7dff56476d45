import type { Request, Response, Router } from 'express';
import { isOffered, getAdmin } from '../admin.ts';
import { notFound } from '../../../contract/errors.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import type { ChildrenView } from './children-page.ts';
import { type CompaniesSort, MEASURES, readChildrenQuery, SORTS } from './children-query.ts';

/** Reports whether the console of an admin starts with the list of the companies that their company manages. */
export function showsChildren(res: Response): boolean {
  const admin = getAdmin(res);
  return isOffered(admin, 'getCompaniesReport') && isOffered(admin, 'listCompanies');
}

/** Sends the list of the companies that the admin's company manages. */
export async function sendChildren(req: Request, res: Response, runs: ConsoleRuns): Promise<void> {
  const { childrenPage } = await import('./children-page.ts');
  const view = await readChildren(req, res, { runs, sorts: SORTS });
  sendConsolePage(res, { ...childrenPage(view, getAdmin(res).language), width: 'wide' });
}

/** Adds the comparison of the companies that the admin's company manages. */
export function addComparisonPage(pages: Router, runs: ConsoleRuns): void {
  pages.get('/companies/compare', async (req, res) => {
    if (!showsChildren(res)) throw notFound('page');
    const { comparisonPage } = await import('./comparison-page.ts');
    const view = await readChildren(req, res, { runs, sorts: MEASURES });
    sendConsolePage(res, { ...comparisonPage(view, getAdmin(res).language), width: 'wide' });
  });
}

async function readChildren(
  req: Request,
  res: Response,
  { runs, sorts }: { runs: ConsoleRuns; sorts: readonly CompaniesSort[] },
): Promise<ChildrenView> {
  const query = readChildrenQuery(req, sorts);
  const { items, nextCursor } = await runs.page('getCompaniesReport', getAdmin(res).caller, query.input, query.cursor);
  return { query, items, nextCursor };
}
