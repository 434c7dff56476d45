import type { Request, Response } from 'express';
import type { Language } from '../../languages.ts';
import { type Html, html } from '../../web/html.ts';
import { page, pageHeaders } from '../../web/page.ts';
import { adminOf } from './admin.ts';
import { type ConsoleWords, consoleWords } from './console-words.ts';

/** Without a referrer a form would be sent with the origin `null`, which is refused. */
const SAFE = { formAction: "'self'", referrerPolicy: 'same-origin' };

interface ConsolePage {
  title: string;
  content: Html;
  width?: 'narrow' | 'wide';
  /** Addresses of files of ours, which the page's policy then allows. */
  scripts?: readonly string[];
  /** Further directives of the page's policy. */
  also?: Readonly<Record<string, string>>;
  status?: number;
}

/** Sends a page to the admin who is signed in, in their language. */
export function sendConsolePage(res: Response, { status = 200, also = {}, ...options }: ConsolePage): void {
  const { language } = adminOf(res);
  const allowed = { ...(options.scripts && { 'script-src': "'self'" }), ...also };
  const text = page({ ...options, language, navigation: navigationFor(res) });
  res
    .status(status)
    .set(pageHeaders({ ...SAFE, also: allowed }))
    .send(text);
}

type PlainPage = Omit<ConsolePage, 'width'> & { language: Language };

/** Sends a page to somebody who is not signed in. */
export function sendPlainPage(res: Response, { status = 200, also = {}, ...options }: PlainPage): void {
  const allowed = { ...(options.scripts && { 'script-src': "'self'" }), ...also };
  res
    .status(status)
    .set(pageHeaders({ ...SAFE, also: allowed }))
    .send(page(options));
}

/** The pages, by what `words.pages` calls them. */
const PLACES = [
  ['overview', '/console'],
  ['keys', '/console/keys'],
  ['sources', '/console/sources'],
  ['applications', '/console/applications'],
  ['admins', '/console/admins'],
  ['passkeys', '/console/passkeys'],
] as const satisfies readonly (readonly [keyof ConsoleWords['pages'], string])[];

function navigationFor(res: Response) {
  const { companyName, formToken, language } = adminOf(res);
  const words = consoleWords[language];
  const { baseUrl, path } = res.req as Request;
  const here = baseUrl + path.replace(/\/$/, '');
  const content = html`
    <span class="name">${companyName}</span>
    <nav aria-label=${words.navigation}>
      ${PLACES.map(([name, href]) => {
        return html`<a href=${href} aria-current=${here === href ? 'page' : undefined}>${words.pages[name]}</a>`;
      })}
      <form method="post" action="/console/sign-out">
        <input type="hidden" name="form_token" value=${formToken} />
        <button type="submit">${words.signOut}</button>
      </form>
    </nav>
  `;
  return { content, skip: words.skip };
}
