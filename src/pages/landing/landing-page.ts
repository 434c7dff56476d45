import type { Response } from 'express';
import { nonceOf, type SimulationLink } from '../../resources/simulations/events/simulation-links.ts';
import { type Language, languageOf } from '../../contract/languages.ts';
import { assetOf } from '../../http/html/assets.ts';
import { type Html, html } from '../../http/html/html.ts';
import { page, pageHeaders } from '../../http/html/page.ts';
import { landingWords, type LandingWords } from './landing-words.ts';

export const SCRIPT = assetOf(new URL('assets/landing.js', import.meta.url));

/** No form of the page can be sent, and its script reaches nobody but us. */
const HEADERS = pageHeaders({
  formAction: "'none'",
  referrerPolicy: 'no-referrer',
  also: { 'script-src': "'self'", 'connect-src': "'self'" },
});

/**
 * Says that it was a simulation and by whom, then what gave it away, and what to remember.
 * @param link.token the secret in the address
 * @param trainingUrl where the recipient takes their training
 */
export function sendLandingPage(res: Response, link: SimulationLink & { token: string }, trainingUrl: string): void {
  const { companyName, cues, lesson, token } = link;
  const language = languageOf(link.locale);
  const words = landingWords[language];
  const content = html`
    <p>${words.calm}</p>
    ${
      cues !== null &&
      html`<h2>${words.cuesTitle}</h2>
        <ul>
          ${cues.map((cue) => html`<li>${cue}</li>`)}
        </ul>`
    }
    <h2>${words.lessonTitle}</h2>
    ${(lesson ?? words.plainLesson).split(/\n\s*\n/).map((paragraph) => html`<p>${paragraph}</p>`)}
    <p><a class="button" href=${trainingUrl}>${words.training}</a></p>
    ${exercise(words, token)}
    <p class="quiet">${words.recorded(companyName)}</p>
    <p hidden><a href=${`/s/${token}/more`} rel="nofollow">${words.hidden}</a></p>
  `;
  send(res, { language, title: words.title(companyName), content, scripts: [SCRIPT.path] });
}

/** Its fields have no names, so that a browser has nothing to send. */
function exercise(words: LandingWords, token: string): Html {
  return html`
    <h2>${words.formTitle}</h2>
    <p id="hint">${words.formHint}</p>
    <form autocomplete="off" data-page=${`/s/${token}`} data-nonce=${nonceOf(token)}>
      <label for="user">${words.userName}</label>
      <input id="user" autocomplete="off" aria-describedby="hint" />
      <label for="secret">${words.password}</label>
      <input id="secret" type="password" required autocomplete="off" aria-describedby="hint" />
      <button type="submit" class="quiet">${words.submit}</button>
    </form>
    <div role="status"><p id="stopped" class="warning" hidden>${words.stopped}</p></div>
  `;
}

export function sendFailurePage(res: Response, status: number, language: Language): void {
  const words = landingWords[language];
  const content = html`<p>${textOf(status, words)}</p>`;
  send(res.status(status), { language, title: words.failureTitle, content });
}

function textOf(status: number, words: LandingWords): string {
  if (status === 404) return words.unknown;
  if (status === 429) return words.tooMany;
  return status >= 500 ? words.unavailable : words.stale;
}

function send(res: Response, options: Parameters<typeof page>[0]): void {
  res.set(HEADERS).send(page(options));
}
