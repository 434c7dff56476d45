// The training of a simulation, opened by the link of its message.
//
// The landing page of a simulation leads here. The recipient takes the training at once, without requesting a sign-in
// link. The secret in the link identifies the recipient. It opens only this course:
//
// - No session begins and no cookie is set, so the link reaches no other training, no policy, no certificate and no
//   personal data. Anybody with a forwarded message can take this training in the recipient's name, and can see the
//   recipient's progress.
// - If the browser has a session of the recipient, the training opens in that session. If it has a session of somebody
//   else, the training does not open, because results would count for the wrong person.
// - A GET changes nothing, because mail programs and scanners follow links. A button enrols the recipient and starts
//   the training.
// - The link works for active learners until the simulation stops counting: not after it is cancelled, and until 30 days
//   after its end.
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Config } from '../../../config/config.ts';
import { notFound } from '../../../contract/errors.ts';
import { getForm } from '../../../http/body/form.ts';
import { refuseMethod } from '../../../http/guards.ts';
import { guardForms } from '../../../http/html/form-guard.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { getRequestOrigin } from '../../../http/request-context.ts';
import type { SharedServices } from '../../../http/shared-services.ts';
import { hasLinkedTraining, linkedTrainingPath } from '../../shared/linked-training.ts';
import { beginLinkedPage, getPageContext } from '../../shared/page-context.ts';
import { tokenField } from '../../shared/person-page.ts';
import type { SignInConfig } from '../../shared/sign-in-config.ts';
import { LEARN, sendLearnPage } from '../learn-page.ts';
import { packageRoutes } from '../packages/package-routes.ts';
import { playerRoutes } from '../player/player-routes.ts';
import { linkedMessages } from './linked-training-messages.ts';

type Link = NonNullable<Awaited<ReturnType<SharedServices['openings']['simulations']['find']>>>;

interface Opened {
  link: Link & { courseId: string };
  /** Person who is signed in to the browser. */
  session: 'none' | 'recipient' | 'other';
}

type Services = Pick<SharedServices, 'openings' | 'budget' | 'countFailure' | 'invoke'>;

/** Serves the training behind the link of a message, before the pages that require a session. */
export function linkedTrainingRoutes(
  signIn: Pick<SignInConfig, 'cookie' | 'sessions'>,
  { mail, contentHost }: Pick<Config, 'mail' | 'contentHost'>,
  services: Services,
): Router {
  const course = Router({ caseSensitive: true, strict: true });
  course.use(requireOwnCourse, packageRoutes(contentHost), playerRoutes(mail?.trainingUrl));
  const router = Router({ caseSensitive: true, strict: true, mergeParams: true });
  router.use(openLink(signIn, services), guardForms(getPageContext));
  router.get('/', showStart);
  router.post('/', start);
  router.all('/', refuseMethod('GET', 'HEAD', 'POST'));
  router.use(course);
  return Router({ caseSensitive: true, strict: true }).use(
    linkedTrainingPath(':token').replace(LEARN.home, ''),
    router,
  );
}

/** Finds the recipient by the link, and who is signed in. @throws {ApiError} `not_found` if the link opens no training */
function openLink(
  { cookie, sessions }: Pick<SignInConfig, 'cookie' | 'sessions'>,
  { openings, budget, countFailure, invoke }: Services,
): RequestHandler {
  return async (req, res, next) => {
    const token = req.params.token as string;
    const origin = getRequestOrigin(req, res);
    const link = await openings.simulations.find(token, origin);
    if (!link) await countFailure(req, res);
    if (!link || !hasLinkedTraining(link)) throw notFound('training');
    budget.take(link.learnerId);
    const sessionToken = cookie.read(req);
    const person = sessionToken === '' ? undefined : await sessions.find('learner', sessionToken, origin);
    const isRecipient = person?.id === link.learnerId && person.companyId === link.caller.companyId;
    const session = person ? (isRecipient ? 'recipient' : 'other') : 'none';
    beginLinkedPage(link, linkedTrainingPath(token), invoke, res);
    (res.locals as { opened: Opened }).opened = { link: link as Opened['link'], session };
    next();
  };
}

function getOpened(res: Response): Opened {
  return (res.locals as { opened: Opened }).opened;
}

/** Shows what the training is, with the button that begins it. */
async function showStart(_req: Request, res: Response): Promise<void> {
  const { link, session } = getOpened(res);
  const { call, language } = getPageContext(res);
  const messages = linkedMessages[language];
  if (session === 'other') return sendRefusal(res);
  if (link.isCourseAssigned) return res.redirect(303, getCoursePath(res));
  const { name, written } = await call('getOwnCourse', {
    courseId: link.courseId,
    languages: { asked: null, own: language },
    replay: null,
  });
  const content = html`
    ${written && html`<p>${written.summary}</p>`}
    <p>${messages.about}</p>
    <form method="post" action=${getPageContext(res).linkedHome!}>
      ${tokenField(res)}
      <button type="submit">${messages.begin}</button>
    </form>
  `;
  sendLearnPage(res, { title: name, content });
}

/** Enrols the recipient if necessary, and redirects to the course. */
async function start(req: Request, res: Response): Promise<void> {
  const { link, session } = getOpened(res);
  getForm(req);
  if (session === 'other') return sendRefusal(res);
  await getPageContext(res).call('beginFollowUpTraining', { simulationId: link.simulationId });
  res.redirect(303, getCoursePath(res));
}

/** Returns the path of the course, in the recipient's session if the browser has it. */
function getCoursePath(res: Response): string {
  const { link, session } = getOpened(res);
  const home = session === 'recipient' ? LEARN.home : getPageContext(res).linkedHome!;
  return `${home}/courses/${link.courseId}`;
}

/** Explains that somebody else is signed in. */
function sendRefusal(res: Response): void {
  const { language } = getPageContext(res);
  const messages = linkedMessages[language];
  const content: Html = html`<p>${messages.otherAbout}</p>
    <p><a class="button" href=${LEARN.home}>${messages.otherOwn}</a></p>`;
  sendLearnPage(res, { status: 403, title: messages.otherTitle, content });
}

/** Passes on only requests for the pages of the link's course. */
const requireOwnCourse: RequestHandler = (req, res, next) => {
  const { link, session } = getOpened(res);
  const [, kind, courseId] = req.path.split('/');
  const isOwn = (kind === 'courses' || kind === 'packages') && courseId?.toLowerCase() === link.courseId;
  if (!isOwn) throw notFound('page');
  if (session === 'other') return sendRefusal(res);
  next();
};
