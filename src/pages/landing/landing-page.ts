import type { Response } from 'express';
import { type Language, toLanguage } from '../../contract/languages.ts';
import { loadAsset } from '../../http/html/assets.ts';
import { type Html, html } from '../../http/html/html.ts';
import { page, pageHeaders } from '../../http/html/page.ts';
import type { SharedServices } from '../../http/shared-services.ts';
import { landingMessages, type LandingMessages } from './landing-messages.ts';

/** The recipient of a message whose link was followed. */
export type LandingLink = NonNullable<Awaited<ReturnType<SharedServices['openings']['simulations']['find']>>>;

export const SCRIPT = loadAsset(new URL('assets/landing.js', import.meta.url));

/** Prevents the page from submitting forms, and its script from connecting to any other site. */
const HEADERS = pageHeaders({
  formAction: "'none'",
  referrerPolicy: 'no-referrer',
  also: { 'script-src': "'self'", 'connect-src': "'self'" },
});

/**
 * Sends the page of a link. It says that the message was a simulation, who ran it, what gave it away, and what to
 * remember.
 * @param link.token the secret in the address
 * @param trainingUrl where the recipient takes their training
 */
export function sendLandingPage(res: Response, link: LandingLink & { token: string }, trainingUrl: string): void {
  const { companyName, cues, lesson, token, nonce } = link;
  const language = toLanguage(link.locale);
  const messages = landingMessages[language];
  const content = html`
    <p>${messages.calm}</p>
    ${
      cues !== null &&
      html`<h2>${messages.cuesTitle}</h2>
        <ul>
          ${cues.map((cue) => html`<li>${cue}</li>`)}
        </ul>`
    }
    <h2>${messages.lessonTitle}</h2>
    ${(lesson ?? messages.plainLesson).split(/\n\s*\n/).map((paragraph) => html`<p>${paragraph}</p>`)}
    <p><a class="button" href=${trainingUrl}>${messages.training}</a></p>
    ${exercise(messages, token, nonce)}
    <p class="quiet">${messages.recorded(companyName)}</p>
    <p hidden><a href=${`/s/${token}/more`} rel="nofollow">${messages.hidden}</a></p>
  `;
  send(res, { language, title: messages.title(companyName), content, scripts: [SCRIPT.path] });
}

/** Renders the form. Its fields have no names, so that a browser has nothing to send. */
function exercise(messages: LandingMessages, token: string, nonce: string): Html {
  return html`
    <h2>${messages.formTitle}</h2>
    <p id="hint">${messages.formHint}</p>
    <form autocomplete="off" data-page=${`/s/${token}`} data-nonce=${nonce}>
      <label for="user">${messages.userName}</label>
      <input id="user" autocomplete="off" aria-describedby="hint" />
      <label for="secret">${messages.password}</label>
      <input id="secret" type="password" required autocomplete="off" aria-describedby="hint" />
      <button type="submit" class="quiet">${messages.submit}</button>
    </form>
    <div role="status"><p id="stopped" class="warning" hidden>${messages.stopped}</p></div>
  `;
}

export function sendFailurePage(res: Response, status: number, language: Language): void {
  const messages = landingMessages[language];
  const content = html`<p>${selectMessage(status, messages)}</p>`;
  send(res.status(status), { language, title: messages.failureTitle, content });
}

function selectMessage(status: number, messages: LandingMessages): string {
  if (status === 404) return messages.unknown;
  if (status === 429) return messages.tooMany;
  return status >= 500 ? messages.unavailable : messages.stale;
}

function send(res: Response, options: Parameters<typeof page>[0]): void {
  res.set(HEADERS).send(page(options));
}
