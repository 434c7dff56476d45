import type { Response } from 'express';
import type { PersonResult } from '../../../operations/operations.ts';
import { tokenField } from '../../shared/person-page.ts';
import { getPageContext } from '../../shared/page-context.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { getCoursesHome, sendLearnPage } from '../learn-page.ts';
import { FRAME_LISTENER, PACKAGE_PLAYER, RUNTIMES } from './package-assets.ts';
import { packageMessages } from './package-messages.ts';

/** A course's package as its learner sees it. */
export type OwnPackage = NonNullable<PersonResult<'getOwnPackage'>>;
type OpenPackage = NonNullable<PersonResult<'getOpenPackage'>>;

export function buildPackagePath(res: Response, courseId: string): string {
  return `${getCoursesHome(res)}/packages/${courseId}`;
}

/** Sends the learner's result in the course, and the button that opens the package. */
export function sendPackagePage(res: Response, courseId: string, ownPackage: OwnPackage): void {
  const messages = packageMessages[getPageContext(res).language];
  const button = ownPackage.isNewStart
    ? ownPackage.finishDate === null
      ? messages.begin
      : messages.again
    : messages.goOn;
  const content = html`
    ${renderResult(res, ownPackage)}
    ${
      ownPackage.mayOpen
        ? html`<p>${messages.about} ${!ownPackage.isNewStart && messages.window}</p>
            <form method="post" action=${buildPackagePath(res, courseId)}>
              ${tokenField(res)}
              <button type="submit">${button}</button>
            </form>`
        : ownPackage.mayReview
          ? html`<form method="post" action=${buildPackagePath(res, courseId)}>
              ${tokenField(res)}
              <button type="submit">${messages.review}</button>
            </form>`
          : ownPackage.finishDate === null &&
            html`<p>${ownPackage.attemptId === null ? messages.notYours : messages.retired}</p>`
    }
  `;
  sendLearnPage(res, { title: ownPackage.name, content });
}

function renderResult(res: Response, { finishDate, passed, score, passMark }: OwnPackage): Html | null {
  if (finishDate === null) return null;
  const { language } = getPageContext(res);
  const messages = packageMessages[language];
  if (passed === null) return html`<p>${messages.finished}</p>`;
  const percent = score === null ? null : new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(score);
  return html`<p>${passed ? messages.passed(percent) : messages.failed(percent, passMark)}</p>`;
}

/** Sends the page with the frame. Its attributes pass all data to the script, because inline scripts are blocked. */
export function sendPackageWindow(res: Response, courseId: string, token: string, window: OpenPackage): void {
  const { person, language, formToken } = getPageContext(res);
  const messages = packageMessages[language];
  const path = buildPackagePath(res, courseId);
  const content = html`
    <noscript><p>${messages.needsScript}</p></noscript>
    <p role="status"></p>
    <iframe
      referrerpolicy="no-referrer"
      class="package"
      title=${messages.frame}
      sandbox="allow-scripts allow-forms"
      allowfullscreen
      data-standard=${window.standard}
      data-runtime=${RUNTIMES[window.standard].path}
      data-listener=${FRAME_LISTENER.path}
      data-keep=${`${path}/${token}`}
      data-form-token=${formToken}
      data-launch=${`/packages/${token}/${window.launchPath}`}
      data-learner-id=${person.id}
      data-learner-name=${`${person.lastName}, ${person.firstName}`}
      data-state=${JSON.stringify(window.state)}
      data-sco=${JSON.stringify(window.sco ?? {})}
      data-saved=${messages.saved}
      data-stale=${messages.stale}
      data-failed=${messages.unsaved}
    ></iframe>
    <p><a href=${path}>${messages.back}</a></p>
  `;
  const also = { 'frame-src': "'self'", 'connect-src': "'self'" };
  sendLearnPage(res, { title: window.name, content, width: 'wide', scripts: [PACKAGE_PLAYER.path], also });
}
