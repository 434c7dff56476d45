import type { NextFunction, Request, Response, Router } from 'express';
import type { Logger } from '../../../observability/logger.ts';
import { logFailure } from '../../../http/response/error-response.ts';
import { getRequestContext } from '../../../http/request-context.ts';
import { getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import type { FigureReader } from '../overview/figures.ts';
import { peopleMessages } from './people-messages.ts';
import { showPeople } from './people-list-routes.ts';
import { personContent, tasksContent } from './people-page.ts';
import { countSignaturesFor, readOpenTasks, readPerson } from './people-reading.ts';

/**
 * Adds the pages of people: the list, and the page of each person. An admin with the role manager has the same pages, and
 * the open tasks of their people as the first page of the console; the pipeline limits every operation to these people.
 * Lists of people need a recent sign-in, so the list asks for a confirmation.
 */
export function addPeoplePages(pages: Router, runs: ConsoleRuns, logger: Logger): void {
  const readerFor = (res: Response): FigureReader => ({
    run: (operationId, input) => runs.run(operationId, getAdmin(res).caller, input as never),
    missed: (error) => void logFailure(logger, { requestId: getRequestContext(res).requestId }, error),
  });
  pages.get('/', onlyManagers, async (_req, res) => {
    const { caller, language } = getAdmin(res);
    const tasks = await readOpenTasks(runs, caller);
    const { overview } = peopleMessages[language];
    sendConsolePage(res, { title: overview, content: tasksContent(tasks, language), width: 'wide' });
  });
  pages.get('/people', (req, res) => showPeople(runs, readerFor(res), req, res));
  pages.get('/people/:learnerId', async (req, res) => {
    const { language } = getAdmin(res);
    const person = await readPerson(readerFor(res), req.params.learnerId, countSignaturesFor(res));
    sendConsolePage(res, { title: person.learner.name, content: personContent(person, language), width: 'wide' });
  });
}

/** Leaves the paths to the pages of other admins, unless the signed-in admin is a manager. */
function onlyManagers(_req: Request, res: Response, next: NextFunction): void {
  next(getAdmin(res).caller.isManager === true ? undefined : 'route');
}
