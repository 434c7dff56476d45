import { type Request, type RequestHandler, type Response, Router } from 'express';
import { refuseMethod, requireStarted } from '../../http/guards.ts';
import { html } from '../../http/html/html.ts';
import type { Readiness } from '../../http/readiness.ts';
import { getRequestOrigin } from '../../http/request-context.ts';
import type { SharedServices } from '../../http/shared-services.ts';
import { languageAsked } from '../shared/page-context.ts';
import { sendPlainPage } from '../shared/person-page.ts';
import { unsubscribeMessages } from './unsubscribe-messages.ts';

const PATH = '/board-reports/unsubscribe/:token';

type Subscription = NonNullable<Awaited<ReturnType<SharedServices['openings']['boardReports']['find']>>>;

/**
 * Serves the links of emails with the report for the board. Opening a link changes nothing, because mail programs open
 * links by themselves. A POST to the link unsubscribes at once, without a cookie and with any body, because mail
 * programs send it (RFC 8058). The secret in the URL identifies the recipient, so the form needs no CSRF token.
 */
export function unsubscribeRoutes(
  { readiness }: { readiness: Readiness },
  { openings, countFailure }: Pick<SharedServices, 'openings' | 'countFailure'>,
): Router {
  const find: RequestHandler = async (req, res, next) => {
    const subscription = await openings.boardReports.find(req.params.token as string, getRequestOrigin(req, res));
    if (subscription) {
      res.locals.subscription = subscription;
      return next();
    }
    await countFailure(req, res);
    sendUnknown(req, res);
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/board-reports', requireStarted(readiness));
  router.get(PATH, find, (req, res) => sendState(req, res, getSubscription(res).isUnsubscribed));
  router.post(PATH, find, change(true));
  router.all(PATH, refuseMethod('GET', 'HEAD', 'POST'));
  router.post(`${PATH}/undo`, find, change(false));
  router.all(`${PATH}/undo`, refuseMethod('POST'));
  return router;
}

function getSubscription(res: Response): Subscription {
  return (res.locals as { subscription: Subscription }).subscription;
}

function change(isUnsubscribed: boolean): RequestHandler {
  return async (req, res) => {
    await getSubscription(res).change(isUnsubscribed);
    sendState(req, res, isUnsubscribed);
  };
}

function sendState(req: Request, res: Response, isUnsubscribed: boolean): void {
  const { language, scheduleName, companyName } = getSubscription(res);
  const messages = unsubscribeMessages[language];
  const path = `/board-reports/unsubscribe/${req.params.token as string}`;
  const content = isUnsubscribed
    ? html`<p role="status">${messages.stopped(scheduleName, companyName)}</p>
        <form method="post" action=${`${path}/undo`}><button type="submit">${messages.again}</button></form>`
    : html`<p>${messages.about(scheduleName, companyName)}</p>
        <form method="post" action=${path}><button type="submit">${messages.stop}</button></form>`;
  sendPlainPage(res, { language, title: isUnsubscribed ? messages.stoppedTitle : messages.title, content });
}

function sendUnknown(req: Request, res: Response): void {
  const language = languageAsked(req);
  const { unknownTitle: title, unknown } = unsubscribeMessages[language];
  sendPlainPage(res, { status: 404, language, title, content: html`<p>${unknown}</p>` });
}
