import type { Response } from 'express';
import type { Language } from '../../contract/languages.ts';
import { type Brand, brandLogo } from '../../http/html/brand.ts';
import { type Html, html } from '../../http/html/html.ts';
import { page, pageHeaders } from '../../http/html/page.ts';
import { type SignInMessages } from './sign-in-messages.ts';
import { getPageContext } from './page-context.ts';

/**
 * Options for the headers of every page. Without a referrer, browsers would send forms with the origin `null`, which is
 * rejected.
 */
const SAFE = { formAction: "'self'", referrerPolicy: 'same-origin' };

export interface PersonPage {
  title: string;
  content: Html;
  width?: 'narrow' | 'wide';
  /** URLs of our own scripts that the page loads. They are added to its Content-Security-Policy. */
  scripts?: readonly string[];
  /** Additional directives of the page's content security policy. */
  also?: Readonly<Record<string, string>>;
  status?: number;
}

type PlainPage = Omit<PersonPage, 'width'> & { language: Language };
type SentPage = PersonPage & { language: Language; brand?: Brand | null; navigation?: { content: Html; skip: string } };

/** Sends a page to a visitor who is not signed in. */
export function sendPlainPage(res: Response, options: PlainPage): void {
  send(res, options);
}

interface Navigation {
  /** Path of the first page. */
  home: string;
  messages: Record<Language, SignInMessages>;
  places: Html;
  section?: Html | undefined;
}

/**
 * Sends a page to the signed-in person, in their language.
 * @param places navigation links
 * @param section a second row of the navigation
 */
export function sendPersonPage(
  res: Response,
  { home, messages: ofLanguages, places, section }: Navigation,
  options: PersonPage,
): void {
  const { companyName, brand, language } = getPageContext(res);
  const messages = ofLanguages[language];
  const content = html`
    <span class="name">${brandLogo(brand)}${companyName}</span>
    <nav aria-label=${messages.navigation}>
      ${places}
      <form method="post" action=${`${home}/sign-out`}>
        ${tokenField(res)}
        <button type="submit">${messages.signOut}</button>
      </form>
    </nav>
    ${section}
  `;
  send(res, { ...options, language, brand, navigation: { content, skip: messages.skip } });
}

/** Returns the hidden field that proves that this page rendered the form. */
export function tokenField(res: Response): Html {
  return html`<input type="hidden" name="form_token" value=${getPageContext(res).formToken} />`;
}

function send(res: Response, { status = 200, also = {}, ...options }: SentPage): void {
  const allowed = { ...(options.scripts && { 'script-src': "'self'" }), ...also };
  res
    .status(status)
    .set(pageHeaders({ ...SAFE, also: allowed }))
    .send(page(options));
}
