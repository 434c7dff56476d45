import type { NextFunction, Request, Response, Router } from 'express';
import { requireModules } from '../../../contract/errors.ts';
import type { Logger } from '../../../observability/logger.ts';
import { logFailure } from '../../../http/response/error-response.ts';
import { getRequestContext } from '../../../http/request-context.ts';
import { getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import type { FigureReader } from '../overview/figures.ts';
import { peopleMessages } from './people-messages.ts';
import { PEOPLE_PATH, peopleContent, personContent, tasksContent } from './people-page.ts';
import { readOpenTasks, readPeople, readPerson } from './people-reading.ts';

/**
 * Adds the pages of an admin with the role manager: the first page of the console, with the open tasks of their people;
 * the people with the figures of the reports; and the results of one of them. The reports need a recent sign-in, so only
 * the second page asks for a confirmation. The pipeline limits every operation to the manager's people.
 */
export function addPeoplePages(pages: Router, runs: ConsoleRuns, logger: Logger): void {
  const readerFor = (res: Response): FigureReader => ({
    run: (operationId, input) => runs.run(operationId, getAdmin(res).caller, input as never),
    missed: (error) => void logFailure(logger, { requestId: getRequestContext(res).requestId }, error),
  });
  const countFor = (res: Response) => async (input: { personId?: string }) => {
    requireModules(['smpolicy'], getAdmin(res).modules);
    return getAdmin(res).call('countManagedSignatures', input);
  };
  pages.get('/', onlyManagers, async (_req, res) => {
    const { caller, language } = getAdmin(res);
    const tasks = await readOpenTasks(runs, caller);
    const { overview } = peopleMessages[language];
    sendConsolePage(res, { title: overview, content: tasksContent(tasks, language), width: 'wide' });
  });
  pages.get(PEOPLE_PATH, onlyManagers, async (_req, res) => {
    const { language } = getAdmin(res);
    const people = await readPeople(readerFor(res), countFor(res));
    const { title } = peopleMessages[language];
    sendConsolePage(res, { title, content: peopleContent(people, language), width: 'wide' });
  });
  pages.get(`${PEOPLE_PATH}/:learnerId`, onlyManagers, async (req, res) => {
    const { language } = getAdmin(res);
    const { learnerId } = req.params as { learnerId: string };
    const person = await readPerson(readerFor(res), learnerId, countFor(res));
    sendConsolePage(res, { title: person.learner.name, content: personContent(person, language), width: 'wide' });
  });
}

/** Leaves the paths to the pages of other admins, unless the signed-in admin is a manager. */
function onlyManagers(_req: Request, res: Response, next: NextFunction): void {
  next(getAdmin(res).caller.isManager === true ? undefined : 'route');
}
