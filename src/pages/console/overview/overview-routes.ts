import type { Response, Router } from 'express';
import { isId } from '../../../db/ids.ts';
import { notFound } from '../../../contract/errors.ts';
import type { Logger } from '../../../observability/logger.ts';
import { logFailure } from '../../../http/response/error-response.ts';
import { getRequestContext } from '../../../http/request-context.ts';
import { canCall, getAdmin } from '../admin.ts';
import { readChildren } from '../children.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import type { ReportReader } from './figures.ts';

/**
 * Adds the first pages of the console: the figures of the company, or the companies that it manages, with a page for
 * each. The operations decide what can be read of a managed company, as for a key with `companyId`. The pages and their
 * charts are loaded with the first request.
 */
export function addOverviewPages(pages: Router, runs: ConsoleRuns, logger: Logger): void {
  const readerFor = (res: Response): ReportReader => ({
    run: (operationId, input) => runs.run(operationId, getAdmin(res).caller, input as never),
    // The page returns 200 although a figure is missing, so nothing else logs the error.
    missed: (error) => void logFailure(logger, { requestId: getRequestContext(res).requestId }, error),
  });
  pages.get('/', (req, res) => {
    return managesCompanies(res) && canCall(getAdmin(res).caller, 'listCompanies')
      ? showChildren(readerFor(res), res, pageNumber(req.query.page))
      : showFigures(readerFor(res), res, undefined);
  });
  pages.get('/company', (_req, res) => showFigures(readerFor(res), res, undefined));
  pages.get('/companies/:companyId', ({ params }, res) => {
    const companyId = params.companyId.toLowerCase();
    if (!isId(companyId)) throw notFound('company');
    return showFigures(readerFor(res), res, companyId);
  });
}

async function showFigures(reader: ReportReader, res: Response, companyId: string | undefined): Promise<void> {
  const { overviewPage, readFigures } = await import('./overview-page.ts');
  const figures = await readFigures(reader, companyId);
  const { language } = getAdmin(res);
  const options = { language, companyId, isOneOfMany: managesCompanies(res), today: new Date() };
  sendConsolePage(res, { ...overviewPage(figures, options), width: 'wide' });
}

async function showChildren(reader: ReportReader, res: Response, page: number): Promise<void> {
  const { childrenPage } = await import('../children-page.ts');
  const children = await readChildren(reader, page);
  sendConsolePage(res, { ...childrenPage(children, getAdmin(res).language), width: 'wide' });
}

function managesCompanies(res: Response): boolean {
  const { accountType } = getAdmin(res).caller;
  return accountType === 'msp' || accountType === 'distributor';
}

/** Parses the number of a page. Returns 1 for invalid input. */
function pageNumber(input: unknown): number {
  return typeof input === 'string' && /^[1-9]\d{0,5}$/.test(input) ? Number(input) : 1;
}
