import type { Response } from 'express';
import { localName } from '../../../resources/courses/course-names.ts';
import type { ScormRuntime, ScormRuntimeWindow } from '../../../resources/courses/scorm/scorm-runtime-repository.ts';
import { isNewStart, mayOpen } from '../../../resources/courses/scorm/scorm-runtime-rules.ts';
import { tokenField } from '../../shared/person-page.ts';
import { pageContextOf } from '../../shared/page-context.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { sendLearnPage } from '../learn-page.ts';
import { FRAME_LISTENER, PACKAGE_PLAYER, RUNTIMES } from './package-assets.ts';
import { packageWords } from './package-words.ts';

export function pathOfPackage(courseId: string): string {
  return `/learn/packages/${courseId}`;
}

/** What a learner has of the course, and the button that opens it. */
export function sendPackagePage(res: Response, courseId: string, play: ScormRuntime): void {
  const words = packageWords[pageContextOf(res).language];
  const button = isNewStart(play) ? (play.finishDate === null ? words.begin : words.again) : words.goOn;
  const content = html`
    ${resultOf(res, play)}
    ${
      mayOpen(play)
        ? html`<p>${words.about} ${!isNewStart(play) && words.window}</p>
            <form method="post" action=${pathOfPackage(courseId)}>
              ${tokenField(res)}
              <button type="submit">${button}</button>
            </form>`
        : play.finishDate === null && html`<p>${play.attemptId === null ? words.notYours : words.retired}</p>`
    }
  `;
  sendLearnPage(res, { title: localName(play, pageContextOf(res).language), content });
}

function resultOf(res: Response, { finishDate, passed, score, passMark }: ScormRuntime): Html | null {
  if (finishDate === null) return null;
  const { language } = pageContextOf(res);
  const words = packageWords[language];
  if (passed === null) return html`<p>${words.finished}</p>`;
  const percent = score === null ? null : new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(score);
  return html`<p>${passed ? words.passed(percent) : words.failed(percent, passMark)}</p>`;
}

/** The page with the frame. All that the script needs stands at the frame: the page has no script of its own in it. */
export function sendPlayPage(res: Response, courseId: string, token: string, window: ScormRuntimeWindow): void {
  const { person, language, formToken } = pageContextOf(res);
  const words = packageWords[language];
  const path = pathOfPackage(courseId);
  const content = html`
    <noscript><p>${words.needsScript}</p></noscript>
    <p role="status"></p>
    <iframe
      class="package"
      title=${words.frame}
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
      data-saved=${words.saved}
      data-stale=${words.stale}
      data-failed=${words.unsaved}
    ></iframe>
    <p><a href=${path}>${words.back}</a></p>
  `;
  const also = { 'frame-src': "'self'", 'connect-src': "'self'" };
  const title = localName(window, language);
  sendLearnPage(res, { title, content, width: 'wide', scripts: [PACKAGE_PLAYER.path], also });
}
