import type { NextFunction, Request, Response, Router } from 'express';
import { html } from '../../../http/html/html.ts';
import { renderNotice } from '../../shared/parts/notice.ts';
import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import type { Logger } from '../../../observability/logger.ts';
import { logFailure } from '../../../http/response/error-response.ts';
import { getRequestContext } from '../../../http/request-context.ts';
import { canCall, getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import type { ReportReader } from '../overview/figures.ts';
import { peopleMessages } from './people-messages.ts';
import { actionsMessages } from './actions-messages.ts';
import { ACTIONS_PATH } from './actions-page.ts';
import { addActionsPages } from './actions-routes.ts';
import { addCorrectionPages } from './corrections/corrections-routes.ts';
import { correctionsMessages } from './corrections/corrections-messages.ts';
import { toCorrectionsPath } from './corrections/corrections-page.ts';
import { editMessages } from './edit/edit-messages.ts';
import { addEditPages } from './edit/edit-routes.ts';
import { addImportPages } from './imports/imports-routes.ts';
import { mailStatusMessages } from './mail-status/mail-status-messages.ts';
import { addMailStatusForm } from './mail-status/mail-status-routes.ts';
import { showPeople } from './people-list-routes.ts';
import { toPersonPath } from './people-paths.ts';
import { tasksContent } from './people-page.ts';
import { readOpenTasks } from './people-reading.ts';
import { listActions } from './people-actions.ts';
import { personContent, type PersonView } from './person-page.ts';
import { readPersonRecords } from './person-reading.ts';

/**
 * Adds the people pages: the list, and a page for each person. An admin with the role manager has the same pages, and
 * starts with the open tasks of their people; the pipeline limits every operation to these people. Lists of people need
 * a recent sign-in, so the list asks for a confirmation.
 */
export function addPeoplePages(pages: Router, runs: ConsoleRuns, logger: Logger): void {
  const readerFor = (res: Response): ReportReader => ({
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
  addActionsPages(pages, runs);
  addImportPages(pages, runs);
  addEditPages(pages, runs);
  addCorrectionPages(pages, runs);
  addMailStatusForm(pages, runs);
  pages.get('/people/:learnerId', async (req, res) => {
    const { caller, language, formToken } = getAdmin(res);
    const records = await readPersonRecords(runs, caller, req.params.learnerId);
    const actions = listLinks(records.learner, caller, language);
    const mailFormToken = canCall(caller, 'clearLearnerMailStatus') ? formToken : undefined;
    const content = personContent({ language, records, actions, mailFormToken });
    const notices = { saved: editMessages[language].saved, cleared: mailStatusMessages[language].cleared };
    sendConsolePage(res, {
      title: records.learner.name,
      content: html`${renderNotice(req as Request, notices)} ${content}`,
      width: 'wide',
    });
  });
}

/** Lists the links to the actions on a person that the admin's role permits. */
function listLinks({ id, inactive }: Schemas['Learner'], caller: Caller, language: Language): PersonView['actions'] {
  const fitting = listActions(caller).filter((action) => action !== (inactive ? 'deactivate' : 'activate'));
  const links = fitting.map((action) => {
    const query = new URLSearchParams({ action, learnerId: id }).toString();
    return { href: `${ACTIONS_PATH}?${query}`, text: actionsMessages[language].actions[action] };
  });
  const edit = { href: `${toPersonPath(id)}/edit`, text: editMessages[language].link };
  const correct = { href: toCorrectionsPath(id), text: correctionsMessages[language].link };
  return [
    ...(canCall(caller, 'updateLearner') ? [edit] : []),
    ...links,
    ...(canCall(caller, 'correctRecords') ? [correct] : []),
  ];
}

/** Passes requests on to the pages for other admins, unless the signed-in admin is a manager. */
function onlyManagers(_req: Request, res: Response, next: NextFunction): void {
  next(getAdmin(res).caller.isManager === true ? undefined : 'route');
}
