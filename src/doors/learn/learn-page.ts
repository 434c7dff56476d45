import type { Response } from 'express';
import type { Language } from '../../languages.ts';
import { type Html, html } from '../../web/html.ts';
import { page, pageHeaders } from '../../web/page.ts';
import { learnerOf } from './learner.ts';
import { learnWords } from './learn-words.ts';

/** Without a referrer a form would be sent with the origin `null`, which is refused. */
const SAFE = { formAction: "'self'", referrerPolicy: 'same-origin' };

interface LearnPage {
  title: string;
  content: Html;
  width?: 'narrow' | 'wide';
  /** Addresses of files of ours, which the page's policy then allows. */
  scripts?: readonly string[];
  /** Further directives of the page's policy. */
  also?: Readonly<Record<string, string>>;
  status?: number;
}

/** Sends a page to the learner who is signed in, in their language. */
export function sendLearnPage(res: Response, { status = 200, also = {}, ...options }: LearnPage): void {
  const { language } = learnerOf(res);
  const allowed = { ...(options.scripts && { 'script-src': "'self'" }), ...also };
  const text = page({ ...options, language, navigation: navigationFor(res) });
  res
    .status(status)
    .set(pageHeaders({ ...SAFE, also: allowed }))
    .send(text);
}

/** Sends a page to somebody who is not signed in. */
export function sendPlainPage(
  res: Response,
  { status = 200, ...options }: { status?: number; language: Language; title: string; content: Html },
): void {
  res.status(status).set(pageHeaders(SAFE)).send(page(options));
}

/** The field by which a form of the page shows that it is ours. */
export function tokenField(res: Response): Html {
  return html`<input type="hidden" name="form_token" value=${learnerOf(res).formToken} />`;
}

function navigationFor(res: Response) {
  const { companyName, language } = learnerOf(res);
  const words = learnWords[language];
  const content = html`
    <span class="name">${companyName}</span>
    <nav aria-label=${words.navigation}>
      <a href="/learn">${words.myTraining}</a>
      <form method="post" action="/learn/sign-out">
        ${tokenField(res)}
        <button type="submit">${words.signOut}</button>
      </form>
    </nav>
  `;
  return { content, skip: words.skip };
}
