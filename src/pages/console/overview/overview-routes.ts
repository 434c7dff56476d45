import type { Response, Router } from 'express';
import type { Logger } from '../../../observability/logger.ts';
import { logFailure } from '../../../http/response/error-response.ts';
import { getRequestContext } from '../../../http/request-context.ts';
import { canCall, getAdmin } from '../admin.ts';
import { sendChildren, showsChildren } from '../children/children-routes.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import type { ReportReader } from './figures.ts';

/**
 * Adds the first pages of the console: the figures of the company, or the companies that it manages. The pages and
 * their charts are loaded with the first request.
 */
export function addOverviewPages(pages: Router, runs: ConsoleRuns, logger: Logger): void {
  const readerFor = (res: Response): ReportReader => ({
    run: (operationId, input) => runs.run(operationId, getAdmin(res).caller, input as never),
    // The page returns 200 although a figure is missing, so nothing else logs the error.
    missed: (error) => void logFailure(logger, { requestId: getRequestContext(res).requestId }, error),
  });
  pages.get('/', (req, res) => {
    return showsChildren(res)
      ? sendChildren(req, res, runs)
      : showFigures(readerFor(res), res, getAdmin(res).caller.childId);
  });
  pages.get('/company', (_req, res) => showFigures(readerFor(res), res, undefined));
}

async function showFigures(reader: ReportReader, res: Response, companyId: string | undefined): Promise<void> {
  const { overviewPage, readFigures } = await import('./overview-page.ts');
  const figures = await readFigures(reader, companyId);
  const { language, caller } = getAdmin(res);
  const canImport = companyId === undefined && canCall(caller, 'createLearnerImport');
  const options = { language, companyId, isOneOfMany: managesCompanies(res), canImport, today: new Date() };
  sendConsolePage(res, { ...overviewPage(figures, options), width: 'wide' });
}

function managesCompanies(res: Response): boolean {
  const { accountType } = getAdmin(res).caller;
  return accountType === 'msp' || accountType === 'distributor';
}
