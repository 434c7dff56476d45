import type { Response, Router } from 'express';
import { findSessions } from '../../identity/session-repository.ts';
import { notFound } from '../../contract/errors.ts';
import { requireRecentProof } from '../../operations/invoke.ts';
import { isId } from '../../db/ids.ts';
import { getRequestOrigin } from '../../http/request-context.ts';
import { html } from '../../http/html/html.ts';
import { getPageContext, getSession } from './page-context.ts';
import { type PersonPage, tokenField } from './person-page.ts';
import { sessionsMessages } from './sessions-messages.ts';
import { sessionsTable } from './sessions-page.ts';
import type { SignInConfig } from './sign-in-config.ts';

/** Adds the page on which people see their own sessions, and end them. */
export function addOwnSessionsPages(
  pages: Router,
  { home, kind, sessions, cookie }: SignInConfig,
  sendPage: (res: Response, page: PersonPage) => void,
): void {
  const path = `${home}/sessions`;
  pages.get('/sessions', async (_req, res) => {
    const { language } = getPageContext(res);
    const { tenant, id, sessionId } = getSession(res);
    const messages = sessionsMessages[language];
    const own = await findSessions(tenant, kind, id);
    const token = tokenField(res);
    const content = html`
      <p>${messages.about}</p>
      ${sessionsTable({ path, language, sessions: own, token, currentId: sessionId })}
      <form method="post" action=${`${path}/end-others`}>
        ${token}
        <button type="submit">${messages.endOthers}</button>
      </form>
    `;
    sendPage(res, { title: messages.title, content });
  });
  // Only admins can confirm who they are without signing in again.
  const requireProof = (res: Response) => {
    if (kind === 'admin') requireRecentProof(getPageContext(res).caller);
  };
  pages.post('/sessions/end-others', async (req, res) => {
    requireProof(res);
    await sessions.endOthers(getSession(res), getRequestOrigin(req, res));
    res.redirect(303, path);
  });
  pages.post('/sessions/:sessionId/end', async (req, res) => {
    const session = getSession(res);
    const sessionId = req.params.sessionId.toLowerCase();
    if (sessionId !== session.sessionId) requireProof(res);
    const hasEnded = isId(sessionId) && (await sessions.endOne(session, sessionId, getRequestOrigin(req, res)));
    if (!hasEnded) throw notFound('session');
    if (sessionId !== session.sessionId) return res.redirect(303, path);
    cookie.clear(res);
    res.redirect(303, home);
  });
}
