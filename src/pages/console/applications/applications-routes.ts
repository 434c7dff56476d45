import type { Router } from 'express';
import { notFound } from '../../../contract/errors.ts';
import { canCall, getAdmin, requireCall } from '../admin.ts';
import { applicationsContent, APPLICATIONS_PATH, endContent } from './applications-page.ts';
import { applicationsMessages } from './applications-messages.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';

/** Adds the pages on which an admin sees connected applications, and ends their access. */
export function addApplicationsPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/applications', async (_req, res) => {
    const { caller, language } = getAdmin(res);
    const { items: connections, isCut } = await runs.first('listConnections', caller);
    const keyNames = new Map<string, string>();
    const keyIds = new Set(connections.map(({ apiKeyId }) => apiKeyId));
    for await (const { id, name } of runs.items('listApiKeys', caller)) if (keyIds.has(id)) keyNames.set(id, name);
    const content = applicationsContent({
      language,
      canEnd: canCall(caller, 'endConnection'),
      connections,
      isCut,
      keyNames,
    });
    sendConsolePage(res, { title: applicationsMessages[language].title, content, width: 'wide' });
  });
  pages.get('/applications/:connectionId/end', async ({ params: { connectionId } }, res) => {
    const { caller, formToken, language } = getAdmin(res);
    requireCall(caller, 'endConnection');
    for await (const one of runs.items('listConnections', caller)) {
      if (one.id !== connectionId) continue;
      const content = endContent(one, formToken, language);
      return sendConsolePage(res, { title: applicationsMessages[language].endTitle, content });
    }
    throw notFound('connection');
  });
  pages.post('/applications/:connectionId/end', async ({ params: { connectionId } }, res) => {
    await runs.run('endConnection', getAdmin(res).caller, { connectionId });
    res.redirect(303, APPLICATIONS_PATH);
  });
}
