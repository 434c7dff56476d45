import type { Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { formatFullName } from '../../../db/expressions.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { tokenField } from '../../shared/person-page.ts';
import { sessionsMessages } from '../../shared/sessions-messages.ts';
import { sessionsTable } from '../../shared/sessions-page.ts';
import { canCall, getAdmin } from '../admin.ts';
import { placesMessages } from '../places-messages.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { ADMINS_PATH } from './admins-page.ts';

/**
 * Adds the forms that end the sessions of the company's admins. The page with an admin's passkeys shows the sessions.
 */
export function addSessionsOfAdminsForms(pages: Router, runs: ConsoleRuns): void {
  pages.post('/admins/:adminId/sessions/end-all', async ({ params: { adminId } }, res) => {
    await runs.run('endAdminSessions', getAdmin(res).caller, { adminId });
    res.redirect(303, `${ADMINS_PATH}/${adminId}/passkeys`);
  });
  pages.post('/admins/:adminId/sessions/:sessionId/end', async ({ params: { adminId, sessionId } }, res) => {
    await runs.run('endAdminSession', getAdmin(res).caller, { adminId, sessionId });
    res.redirect(303, `${ADMINS_PATH}/${adminId}/passkeys`);
  });
}

/** Renders the sessions of an admin, with buttons that end them if the role permits that. */
export async function renderSessions(runs: ConsoleRuns, res: Response, admin: Schemas['Admin']): Promise<Html> {
  const { caller, language } = getAdmin(res);
  const messages = sessionsMessages[language];
  const sessions: Schemas['PersonSession'][] = [];
  for await (const session of runs.items('listAdminSessions', caller, { adminId: admin.id })) sessions.push(session);
  const path = `${ADMINS_PATH}/${admin.id}/sessions`;
  const token = canCall(caller, 'endAdminSession') ? tokenField(res) : undefined;
  return html`
    <h2>${placesMessages[language].sessions}</h2>
    <p>${messages.ofAnother(formatFullName(admin))}</p>
    ${sessionsTable({ path, language, sessions, token })}
    ${
      token &&
      sessions.length > 0 &&
      html`<form method="post" action=${`${path}/end-all`}>
        ${token}
        <button type="submit">${messages.endAll}</button>
      </form>`
    }
  `;
}
