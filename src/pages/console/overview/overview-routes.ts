import type { Response, Router } from 'express';
import { isId } from '../../../db/ids.ts';
import { notFound } from '../../../contract/errors.ts';
import type { Logger } from '../../../observability/logger.ts';
import { logFailure } from '../../../http/response/error-response.ts';
import { getRequestContext } from '../../../http/request-context.ts';
import { getAdmin } from '../admin.ts';
import { readChildren } from '../children.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import type { FigureReader } from './figures.ts';

/**
 * What an admin sees first: the figures of the company, or the companies that it manages, each with a page of its own. What
 * may be read of them is decided by the operations, as it is for a key with `companyId`. The pages and their charts are
 * loaded when the first is asked for.
 */
export function addOverviewPages(pages: Router, runs: ConsoleRuns, logger: Logger): void {
  const readerFor = (res: Response): FigureReader => ({
    run: (operationId, input) => runs.run(operationId, getAdmin(res).caller, input as never),
    // The page is answered with 200 although a figure is missing: nobody else logs why.
    missed: (error) => void logFailure(logger, { requestId: getRequestContext(res).requestId }, error),
  });
  pages.get('/', (req, res) => {
    return isManager(res)
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

async function showFigures(reader: FigureReader, res: Response, companyId: string | undefined): Promise<void> {
  const { overviewPage, readFigures } = await import('./overview-page.ts');
  const figures = await readFigures(reader, companyId);
  const { language } = getAdmin(res);
  const options = { language, companyId, isOneOfMany: isManager(res), today: new Date() };
  sendConsolePage(res, { ...overviewPage(figures, options), width: 'wide' });
}

async function showChildren(reader: FigureReader, res: Response, page: number): Promise<void> {
  const { childrenPage } = await import('../children-page.ts');
  const children = await readChildren(reader, page);
  sendConsolePage(res, { ...childrenPage(children, getAdmin(res).language), width: 'wide' });
}

function isManager(res: Response): boolean {
  const { accountType } = getAdmin(res).caller;
  return accountType === 'msp' || accountType === 'distributor';
}

/** The first for whatever is no number of a page. */
function pageNumber(input: unknown): number {
  return typeof input === 'string' && /^[1-9]\d{0,5}$/.test(input) ? Number(input) : 1;
}
