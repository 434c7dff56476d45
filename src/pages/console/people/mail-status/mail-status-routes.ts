import type { Router } from 'express';
import { redirectWithNotice } from '../../../shared/parts/notice.ts';
import { getAdmin } from '../../admin.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import { toPersonPath } from '../people-paths.ts';

/** Adds the form that marks a person's e-mail address as deliverable again. */
export function addMailStatusForm(pages: Router, runs: ConsoleRuns): void {
  pages.post('/people/:learnerId/clear-mail-status', async ({ params: { learnerId } }, res) => {
    await runs.run('clearLearnerMailStatus', getAdmin(res).caller, { learnerId });
    redirectWithNotice(res, toPersonPath(learnerId), 'cleared');
  });
}
